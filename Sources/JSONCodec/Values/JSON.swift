/// A lossless JSON value (RFC 8259): members preserve their order, numbers their text.
///
/// Objects are equal if their members are, in any order. Numbers are equal if their texts are, so
/// `1.0` and `1` differ (compare their ``Number/double`` instead). Strings are equal if their bytes
/// are, so two encodings of one accented letter differ.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number with its original text.
    case number(Number)
    /// A string.
    case string(String)
    /// An ordered list of values.
    case array([JSON])
    /// Named values, in their original order.
    case object(Object)

    /// The default limit of nesting arrays and objects.
    ///
    /// Each level of nesting costs an attacker one byte, and code that walks the value a stack frame.
    public static let defaultDepth = 512

    /// The maximum limit of nesting.
    package static let maximumDepth = 1_024
}

extension JSON {
    /// The member of this name; nil if there is none or this isn't an object.
    ///
    /// Setting nil removes the member. Setting a member of another value has no effect.
    public subscript(_ name: String) -> JSON? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }
        set {
            guard case .object(var object) = self else { return }
            self = .null  // so that `object` is the only owner and changes in place
            object[name] = newValue
            self = .object(object)
        }
    }

    /// The element at this index; nil past the end or if this isn't an array.
    public subscript(_ index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text; nil if this isn't a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The integer; nil if this isn't a number with an exact integer value.
    public var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    /// The nearest `Double`; nil if this isn't a number within its range.
    public var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// The Boolean; nil for another value.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements; nil if this isn't an array.
    public var array: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members; nil if this isn't an object.
    public var object: Object? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSON: Hashable {
    /// Whether both are the same value, regardless of the order of members.
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

    /// Creates a number; a literal out of range of a `Double` becomes `null`.
    public init(floatLiteral value: Double) { self = Number(value).map(JSON.number) ?? .null }

    /// Creates a string.
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
