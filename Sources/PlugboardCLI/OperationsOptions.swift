import ArgumentParser
import CoreMetrics
import Glibc
import Logging
import Plugboard
import Telemetry

/// The options of `serve` for those who operate it: metrics and logs.
struct OperationsOptions: ParsableArguments {
    @Option(
        help: """
            The port of /metrics, /healthz and /readyz; 0 lets the system choose one, "off" is none. \
            (default: 9464 if it is free)
            """
    )
    var metricsPort: MetricsPort?

    @Option(help: "The address of that port. (default: 127.0.0.1)")
    var metricsHost: String?

    @Option(
        help: """
            Which requests get a line of JSON on the standard output: off, all, or a part such as \
            1/100 and all that fail with 500 or more. (default: off)
            """
    )
    var accessLog: AccessShare?

    @Option(help: "The least that is logged: trace, debug, info, … critical. (default: info)")
    var logLevel: LogLevel?

    @Option(help: "The log's lines, on the standard error: text or json. (default: text)")
    var logFormat: LogFormat?

    enum MetricsPort: ExpressibleByArgument, LosslessStringConvertible {
        case off
        case port(UInt16)

        init?(argument: String) { self.init(argument) }

        init?(_ text: String) {
            if text == "off" {
                self = .off
            } else if let port = UInt16(text) {
                self = .port(port)
            } else {
                return nil
            }
        }

        var description: String {
            switch self {
            case .off: "off"
            case .port(let port): String(port)
            }
        }
    }

    /// One of how many requests.
    struct AccessShare: ExpressibleByArgument, LosslessStringConvertible {
        /// 0 for none.
        let every: Int

        init?(argument: String) { self.init(argument) }

        init?(_ text: String) {
            switch text {
            case "off": every = 0
            case "all": every = 1
            default:
                guard text.hasPrefix("1/"), let part = Int(text.dropFirst(2)), part >= 1 else {
                    return nil
                }
                every = part
            }
        }

        var description: String { every == 0 ? "off" : every == 1 ? "all" : "1/\(every)" }
    }

    struct LogLevel: ExpressibleByArgument, LosslessStringConvertible {
        let level: Logger.Level

        init(level: Logger.Level) { self.level = level }

        init?(argument: String) { self.init(argument) }

        init?(_ text: String) {
            guard let level = Logger.Level(rawValue: text) else { return nil }
            self.level = level
        }

        var description: String { level.rawValue }
    }

    enum LogFormat: String, ExpressibleByArgument, LosslessStringConvertible, CaseIterable {
        case text, json

        init?(_ description: String) { self.init(rawValue: description) }

        var description: String { rawValue }
    }

    /// Sets up the process' metrics and logs, and what the server is told of them.
    ///
    /// Returns what has to be written before the process ends.
    func apply(to configuration: inout Server.Configuration) throws -> [LogSink] {
        let port = try Environment.resolve(metricsPort, "METRICS_PORT")
        let host = try Environment.resolve(metricsHost, "METRICS_HOST", default: "127.0.0.1")
        var operations = Server.Configuration.Operations()
        operations.host = host
        switch port {
        case .off: configuration.operations = nil
        case .port(let port):
            operations.port = port
            configuration.operations = operations
        case nil:
            // Somebody else's on a developer's machine is no reason not to serve.
            operations.isOptional = true
            configuration.operations = operations
        }
        MetricsSystem.bootstrap(MetricsRegistry.shared)
        return try bootstrapLogs(&configuration)
    }

    private func bootstrapLogs(_ configuration: inout Server.Configuration) throws -> [LogSink] {
        let level = try Environment.resolve(logLevel, "LOG_LEVEL", default: LogLevel(level: .info))
            .level
        let format = try Environment.resolve(logFormat, "LOG_FORMAT", default: LogFormat.text)
        let share = try Environment.resolve(accessLog, "ACCESS_LOG")
        var sinks: [LogSink] = []
        switch format {
        case .text:
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = level
                return handler
            }
        case .json:
            let sink = try LogSink(STDERR_FILENO)
            sinks.append(sink)
            LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: level, sink: sink) }
        }
        guard let share, share.every > 0 else { return sinks }
        let sink = try LogSink(STDOUT_FILENO)
        sinks.append(sink)
        let logger = Logger(label: "plugboard.access") { JSONLogHandler(label: $0, sink: sink) }
        configuration.accessLog = .init(logger: logger, every: share.every)
        return sinks
    }
}
