import Logging
import Plugboard
import Settings

/// The options of `serve` for metrics and logs.
enum OperationsOptions: OptionSection {
    static let title = "Operation"

    static let options = [
        ServeOption(
            "metrics-port",
            \.metrics.port,
            default: "9464 if it is free",
            help: """
                The port of /metrics, /healthz and /readyz; 0 lets the system choose one, "off" \
                disables it.
                """
        ),
        ServeOption("metrics-host", \.metrics.host, help: "The address of the operations port."),
        ServeOption(
            "access-log",
            \.logs.share,
            help: """
                Logs requests as lines of JSON on standard output: off, all, or a share such as \
                1/100 and all with a status of 500 or more.
                """
        ),
        ServeOption(
            "log-level",
            \.logs.level,
            help: "The lowest level that is logged: trace, debug, info, … critical."
        ),
        ServeOption(
            "log-format",
            \.logs.format,
            help: "The format of the log on standard error: text or json."
        ),
        ServeOption(
            "audit-head",
            \.auditHead.path,
            value: "file",
            help: """
                A file that gets the last rows of the audits after each change, for audit verify \
                --head.
                """
        ),
        ServeOption(
            "audit-key",
            \.auditHead.key,
            value: "file",
            help: "The PEM file of the Ed25519 private key that signs --audit-head."
        ),
        ServeOption(
            "server-timing",
            \.server.serverTiming,
            help: """
                Adds the server's time for each response to it, as Server-Timing. For debugging only: \
                all clients see it.
                """
        ),
    ]

    /// Sets the audits' file, the access log and the metrics' address; without its options the
    /// server's own stays.
    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        if let path = values.auditHead.path {
            values.server.auditHead = Server.Configuration.AuditHead(
                path: path,
                key: values.auditHead.key
            )
        } else if values.auditHead.key != nil {
            settings.reject("audit-key", "needs --audit-head")
        }
        values.logs.setsAccessLog = !settings.isDefault("access-log")
        let metrics = values.metrics
        var operations = Server.Configuration.Operations()
        operations.host = metrics.host
        if case .port(let port) = metrics.port { operations.port = port }
        // The server starts even if the default port is in use, as on a developer's machine.
        operations.isOptional = metrics.port == nil
        let isSet = !settings.isDefault("metrics-port") || !settings.isDefault("metrics-host")
        if isSet || values.server.operations == nil {
            values.server.operations = metrics.port == .off ? nil : operations
        }
    }
}
