package import BehaviorStore
package import HTTPServer
import Identity
import Locking
import Telemetry

/// A server that has opened its sockets.
package struct RunningServer: Sendable {
    package let server: HTTPServer
    /// The public files; nil without a folder of them.
    let files: PublicFiles?
    package let behaviors: BehaviorFile?
    /// The documents that are authored while it runs; nil where nothing can be kept.
    package let authored: BehaviorDocuments?
    package let tls: TLSFiles?
    /// The operations port.
    ///
    /// It answers until the server has drained.
    package let operations: HTTPServer?
    /// What the server keeps; nil where it keeps nothing.
    package let data: DataFolder?
    /// Whose JSON Web Tokens are taken; nil where none are.
    let webTokens: WebTokenVerifier?
    /// The changing of what its actions are wired to; nil where nothing can be kept.
    let plugs: PlugAdministration?
    let metrics: ServerMetrics
    /// All that is exposed.
    let routes: Once<RouteTable>
    let readiness: ReadinessState
    package var addresses: [SocketAddress] { server.addresses }

    var urls: [String] {
        addresses.map { $0.description(scheme: tls == nil ? "http" : "https") }
    }

    /// Stops taking connections; the requests in flight complete.
    package func drain() {
        readiness.drain()
        ServiceManager.notify(.stopping)
        server.drain()
    }

    /// Closes the operations port, which tells of the draining to its end.
    package func endOperations() async {
        operations?.drain()
        await operations?.waitUntilStopped()
    }
}
