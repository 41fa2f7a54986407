public import CoreMetrics
import HTTPServer
import HTTPSyntax
import Locking
import Logging
import Telemetry

extension Server {
    /// The name of the operations socket in systemd's socket activation.
    static let operationsSocket = "metrics"

    /// Opens the operations port, if configured.
    func openOperations(
        _ parts: ServerParts,
        _ sockets: [Systemd.Socket]
    ) throws -> HTTPServer? {
        guard let operations = configuration.operations else { return nil }
        let hasOwn = [administration, documentation, batches].contains(.operationsPort)
        var bounds = configuration.http
        bounds.loops = 1
        bounds.connections = 64
        bounds.connectionsPerAddress = nil
        // Probes and Prometheus reach it directly.
        bounds.trustedProxies = TrustedProxies()
        bounds.readsProxyHeaders = false
        do {
            return try HTTPServer(
                address: .tcp(host: operations.host, port: operations.port),
                sockets: sockets.filter { $0.name == Self.operationsSocket }.map(\.descriptor),
                configuration: bounds,
                logger: logger
            ) { [configuration, console = consoleFiles(on: .operationsPort)] addresses in
                OperationsResponder(
                    parts.metrics,
                    probes: ServerResponder(
                        routes: parts.operationsRoutes,
                        general: hasOwn ? parts.general : ActionPolicy(),
                        timeout: hasOwn ? configuration.actionSeconds : nil,
                        files: nil,
                        console: console,
                        behaviors: nil,
                        bodyLimit: hasOwn ? configuration.bodyBytes : 1024,
                        streamLimit: hasOwn ? configuration.streamBytes : 1024,
                        coding: .none,
                        callers: hasOwn ? parts.callers : nil,
                        logger: logger
                    ),
                    gate: gate(host: operations.host, at: addresses, isOperations: true)
                )
            }
        } catch {
            guard operations.isOptional else { throw error }
            logger.warning("the operations port is closed: \(error)")
            return nil
        }
    }
}

extension Server {
    /// The metrics backend that adds the application's metrics to the page at `/metrics`.
    ///
    /// Call `MetricsSystem.bootstrap(Server.metrics)` before the first metric is created.
    ///
    /// Each label is a family, and its dimensions are a series of it. The limit is 500 families
    /// with 500 series each. Any other backend of swift-metrics receives the server's metrics every
    /// ten seconds and when the server stops.
    public static var metrics: any MetricsFactory { MetricsRegistry.shared }
}
