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
