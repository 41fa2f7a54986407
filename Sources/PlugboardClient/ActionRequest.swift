import HTTPTypes
import JSONCodec
import PlugHTTP

/// An action's input, distributed over a request's path, query, fields and body.
struct ActionRequest: Equatable {
    let method: HTTPRequest.Method
    /// The path with the query.
    let target: String
    /// The body as JSON text; nil for none.
    let body: [UInt8]?
    /// The input's members that are sent in header fields.
    private(set) var fields: HTTPFields = [:]

    /// Creates the request for an input; nil is `Void`.
    ///
    /// - Throws: ``ClientError`` of kind `invalidInput` if a value can't be in the request.
    init(_ route: ActionRoute, input: JSON?) throws(ClientError) {
        method = route.method
        let names = route.template.names
        var input = input
        for (member, field) in route.fields {
            fields[field] = input?[member].flatMap(Self.fieldText(of:))
            input?[member] = nil
        }
        guard let input else {
            target = try Self.path(route.template, JSON.Object())
            body = nil
            return
        }
        if names.isEmpty, route.hasBody, !route.hasQuery {
            target = try Self.path(route.template, JSON.Object())
            body = input.encoded()
            return
        }
        guard case .object(var rest) = input else {
            throw ClientError(
                .invalidInput,
                "The input of \(route.method) \(route.template) must be a JSON object, "
                    + "so that its members have names in the path and the query"
            )
        }
        let path = try Self.path(route.template, rest)
        for name in names { rest[name] = nil }
        var others = rest
        for name in rest.names {
            if route.isQueried(name) { others[name] = nil } else { rest[name] = nil }
        }
        let query = Query.text(try Self.items(rest))
        target = query.isEmpty ? path : "\(path)?\(query)"
        if let member = route.wholeBody {
            body = others[member]?.string.map { Array($0.utf8) }
        } else {
            body = route.hasBody ? JSON.object(others).encoded() : nil
        }
    }

    private static func path(
        _ template: PathTemplate,
        _ members: JSON.Object
    ) throws(ClientError) -> String {
        do {
            return try template.path(filling: { name in members[name].flatMap(text(of:)) })
        } catch {
            throw ClientError(.invalidInput, error.description)
        }
    }

    /// Returns a query's items: one for a scalar, one for each element of an array, none for null.
    ///
    /// The item of an empty array is `name[]` without a value.
    private static func items(
        _ members: JSON.Object
    ) throws(ClientError) -> [(name: String, text: String)] {
        var items: [(name: String, text: String)] = []
        for (name, value) in members where value != .null {
            if value.array?.isEmpty == true { items.append((name + "[]", "")) }
            for element in value.array ?? [value] {
                guard let text = text(of: element) else {
                    throw ClientError(
                        .invalidInput,
                        "\(name) cannot be put into a query: not a text, number or truth value"
                    )
                }
                items.append((name, text))
            }
        }
        return items
    }

    /// Returns a field's value; an array becomes a list, quoted where necessary (RFC 9110 §5.6.1).
    ///
    /// The value of an empty array is empty.
    private static func fieldText(of value: JSON) -> String? {
        guard let members = value.array else { return text(of: value) }
        return members.compactMap(text(of:)).map(quoted).joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x2C
        }
        guard !isPlain || text.isEmpty else { return text }
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(escaped) + "\""
    }

    private static func text(of value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
