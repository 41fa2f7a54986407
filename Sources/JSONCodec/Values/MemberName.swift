import Locking

/// The names of an object's members as the keys of a dictionary.
///
/// A key that is a string, a number or a Boolean in JSON is a name. Swift's own coding does so for
/// few types, and writes other dictionaries as a list of alternating keys and values.
enum MemberName {
    private static let schemas = Locked<[ObjectIdentifier: JSON.Object?]>([:])

    /// Whether keys of the type are names.
    static func isName<Key: Decodable>(_ type: Key.Type) -> Bool { schema(of: type) != nil }

    /// Returns the JSON Schema of a type's names, empty for any name; nil if they aren't names.
    static func schema<Key: Decodable>(of type: Key.Type) -> JSON.Object? {
        if type == String.self { return JSON.Object() }
        let id = ObjectIdentifier(type)
        if let known = schemas.withLock({ $0[id] }) { return known }
        let schema = findSchema(of: type)
        schemas.withLock { $0[id] = .some(schema) }
        return schema
    }

    private static func findSchema<Key: Decodable>(of type: Key.Type) -> JSON.Object? {
        let finder = ShapeFinder()
        let found = finder.shape(of: type)
        let shape = finder.shapes.resolved(found)
        guard !shape.isNullable else { return nil }
        var schema: JSON.Object
        switch shape.form {
        case .scalar(let scalar): schema = scalar.keywords
        case .described(let keywords): schema = keywords
        case .any, .array, .map, .object, .component: return nil
        }
        switch schema["type"]?.string {
        case "string":
            shape.rules.write(to: &schema)
            schema["type"] = nil
            return schema
        case "boolean": return ["enum": ["true", "false"]]
        case "number": return JSON.Object()
        case "integer":
            guard let cases = schema["enum"]?.array else {
                return ["pattern": "^(0|-?[1-9][0-9]*)$"]
            }
            return ["enum": .array(cases.map { .string("\($0)") })]
        default: return nil
        }
    }

    /// Decodes a key from a name.
    static func key<Key: Decodable>(_ name: String) throws -> Key {
        var name = name
        return try name.withUTF8 { bytes in
            var tape = Tape(UnsafeRawBufferPointer(bytes))
            defer { Tape.end(&tape) }
            _ = tape.append(Node(.text, start: 0, length: bytes.count, next: 1))
            return try tape.decode(Key.self, at: 0)
        }
    }

    /// Returns the name of a key; nil if its JSON is an array, an object or null.
    static func name<Key: Encodable>(_ key: Key) throws -> String? {
        switch try JSON(encoding: key) {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let value): return value ? "true" : "false"
        case .null, .array, .object: return nil
        }
    }
}
