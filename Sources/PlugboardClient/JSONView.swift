public import JSONCodec

/// A typed view of raw JSON, with properties for the members that a caller needs.
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
/// Other members stay in ``json`` and survive each change. A member that is missing, null or of
/// another type is never an error. An optional property is then nil, and a property with `default:`
/// has that value. Any other property has its type's ``JSONMember/absent``: an empty text, zero,
/// false, an empty array, or a view of an empty object.
public protocol JSONView: JSONMember, Sendable {
    /// The underlying value, with all of its members.
    var json: JSON { get set }

    /// Creates a view of a value.
    init(json: JSON)
}

extension JSONView {
    /// Decodes a value with all of its members.
    public init(from decoder: any Decoder) throws {
        self.init(json: try JSON(from: decoder))
    }

    /// Encodes the value with all of its members.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }

    /// Creates a view within a view, from any object.
    public init?(member: JSON) {
        guard case .object = member else { return nil }
        self.init(json: member)
    }

    /// The underlying value.
    public var member: JSON? { json }

    /// A view of an empty object.
    public static var absent: Self { Self(json: .object(JSON.Object())) }

    /// A member; ``JSONMember/absent`` if it is missing or of another type.
    public subscript<Member: JSONMember>(name: String) -> Member {
        get { MemberCoding.read(json[name]) ?? Member.absent }
        set { self[json: name] = newValue.member }
    }

    /// A member, nil if it is missing or of another type; setting nil removes it.
    public subscript<Member: Codable>(name: String) -> Member? {
        get { MemberCoding.read(json[name]) }
        set { self[json: name] = MemberCoding.write(newValue) }
    }

    /// A member; the default if it is missing or of another type.
    public subscript<Member: Codable>(
        name: String,
        default value: @autoclosure () -> Member
    ) -> Member {
        get { MemberCoding.read(json[name]) ?? value() }
        set { self[json: name] = MemberCoding.write(newValue) }
    }

    /// Returns a copy of the view with one property changed.
    public func setting<Value>(
        _ property: WritableKeyPath<Self, Value>,
        to value: Value
    ) -> Self {
        var changed = self
        changed[keyPath: property] = value
        return changed
    }

    /// A member as JSON; setting one replaces a value that isn't an object by an object.
    private subscript(json name: String) -> JSON? {
        get { json[name] }
        set {
            if json.object == nil { json = .object(JSON.Object()) }
            json[name] = newValue
        }
    }
}
