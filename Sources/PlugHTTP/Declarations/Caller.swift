import JSONCodec

/// The caller of an action, as authenticated by the server.
///
/// ```swift
/// DeletePhoto.self <~ { photo in
///     log("\(Caller.current?.name ?? "somebody") deletes photo \(photo.id)")
///     …
/// }
/// ```
///
/// Two callers are equal if their bytes are: canonical equivalents are different callers.
public struct Caller: Sendable {
    /// The caller of the action that the current task performs.
    ///
    /// Nil if the action isn't ``Scoped``, or if the call didn't come over the network.
    ///
    /// A test sets one with `Caller.$current.withValue(…)`.
    @TaskLocal public static var current: Caller?

    /// The caller's unique, stable identifier, such as a token's number.
    public let id: String
    /// The display name.
    public let name: String
    /// The caller's permissions.
    public let scopes: Scopes

    /// Creates a caller.
    public init(id: String, name: String = "", scopes: Scopes = []) {
        self.id = id
        self.name = name
        self.scopes = scopes
    }
}

extension Caller: Hashable {
    /// Whether both have the same identifier, name and scopes, byte for byte.
    public static func == (left: Caller, right: Caller) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.name.hasSameBytes(as: right.name)
            && left.scopes == right.scopes
    }

    /// Feeds the identifier's bytes to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactName(text: id)) }
}

/// A caller is never part of a document: the server supplies it.
///
/// An action declares it as a member of its input:
/// ```swift
/// class DeletePhoto: Action<DeletePhoto.Input, Void>, DELETE {
///     struct Input: Codable, Sendable { var id: Int; var caller: Caller }
///     static var path: String { "/photos/{id}" }
/// }
/// ```
/// The server fills that member with the authenticated caller, and ignores path, query and body for
/// it. Without a caller it responds with 401. A `Caller?` member is optional: everyone may call,
/// and credentials are verified if the request has them. A client never sends the member.
extension Caller: Codable {
    /// Returns the caller of the current task's action, without reading the document.
    ///
    /// - Throws: `DecodingError` if there is no caller.
    public init(from decoder: any Decoder) throws {
        if SuppliedValue.isFollowed(by: decoder) {
            self.init(id: "")
        } else if let caller = Caller.current {
            self = caller
        } else {
            throw DecodingError.valueNotFound(
                Caller.self,
                .init(codingPath: decoder.codingPath, debugDescription: "no caller")
            )
        }
    }

    /// Omits the caller, or encodes null if the encoder can't omit a value.
    public func encode(to encoder: any Encoder) throws {
        try SuppliedValue.leaveOut(of: encoder)
    }
}
