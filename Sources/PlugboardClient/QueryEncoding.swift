import JSONCodec

/// An input's members as items of a query: `near[city]=Riga`, `tags=sea&tags=sky`, `ids[]=`.
///
/// It writes the forms that the server reads, and rejects values that it would read as others.
enum QueryEncoding {
    /// The maximum number of names in an item's name.
    private static let maximumDepth = 8

    /// Returns the items of an object: none for null, one for each element of an array.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if a value has no form in a query.
    static func items(
        _ members: JSON.Object
    ) throws(ClientError) -> [(name: String, text: String)] {
        var items: [(name: String, text: String)] = []
        for (name, value) in members where value != .null {
            // The item of an empty list or object has no value.
            if value.array?.isEmpty == true || value.hasOnlyNulls {
                items.append((name + "[]", ""))
                continue
            }
            try add(value, name, depth: 1, to: &items)
        }
        return items
    }

    private static func add(
        _ value: JSON,
        _ name: String,
        depth: Int,
        to items: inout [(name: String, text: String)]
    ) throws(ClientError) {
        guard let members = value.object else {
            if depth > 1, value.array?.isEmpty == true { throw error(name) }
            for element in value.array ?? [value] {
                guard let text = FieldText.scalar(element) else { throw error(name) }
                items.append((name, text))
            }
            return
        }
        guard !value.hasOnlyNulls, depth < maximumDepth else { throw error(name) }
        // Null is the same as absent: a query has none.
        for (key, part) in members where part != .null {
            guard !key.isEmpty, !key.utf8.contains(where: { $0 == 0x5B || $0 == 0x5D }) else {
                throw error(name)
            }
            try add(part, "\(name)[\(key)]", depth: depth + 1, to: &items)
        }
    }

    private static func error(_ name: String) -> ClientError {
        ClientError(
            .invalidInput,
            "\(name) cannot be put into a query: send a text, number or Boolean, a list of these, "
                + "or an object of these"
        )
    }
}

extension JSON {
    /// Whether it is an object without members, or with null as each.
    fileprivate var hasOnlyNulls: Bool { object?.allSatisfy { $0.1 == .null } ?? false }
}
