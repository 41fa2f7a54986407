import Plug
package import PlugHTTP

/// The declarations of an action's type, other than its route and its values.
package struct Declarations: Sendable {
    /// The scopes that its callers need; nil if everybody may call it.
    package var scopes: Scopes?
    /// The input's members that contain the caller.
    private(set) var callers: CallerMembers?
    /// Whether its caller is identified, though everybody may call it.
    var identifiesCallers = false
    /// The rate limit per caller or address.
    package var rateLimit: RateLimit?
    /// Whether its requests need an `Idempotency-Key`.
    package var needsKey = false
    /// Whether the actions that it performs handle the `Idempotency-Key`.
    var delegatesKeyToItems = false
    /// Whether its responses contain a secret; they are then never stored.
    package var isConfidential = false
    /// Whether its responses have entity tags.
    package var isTagged = false
    /// Whether it evaluates `If-Match` and `If-None-Match` itself.
    var evaluatesConditions = false
    /// Whether its body may be a form, which browsers send for any page without asking first.
    var acceptsForms = true
    /// Whether unknown members of its input are rejected.
    private(set) var isExact = true
    /// Whether it is one of the server's own actions.
    var isOwn = false
    /// Its deprecation; nil if it is current.
    package var deprecation: Deprecation?

    /// The scopes of its callers, if it needs a known caller: for its scopes or for its input.
    package var neededScopes: Scopes? { scopes ?? (callers?.isNeeded == true ? [] : nil) }

    /// No declarations.
    init() {}

    /// The scopes of one of the server's own actions, which need no conformance lookup.
    init<A: Scoped>(own action: A.Type) {
        scopes = A.scopes
        acceptsForms = false
        isOwn = true
    }

    /// Reads the type's declarations; the server calls this once per action.
    init(_ action: any ActionProtocol.Type, callers: CallerMembers? = nil) {
        self.callers = callers
        // A failed conformance lookup searches the whole program: one lookup covers all of these.
        guard let governed = action as? any DeclaresPolicy.Type else { return }
        scopes = (governed as? any Scoped.Type)?.scopes
        rateLimit = (governed as? any RateLimited.Type)?.rateLimit
        needsKey = governed is any RequiresIdempotencyKey.Type
        isConfidential = governed is any Confidential.Type
        isExact = !(governed is any IgnoresUnknownMembers.Type)
        isTagged = governed is any HasEntityTag.Type
        deprecation = (governed as? any Deprecated.Type)?.deprecation
    }
}
