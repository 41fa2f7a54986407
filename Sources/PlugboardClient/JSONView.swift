public import JSONCodec

/// A typed view of raw JSON: properties for the members that a caller needs, over all that came.
///
/// ```swift
/// struct ResponseUser: JSONView {
///     var json: JSON
///     var username: String {
///         get { self["username"] }
///         set { self["username"] = newValue }
///     }
///     var nickname: String? { self["nickname"] }
///     var plan: String { self["plan", default: "free"] }
/// }
/// let renamed = user.setting(\.username, to: "ada")
/// ```
/// Members that the view doesn't name stay in ``json`` and survive each change. A member that is
/// missing, null or of another type never stops a program: it is nil for a property that is
/// optional, the `default:` where there is one, and otherwise what ``JSONMember/absent`` says (an
/// empty text, zero, false, an empty array, a view of an empty object).
public protocol JSONView: JSONMember, Sendable {
    /// The value as it came.
    var json: JSON { get set }

    /// A view of a value.
    init(json: JSON)
}

extension JSONView {
    /// A view of what is decoded, whole.
    public init(from decoder: any Decoder) throws {
        self.init(json: try JSON(from: decoder))
    }

    /// Encodes the value as it came.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }

    /// A view within a view: any object will do.
    public init?(member: JSON) {
        guard case .object = member else { return nil }
        self.init(json: member)
    }

    /// The value itself.
    public var member: JSON? { json }

    /// A view of an empty object.
    public static var absent: Self { Self(json: .object(JSON.Object())) }

    /// A member, and what ``JSONMember/absent`` says where it is missing or of another type.
    public subscript<Member: JSONMember>(name: String) -> Member {
        get { MemberCoding.read(json[name]) ?? Member.absent }
        set { self[json: name] = newValue.member }
    }

    /// A member, nil where it is missing or of another type; setting nil removes it.
    public subscript<Member: Codable>(name: String) -> Member? {
        get { MemberCoding.read(json[name]) }
        set { self[json: name] = MemberCoding.write(newValue) }
    }

    /// A member, and a value in its stead where it is missing or of another type.
    public subscript<Member: Codable>(
        name: String,
        default value: @autoclosure () -> Member
    ) -> Member {
        get { MemberCoding.read(json[name]) ?? value() }
        set { self[json: name] = MemberCoding.write(newValue) }
    }

    /// A new view in which one property has another value and all else is as it was.
    public func setting<Value>(
        _ property: WritableKeyPath<Self, Value>,
        to value: Value
    ) -> Self {
        var changed = self
        changed[keyPath: property] = value
        return changed
    }

    /// A member as JSON; setting one makes an object of what was none.
    private subscript(json name: String) -> JSON? {
        get { json[name] }
        set {
            if json.object == nil { json = .object(JSON.Object()) }
            json[name] = newValue
        }
    }
}
