import Plug
package import PlugHTTP

/// What an action's type declares beside its route and its values.
package struct Declarations: Sendable {
    /// What its callers need; nil where everybody may call it.
    package var scopes: Scopes?

    /// Asks the type, once: a server keeps the answer.
    init(_ action: any ActionProtocol.Type) {
        // Each look for a conformance that isn't there goes through all that the program has.
        guard let governed = action as? any Governed.Type else { return }
        scopes = (governed as? any Scoped.Type)?.scopes
    }
}
