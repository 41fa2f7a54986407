import Glibc

/// The text that a server prints after its start.
package enum Banner {
    /// Returns the URLs, the routes and the examples of a server.
    package static func text(
        _ running: RunningServer,
        of server: Server,
        examples: [String] = []
    ) -> String {
        let isSecure = server.configuration.tls != nil
        let curl = curl(running, isSecure)
        var lines = ["Plugboard serves at " + running.urls.joined(separator: ", ")]
        if let fingerprint = running.developmentFingerprint {
            lines.append("with a self-signed certificate, SHA-256 " + fingerprint)
        }
        for address in running.operationsURLs {
            lines.append("with its metrics at \(address)/metrics")
        }
        if let address = running.consoleURL { lines.append("with its console at \(address)") }
        lines.append("")
        lines += routes(server).map { "    " + $0 } + [""]
        let isUnpublished = server.awaitsDocument && running.parts.isUnpublished
        if isUnpublished { lines += nextStep(running, of: server) + [""] }
        let hasDocument = server.servesDocument && !isUnpublished
        let examples = (hasDocument ? ["/behaviors.json"] : []) + examples
        if !examples.isEmpty {
            lines += ["Try:"] + examples.map { "    \(curl)\($0)" } + [""]
        }
        return lines.joined(separator: "\n")
    }

    /// The commands that publish the first document.
    private static func nextStep(_ running: RunningServer, of server: Server) -> [String] {
        let configuration = server.configuration
        let store =
            configuration.ownDataFolder.map { "--data \($0)" } ?? "--database URL"
        let address = running.urls.first ?? ""
        return [
            "No behavior document is live. Publish one:",
            "    export PLUGBOARD_TOKEN=$(plugboard token create \(store) --scope behaviors:write)",
            "    plugboard behaviors publish FILE --url \(address)",
        ]
    }

    /// One line of the log with the server's addresses.
    package static func line(_ running: RunningServer) -> String {
        var parts = ["Plugboard serves at " + running.urls.joined(separator: ", ")]
        if let fingerprint = running.developmentFingerprint {
            parts.append("self-signed certificate, SHA-256 " + fingerprint)
        }
        parts += running.operationsURLs.map { "metrics at \($0)/metrics" }
        if let address = running.consoleURL { parts.append("console at \(address)") }
        return parts.joined(separator: ", ")
    }

    private static func curl(_ running: RunningServer, _ isSecure: Bool) -> String {
        let address = running.urls.first ?? ""
        let curl = running.developmentFingerprint == nil ? "curl -i" : "curl -ik"
        guard address.hasPrefix("unix:") else { return "\(curl) \(address)" }
        let scheme = isSecure ? "https" : "http"
        return "\(curl) --unix-socket \(address.dropFirst(5)) \(scheme)://localhost"
    }

    /// A line for each route: method, path, name.
    package static func routes(_ server: Server) -> [String] {
        let rows = routeRows(server)
        let width = rows.map(\.route.count).max() ?? 0
        return rows.map { route, name in
            route + String(repeating: " ", count: width - route.count + 2) + name
        }
    }

    /// The routes, each with its method, path and name.
    package static func routeRows(_ server: Server) -> [(route: String, name: String)] {
        var rows: [(route: String, name: String)] = []
        if server.servesDocument {
            rows.append(("GET /behaviors.json", "the behavior document"))
        }
        return rows + server.actions.map { ($0.route, $0.name) }
    }

    /// Prints the text; a server goes on without it.
    static func print(_ running: RunningServer, of server: Server) {
        let bytes = Array((text(running, of: server) + "\n").utf8)
        bytes.withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

extension Server {
    /// Whether the server has the route of the behavior document.
    fileprivate var servesDocument: Bool { behaviorsPath != nil || awaitsDocument }
}
