package import BehaviorStore
package import HTTPServer
import Identity
import Locking
import Telemetry

/// A server whose sockets are open.
package struct RunningServer: Sendable {
    package let server: HTTPServer
    /// The public files; nil without a public folder.
    let files: PublicFiles?
    package let behaviors: BehaviorFile?
    /// The documents that callers author while it runs; nil without a store.
    package let authored: BehaviorDocuments?
    package let tls: TLSFiles?
    /// The operations port.
    ///
    /// It responds until the server has drained.
    package let operations: HTTPServer?
    /// The data folder; nil if the server has none.
    package let data: DataFolder?
    /// The verifier of JSON Web Tokens; nil if the server accepts none.
    let webTokens: WebTokenVerifier?
    /// The administration of plugs; nil without a data folder.
    let plugs: PlugAdministration?
    let metrics: ServerMetrics
    /// The routes of all exposed actions.
    let routes: Once<RouteTable>
    let readiness: ReadinessState
    package var addresses: [SocketAddress] { server.addresses }

    var urls: [String] {
        addresses.map { $0.description(scheme: tls == nil ? "http" : "https") }
    }

    /// Stops accepting connections and completes the requests in flight.
    package func drain() {
        readiness.drain()
        Systemd.notify(.stopping)
        server.drain()
    }

    /// Closes the operations port, which reports the draining to its end.
    package func endOperations() async {
        operations?.drain()
        await operations?.waitUntilStopped()
    }
}
