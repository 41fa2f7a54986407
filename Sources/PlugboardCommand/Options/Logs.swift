import Glibc
import Logging
import Plugboard
import Settings
import Telemetry

/// The settings of the log and the access log.
struct Logs {
    var share = AccessShare.off
    var level = Logger.Level.info
    var format = Format.text
    /// Whether `--access-log` replaces the access log that the server sets in code.
    var setsAccessLog = false

    enum Format: String, LosslessStringConvertible, SettingValue, CaseIterable {
        case text, json
    }

    /// Sets up the process's log and the server's access log.
    ///
    /// - Returns: the sinks to flush before the process ends.
    func bootstrap(_ configuration: inout Server.Configuration) throws -> [LogSink] {
        let sink = format == .json ? try LogSink(STDERR_FILENO) : nil
        LoggingSystem.bootstrap(
            { [level] label, provider in
                var handler: any LogHandler =
                    if let sink {
                        JSONLogHandler(label: label, level: level, sink: sink)
                    } else {
                        StreamLogHandler(label: label, stream: TextLogOutput())
                    }
                handler.logLevel = level
                handler.metadataProvider = provider
                return handler
            },
            metadataProvider: .request
        )
        if setsAccessLog { configuration.accessLog = nil }
        if share.every > 0 { configuration.accessLog = try .jsonLines(every: share.every) }
        return [sink].compactMap(\.self)
    }
}

extension Logger.Level: SettingValue {}
