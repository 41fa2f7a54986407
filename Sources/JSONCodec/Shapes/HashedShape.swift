/// A dictionary or a set, whose shape follows from its elements'.
protocol HashedShape {
    /// Returns the shape; nil for that of Swift's own coding.
    static func shape(in finder: ShapeFinder) -> Shape?
}

extension Dictionary: HashedShape where Key: Decodable, Value: Decodable {
    static func shape(in finder: ShapeFinder) -> Shape? {
        guard MemberName.isName(Key.self) else { return nil }
        let names = MemberName.schema(of: Key.self)
        var shape = Shape(.map(finder.shape(of: Value.self)))
        shape.rules.names = names.isEmpty ? nil : names
        return shape
    }
}

extension Set: HashedShape where Element: Decodable {
    static func shape(in finder: ShapeFinder) -> Shape? {
        var shape = Shape(.array(finder.shape(of: Element.self)))
        shape.rules.hasUniqueItems = true
        return shape
    }
}

extension MemberName {
    /// Returns the JSON Schema of a type's names; it is empty for any name.
    fileprivate static func schema<Key: Decodable>(of type: Key.Type) -> JSON.Object {
        let finder = ShapeFinder()
        let found = finder.shape(of: type)
        let shape = finder.shapes.resolved(found)
        var schema: JSON.Object
        switch shape.form {
        case .scalar(let scalar): schema = scalar.keywords
        case .described(let keywords): schema = keywords
        case .any, .array, .map, .object, .component: return JSON.Object()
        }
        switch schema["type"]?.string {
        case "string":
            shape.rules.write(to: &schema)
            schema["type"] = nil
            return schema
        case "boolean": return ["enum": ["true", "false"]]
        case "integer":
            guard let cases = schema["enum"]?.array else {
                return ["pattern": "^(0|-?[1-9][0-9]*)$"]
            }
            return ["enum": .array(cases.map { .string("\($0)") })]
        default: return JSON.Object()
        }
    }
}
