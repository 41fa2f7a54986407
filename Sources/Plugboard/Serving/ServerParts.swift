package import BehaviorStore
import Digests
package import HTTPServer
import Identity
import Locking
import Telemetry

/// The files, stores and routes of a server, without its sockets.
package struct ServerParts: Sendable {
    /// The tokens, plugs and their audit; nil without a store.
    package let administration: Administration?
    /// Applies other processes' changes of them.
    let follower: AdministrationFollower?
    /// The verifier of JSON Web Tokens; nil if the server accepts none.
    let webTokens: WebTokenVerifier?
    /// The verifiers of other issuers' tokens.
    let otherIssuers: [WebTokenVerifier]
    /// Identifies callers; nil if the server accepts no credentials.
    let callers: Access?
    /// The administration of plugs; nil without a store.
    let plugs: PlugAdministration?
    /// The signed-in browsers; nil without a console.
    let sessions: ConsoleSessions?
    /// The file of the behavior document; nil without one.
    package let behaviors: BehaviorFile?
    /// The documents that callers author while the server runs; nil without a store.
    package let authored: BehaviorDocuments?
    /// The documents that are served; nil for none.
    let live: LiveBehaviors?
    /// The public files; nil without a public folder.
    let files: PublicFiles?
    /// The certificates; nil without TLS.
    package let tls: TLSFiles?
    /// The key that signs the audits' last rows; nil for no signature.
    let auditKey: SigningKey?
    let readiness: ReadinessState
    /// The routes of all exposed actions, including the server's own.
    let routes: Once<RouteTable>
    /// The routes of the operations port.
    let operationsRoutes: Once<RouteTable>
    /// The policy for actions without one.
    let general: ActionPolicy
    let metrics: ServerMetrics
    /// Creates one loop's responder, for the addresses of the open sockets.
    let makeResponder: @Sendable ([SocketAddress]) -> any Responder
}

extension ServerParts {
    /// Whether callers may publish a first document at `/behaviors.json`, which is missing.
    var isUnpublished: Bool {
        guard let authored, authored.isWaiting == false else { return false }
        return live?[LiveBehaviors.defaultName] == nil
    }

    /// The verifiers of all issuers' tokens.
    var verifiers: [WebTokenVerifier] { [webTokens].compactMap(\.self) + otherIssuers }
}
