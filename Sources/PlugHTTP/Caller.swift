import JSONCodec

/// Who calls an action: whom a server has made out by what came with the request.
///
/// ```swift
/// DeletePhoto.self <~ { photo in
///     log("\(Caller.current?.name ?? "somebody") deletes photo \(photo.id)")
///     …
/// }
/// ```
public struct Caller: Sendable, Hashable {
    /// The caller of the action that the current task performs; nil where nobody was asked who they
    /// are: the action isn't ``Scoped``, or it isn't called over the network.
    ///
    /// A test makes one with `Caller.$current.withValue(…)`.
    @TaskLocal public static var current: Caller?

    /// What tells the caller from others, the same at each call: the number of a token.
    public let id: String
    /// The name that people have given it.
    public let name: String
    /// What it may do.
    public let scopes: Scopes

    /// A caller of that identity.
    public init(id: String, name: String = "", scopes: Scopes = []) {
        self.id = id
        self.name = name
        self.scopes = scopes
    }
}

/// A caller is in no document: whoever is called says who it is.
///
/// An action asks for it in its input:
/// ```swift
/// class DeletePhoto: Action<DeletePhoto.Input, Void>, DELETE {
///     struct Input: Codable, Sendable { var id: Int; var caller: Caller }
///     static var path: String { "/photos/{id}" }
/// }
/// ```
/// A server fills that member with whom it has made out, whatever path, query and body say of it, and
/// answers 401 where that is nobody; where it is a `Caller?` everybody may call, and who shows
/// something is made out. A client sends nothing of it.
extension Caller: Codable {
    /// The caller of the action that the current task performs; nothing of the document is read.
    ///
    /// - Throws: `DecodingError` where nobody calls.
    public init(from decoder: any Decoder) throws {
        if SuppliedValue.isFollowed(by: decoder) {
            self.init(id: "")
        } else if let caller = Caller.current {
            self = caller
        } else {
            throw DecodingError.valueNotFound(
                Caller.self,
                .init(codingPath: decoder.codingPath, debugDescription: "nobody calls")
            )
        }
    }

    /// Leaves the caller out; null where that can't be done.
    public func encode(to encoder: any Encoder) throws {
        try SuppliedValue.leaveOut(of: encoder)
    }
}
