import HTTPServer
import Logging
import System
import Telemetry

extension Server {
    /// Checks the configuration, opens the sockets and starts the loops.
    ///
    /// - Throws: ``StartError`` with everything that is missing or wrong.
    package func start() throws -> RunningServer {
        Descriptors.openStandard()
        let parts = try open()
        do {
            let auditLock = try lockAuditHead()
            let sockets = configuration.acceptsSystemdSockets ? try Systemd.takeSockets() : []
            let http = try HTTPServer(
                address: configuration.address,
                sockets: sockets.filter { $0.name != Self.operationsSocket }.map(\.descriptor),
                configuration: configuration.http,
                tls: parts.tls?.context,
                logger: logger,
                makeResponder: parts.makeResponder
            )
            do {
                let operations = try openOperations(parts, sockets)
                // The public port first: clients wait for it.
                try http.start()
                try operations?.start()
                return RunningServer(
                    server: self,
                    parts: parts,
                    http: http,
                    operations: operations,
                    auditLock: auditLock
                )
            } catch {
                http.drain()
                throw error
            }
        } catch {
            throw StartError(problems: ["\(error)"], isUnavailable: true)
        }
    }
}
