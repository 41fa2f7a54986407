public import JSONCodec

/// A typed view of raw JSON: it checks the members that it names and converts nothing else.
///
/// ```swift
/// struct ResponseUser: JSONView {
///     static let username = ViewKey<String>("username")        // required
///     static let identifier = ViewKey<Int>("id")               // renamed
///     static let nickname = ViewKey<String?>("nickname")       // may be missing or null
///     static let plan = ViewKey("plan", default: "free")
///     static let keys: [any AnyViewKey] = [username, identifier, nickname, plan]
///
///     var content: ViewContent
///     var username: String {
///         get { self[Self.username] }
///         set { self[Self.username] = newValue }
///     }
///     var identifier: Int { self[Self.identifier] }
/// }
/// let user = try ResponseUser(content)          // or client.get("/users/7")
/// let renamed = user.setting(\.username, to: "ada")
/// ```
/// A view is made of an object whose named members have their types; else it throws ``ViewError``.
/// Other members stay in ``content`` and survive each change. Printing shows the received text.
public protocol JSONView: ViewMember, Codable, Hashable, CustomStringConvertible {
    /// The members that the view reads.
    static var keys: [any AnyViewKey] { get }

    /// The JSON, with all of its members.
    var content: ViewContent { get set }

    /// Creates a view without a check; use ``init(_:)`` or ``lenient(_:)``.
    init(content: ViewContent)
}

/// A view that is read in spite of its problems.
public struct Lenient<View: JSONView>: Decodable, Sendable {
    /// The view; members with a problem have their default or their type's replacement.
    public var view: View
    /// The problems; none if the view is whole.
    public var problems: [JSONTypeError]

    /// Decodes a view with its problems: `client.get(path, as: Lenient<ResponseUser>.self)`.
    public init(from decoder: any Decoder) throws {
        self = View.lenient(try ViewContent(from: decoder))
    }

    init(view: View, problems: [JSONTypeError]) {
        self.view = view
        self.problems = problems
    }
}

extension JSONView {
    /// Creates a view and checks its members.
    ///
    /// - Throws: all problems, with their JSON Pointers, the expected and the found types.
    public init(_ content: ViewContent) throws(ViewError) {
        let problems = Self.problems(of: content)
        guard problems.isEmpty else { throw ViewError(problems: problems) }
        self.init(content: content)
    }

    /// Creates a view of a value that the app makes, and checks its members.
    ///
    /// - Throws: all problems, with their JSON Pointers, the expected and the found types.
    public init(json: JSON) throws(ViewError) { try self.init(ViewContent(json)) }

    /// Returns a view of any JSON, and lists its problems.
    public static func lenient(_ content: ViewContent) -> Lenient<Self> {
        Lenient(view: Self(content: content), problems: problems(of: content))
    }

    /// The whole value, with all of its members.
    public var json: JSON { content.json }

    /// The changes since the view was made, as a Merge Patch (RFC 7396); nil if none expresses them.
    public var mergePatch: JSON? { content.mergePatch }

    /// A member's value.
    public subscript<Value: ViewMember>(key: ViewKey<Value>) -> Value {
        get { key.value(in: content) }
        set {
            switch newValue.change {
            case .set(let json): content.set(key.name, to: json)
            case .remove: content.set(key.name, to: nil)
            case .leave: break
            }
        }
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
}

// MARK: A member of another view

extension JSONView {
    /// Returns the problems of the view's members.
    public static func problems(of content: ViewContent?) -> [JSONTypeError] {
        guard let content, content.kind == .object else {
            return ViewContent.problem("an object", content)
        }
        var problems: [JSONTypeError] = []
        for key in keys { problems += key.problems(in: content) }
        return problems
    }

    /// Returns a view of an object; nil for another value.
    public static func read(_ content: ViewContent?) -> Self? {
        guard let content, content.kind == .object else { return nil }
        return Self(content: content)
    }

    /// A view of an empty object.
    public static var replacement: Self { Self(content: ViewContent(.object([:]))) }

    /// Sets the whole value.
    public var change: ViewChange { .set(json) }
}

// MARK: Codable and printing

extension JSONView {
    /// Decodes and checks a view; pointers begin at the document's root.
    public init(from decoder: any Decoder) throws {
        let content = try ViewContent(from: decoder)
        let problems = Self.problems(of: content)
        guard problems.isEmpty else {
            let base = JSONPointer.text(decoder.codingPath)
            throw ViewError(
                problems: problems.map {
                    JSONTypeError(pointer: base + $0.pointer, message: $0.message)
                }
            )
        }
        self.init(content: content)
    }

    /// Encodes the value with all of its members.
    public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }

    /// The received text, or the JSON after changes.
    public var description: String { content.description }
}
