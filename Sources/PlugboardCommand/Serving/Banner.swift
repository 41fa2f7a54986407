import Glibc
import Plugboard

/// The text that `serve` prints after the start.
enum Banner {
    static func print(
        _ running: RunningServer,
        of server: Server,
        examples: [String]
    ) {
        let isSecure = server.configuration.tls != nil
        let curl = curl(running, isSecure)
        var lines = ["Plugboard serves at " + running.urls.joined(separator: ", ")]
        if let fingerprint = running.developmentFingerprint {
            lines.append("with a self-signed certificate, SHA-256 " + fingerprint)
        }
        for address in running.operationsURLs {
            lines.append("with its metrics at \(address)/metrics")
        }
        lines.append("")
        lines += routes(server).map { "    " + $0 } + [""]
        let examples = (server.behaviorsPath == nil ? [] : ["/behaviors.json"]) + examples
        if !examples.isEmpty {
            lines += ["Try:"] + examples.map { "    \(curl)\($0)" } + [""]
        }
        Output.announce(lines.joined(separator: "\n"))
    }

    private static func curl(_ running: RunningServer, _ isSecure: Bool) -> String {
        let address = running.urls.first ?? ""
        let curl = running.developmentFingerprint == nil ? "curl -i" : "curl -ik"
        guard address.hasPrefix("unix:") else { return "\(curl) \(address)" }
        let scheme = isSecure ? "https" : "http"
        return "\(curl) --unix-socket \(address.dropFirst(5)) \(scheme)://localhost"
    }

    /// A line for each route: method, path, name.
    static func routes(_ server: Server) -> [String] {
        var rows: [(String, String)] = []
        if server.behaviorsPath != nil {
            rows.append(("GET /behaviors.json", "the behavior document"))
        }
        rows += server.actions.map { ($0.route, $0.name) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { route, name in
            route + String(repeating: " ", count: width - route.count + 2) + name
        }
    }
}
