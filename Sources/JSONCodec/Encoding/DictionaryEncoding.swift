/// A dictionary, encoded as an object if its keys are names, and else as a list of entries.
protocol DictionaryEncoding {
    /// Encodes the value.
    func write(to arena: Arena, at node: Int) throws
}

extension Arena {
    /// Encodes a dictionary; returns false for another type.
    @inline(__always)
    func setDictionary<T: Encodable>(_ value: T, at node: Int) throws -> Bool {
        guard TypeMetadata.isHashed(T.self), let dictionary = value as? any DictionaryEncoding
        else { return false }
        try dictionary.write(to: self, at: node)
        return true
    }
}

extension Dictionary: DictionaryEncoding where Key: Encodable, Value: Encodable {
    func write(to arena: Arena, at node: Int) throws {
        if Key.self == String.self || Key.self == Int.self {
            arena.open(.object, at: node)
            for (key, value) in self {
                let name =
                    Key.self == Int.self
                    ? String(same(key, as: Int.self)) : same(key, as: String.self)
                try arena.encode(value, at: arena.add(name, to: node))
            }
            return
        }
        if isEmpty, let type = Key.self as? any Decodable.Type, !MemberName.isName(type) {
            return try writeEntries(to: arena, at: node)
        }
        var members: [(name: String, value: Value)] = []
        members.reserveCapacity(count)
        for (key, value) in self {
            guard let name = try memberName(of: key) else {
                return try writeEntries(to: arena, at: node)
            }
            members.append((name, value))
        }
        // Different keys may have one text, as dates within a microsecond do.
        guard Set(members.map { ExactName(text: $0.name) }).count == count else {
            throw arena.invalid(self, at: node, "two keys have the same name")
        }
        arena.open(.object, at: node)
        for (name, value) in members { try arena.encode(value, at: arena.add(name, to: node)) }
    }

    private func writeEntries(to arena: Arena, at node: Int) throws {
        try arena.encode(map { DictionaryEntry(key: $0.key, value: $0.value) }, at: node)
    }
}

/// Returns the name of a key; nil if its JSON is an array, an object or null.
private func memberName<Key: Encodable>(of key: Key) throws -> String? {
    switch try JSON(encoding: key) {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
}
