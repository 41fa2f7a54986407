public import JSONCodec

/// A type of ``JSONView`` members, with a default value for missing ones.
public protocol JSONMember: Codable {
    /// The default value for a member that is missing or of another type.
    static var absent: Self { get }

    /// Creates the value of a member; nil if the member is of another type.
    init?(member: JSON)

    /// The value as JSON; nil if JSON can't represent it, such as an infinite number.
    var member: JSON? { get }
}

extension String: JSONMember {
    /// An empty text.
    public static var absent: String { "" }

    /// Reads a JSON string.
    public init?(member: JSON) {
        guard let text = member.string else { return nil }
        self = text
    }

    /// The text as JSON.
    public var member: JSON? { .string(self) }
}

extension Int: JSONMember {
    /// Zero.
    public static var absent: Int { 0 }

    /// Reads a number that is exactly an integer.
    public init?(member: JSON) {
        guard let number = member.int else { return nil }
        self = number
    }

    /// The number as JSON.
    public var member: JSON? { .number(JSON.Number(self)) }
}

extension Double: JSONMember {
    /// Zero.
    public static var absent: Double { 0 }

    /// Reads a number.
    public init?(member: JSON) {
        guard let number = member.double else { return nil }
        self = number
    }

    /// The number as JSON; nil if it isn't finite.
    public var member: JSON? { JSON.Number(self).map(JSON.number) }
}

extension Bool: JSONMember {
    /// False.
    public static var absent: Bool { false }

    /// Reads a truth value.
    public init?(member: JSON) {
        guard let value = member.bool else { return nil }
        self = value
    }

    /// The truth value as JSON.
    public var member: JSON? { .bool(self) }
}

extension Array: JSONMember where Element: Codable {
    /// An empty array.
    public static var absent: [Element] { [] }

    /// Reads an array; nil if any element is of another type.
    public init?(member: JSON) {
        guard let array = member.array else { return nil }
        self = []
        reserveCapacity(array.count)
        for element in array {
            guard let element: Element = MemberCoding.read(element) else { return nil }
            append(element)
        }
    }

    /// The array as JSON; nil if JSON can't represent an element.
    public var member: JSON? {
        var elements: [JSON] = []
        elements.reserveCapacity(count)
        for element in self {
            guard let json = MemberCoding.write(element) else { return nil }
            elements.append(json)
        }
        return .array(elements)
    }
}

/// The coding of members of any type: directly for a ``JSONMember``, else by `Codable`.
enum MemberCoding {
    static func read<Value: Decodable>(_ json: JSON?) -> Value? {
        guard let json else { return nil }
        guard let type = Value.self as? any JSONMember.Type else {
            return try? json.decode(Value.self)
        }
        return type.init(member: json) as? Value
    }

    static func write<Value: Encodable>(_ value: Value?) -> JSON? {
        guard let value else { return nil }
        guard let member = value as? any JSONMember else { return try? JSON(encoding: value) }
        return member.member
    }
}
