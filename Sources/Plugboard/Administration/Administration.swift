package import AdministrationStore
package import Identity
import PlugHTTP

/// A server's tokens, plugs and their audit, in one store.
///
/// Nothing is opened before it is used.
package struct Administration: Sendable {
    /// The store.
    package let backend: any AdministrationBackend
    /// The bearer tokens.
    package let tokens: TokenStore
    /// The plugs that were set while the server ran.
    package let plugs: PlugStore
    /// The rejected tokens.
    let rejections = RejectedCredentials()

    /// Makes the administration of a store; its tokens also have the scopes that `implied` adds.
    init(_ backend: any AdministrationBackend, implied: ImpliedScopes = ImpliedScopes()) {
        self.backend = backend
        tokens = TokenStore(backend, implied: implied)
        plugs = PlugStore(backend)
    }
}

extension AdministrationError: ProblemConvertible {
    /// The client's error, which leaves out the store's address.
    package var problem: Problem {
        switch self {
        case .unavailable:
            .serviceUnavailable(
                "the tokens and plugs can't be read or written now; the server's log says why"
            )
        case .busy: .serviceUnavailable("too many concurrent writes; retry later")
        }
    }
}
