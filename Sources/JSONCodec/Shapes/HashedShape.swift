/// A dictionary or a set, whose shape follows from its elements'.
protocol HashedShape {
    /// Returns the shape.
    static func shape(in finder: ShapeFinder) -> Shape
}

extension Dictionary: HashedShape where Key: Decodable, Value: Decodable {
    static func shape(in finder: ShapeFinder) -> Shape {
        guard MemberName.isName(Key.self) else {
            var shape = finder.shape(of: [DictionaryEntry<Key, Value>].self)
            shape.rules.hasUniqueItems = true
            return shape
        }
        let names = MemberName.schema(of: Key.self)
        var shape = Shape(.map(finder.shape(of: Value.self)))
        shape.rules.names = names.isEmpty ? nil : names
        return shape
    }
}

extension Set: HashedShape where Element: Decodable {
    static func shape(in finder: ShapeFinder) -> Shape {
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
                return ["pattern": .string(integerPattern(schema))]
            }
            return ["enum": .array(cases.map { .string("\($0)") })]
        case "number": return ["pattern": .string(numberPattern)]
        default: return JSON.Object()
        }
    }

    /// The pattern of JSON's numbers (RFC 8259 §6).
    private static let numberPattern = "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$"

    /// Returns the pattern of the integers within a schema's limits, which are those of a Swift type.
    private static func integerPattern(_ schema: JSON.Object) -> String {
        guard case .number(let least) = schema["minimum"],
            case .number(let most) = schema["maximum"]
        else { return "^(0|-?[1-9][0-9]*)$" }
        let positive = integerPattern(upTo: most.text)
        guard least.text.hasPrefix("-") else { return "^(0|\(positive))$" }
        // A signed type has one more negative number.
        return "^(0|-?(\(positive))|\(least.text))$"
    }

    /// Returns the pattern of the integers from 1 to a number.
    private static func integerPattern(upTo most: String) -> String {
        let digits = most.utf8.map { Int($0) - 0x30 }
        func any(_ count: Int) -> String {
            count == 0 ? "" : count == 1 ? "[0-9]" : "[0-9]{\(count)}"
        }
        var parts: [String] = []
        if digits.count > 1 { parts.append("[1-9][0-9]{0,\(digits.count - 2)}") }
        for (place, digit) in digits.enumerated() {
            let least = place == 0 ? 1 : 0
            guard digit > least else { continue }
            let lower = digit - 1 == least ? "\(least)" : "[\(least)-\(digit - 1)]"
            parts.append(most.prefix(place) + lower + any(digits.count - place - 1))
        }
        return (parts + [most]).joined(separator: "|")
    }
}
