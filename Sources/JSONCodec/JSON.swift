/// A JSON value (RFC 8259) that loses nothing: members keep their order, numbers their text.
///
/// Two objects are equal when they hold equal members, whatever the order; two numbers when their
/// texts are the same, so that `1.0` and `1` differ (compare their ``Number/double`` for amounts);
/// two texts when their bytes are, so that two spellings of one accented letter differ.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(Number)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Named values, in the order in which they were written.
    case object(Object)

    /// How deep arrays and objects may nest where nothing else is asked.
    ///
    /// Deep nesting costs an attacker one byte a level and a reader a stack frame.
    public static let defaultDepth = 512

    /// The deepest nesting that may be asked for.
    package static let greatestDepth = 1_024
}

extension JSON {
    /// The member of that name, nil where there is none or where this is no object.
    ///
    /// Setting nil removes the member; setting a member of what is no object does nothing.
    public subscript(_ name: String) -> JSON? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }
        set {
            guard case .object(var object) = self else { return }
            self = .null  // so that `object` is the only owner and is changed in place
            object[name] = newValue
            self = .object(object)
        }
    }

    /// The element at that place, nil past the end or where this is no array.
    public subscript(_ index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text, where this is one.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The integer, where this is a number that is exactly one.
    public var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    /// The number as a binary fraction, where this is a number within its range.
    public var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// The truth value, where this is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, where this is an array.
    public var array: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, where this is an object.
    public var object: Object? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSON: Hashable {
    /// Whether both are the same value, whatever the order of members.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)):
            ExactName(text: left) == ExactName(text: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    /// Feeds the value to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(ExactName(text: text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(Number(value)) }

    /// Creates a number; a literal beyond the range of a `Double` becomes `null`.
    public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }

    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object; of several members with one name, the last wins.
    public init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON text, on one line.
    public var description: String { String(decoding: encoded(), as: UTF8.self) }
}
