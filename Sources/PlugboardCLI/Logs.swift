import Glibc
import Logging
import Plugboard
import Settings
import Telemetry

/// What is logged, and how.
struct Logs {
    let share: OperationsOptions.AccessShare
    let level: Logger.Level
    let format: Format

    enum Format: String, LosslessStringConvertible, SettingValue, CaseIterable {
        case text, json
    }

    /// Sets up the process' logs, and what the server is told of them.
    ///
    /// Returns what has to be written before the process ends.
    func bootstrap(_ configuration: inout Server.Configuration) throws -> [LogSink] {
        var sinks: [LogSink] = []
        switch format {
        case .text:
            LoggingSystem.bootstrap(
                { [level] label, provider in
                    var handler = StreamLogHandler.standardError(
                        label: label,
                        metadataProvider: provider
                    )
                    handler.logLevel = level
                    return handler
                },
                metadataProvider: .request
            )
        case .json:
            let sink = try LogSink(STDERR_FILENO)
            sinks.append(sink)
            LoggingSystem.bootstrap(
                { [level] label, provider in
                    var handler = JSONLogHandler(label: label, level: level, sink: sink)
                    handler.metadataProvider = provider
                    return handler
                },
                metadataProvider: .request
            )
        }
        guard share.every > 0 else { return sinks }
        let sink = try LogSink(STDOUT_FILENO)
        sinks.append(sink)
        let logger = Logger(label: "plugboard.access") { JSONLogHandler(label: $0, sink: sink) }
        configuration.accessLog = .init(logger: logger, every: share.every)
        return sinks
    }
}
