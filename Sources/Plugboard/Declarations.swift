import Plug
package import PlugHTTP

/// What an action's type declares beside its route and its values.
package struct Declarations: Sendable {
    /// What its callers need; nil where everybody may call it.
    package var scopes: Scopes?
    /// The input's members that are the caller.
    private(set) var callers: CallerMembers?
    /// How often each may call it.
    package var rateLimit: RateLimit?
    /// Whether its requests need an `Idempotency-Key`.
    package var needsKey = false
    /// Whether an `Idempotency-Key` is the business of the actions that it performs.
    var leavesKeyToItems = false
    /// Whether its answers hold a secret, which nobody is to keep.
    package var isConfidential = false
    /// Whether its answers have entity tags.
    package var isTagged = false
    /// Whether it sees to `If-Match` and `If-None-Match` itself.
    var heedsConditions = false
    /// Whether what its input doesn't have is refused (``ExactMembers``).
    private(set) var isExact = false
    /// Since when it shouldn't be used.
    package var deprecation: Deprecation?

    /// What its callers need, where they have to be known: for that, or for its input.
    package var neededScopes: Scopes? { scopes ?? (callers?.isNeeded == true ? [] : nil) }

    /// Nothing.
    init() {}

    /// What is known of a server's own action without asking: its scopes, and nothing else.
    init<A: Scoped>(own action: A.Type) {
        scopes = A.scopes
        isExact = true
    }

    /// Asks the type, once: a server keeps the answer.
    init(_ action: any ActionProtocol.Type, callers: CallerMembers? = nil) {
        self.callers = callers
        leavesKeyToItems = action is Batch.Type
        // Each look for a conformance that isn't there goes through all that the program has.
        guard let governed = action as? any Governed.Type else { return }
        scopes = (governed as? any Scoped.Type)?.scopes
        rateLimit = (governed as? any RateLimited.Type)?.rateLimit
        needsKey = governed is any OncePerKey.Type
        isConfidential = governed is any Confidential.Type
        isTagged = governed is any Tagged.Type
        deprecation = (governed as? any Deprecated.Type)?.deprecation
    }
}
