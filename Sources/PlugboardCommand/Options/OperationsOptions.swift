import ArgumentParser
import Logging
import Plugboard
import Settings

/// The options of `serve` for metrics and logs.
struct OperationsOptions: ParsableArguments {
    private static let metricsPort =
        Setting<MetricsPort?>("metrics-port", default: nil, defaultText: "9464 if it is free")

    @Option(
        metricsPort,
        """
        The port of /metrics, /healthz and /readyz; 0 lets the system choose one, "off" disables it.
        """
    )
    var metricsPort: String?

    private static let metricsHost = Setting("metrics-host", default: "127.0.0.1")

    @Option(metricsHost, "The address of the metrics port.")
    var metricsHost: String?

    private static let accessLog = Setting<AccessShare>("access-log", default: .off)

    @Option(
        accessLog,
        """
        Logs requests as lines of JSON on the standard output: off, all, or a share such as 1/100 \
        and all with a status of 500 or more.
        """
    )
    var accessLog: String?

    private static let logLevel = Setting<Logger.Level>("log-level", default: .info)

    @Option(logLevel, "The lowest level that is logged: trace, debug, info, … critical.")
    var logLevel: String?

    private static let logFormat = Setting<Logs.Format>("log-format", default: .text)

    @Option(logFormat, "The format of the log on the standard error: text or json.")
    var logFormat: String?

    private static let serverTiming = Setting("server-timing", default: false)

    @Flag(
        serverTiming,
        """
        Adds the server's time for each response to it, as Server-Timing. For debugging only: \
        all clients see it.
        """
    )
    var serverTiming: Bool?

    /// Reads the metrics' address into `configuration`, and returns the settings of the logs.
    static func read(
        _ options: Self?,
        _ settings: SettingsReader,
        into configuration: inout Server.Configuration
    ) -> Logs {
        var operations = Server.Configuration.Operations()
        let port = settings.value(of: metricsPort, options?.metricsPort)
        operations.host = settings.value(of: metricsHost, options?.metricsHost)
        if case .port(let port) = port { operations.port = port }
        // The server starts even if the default port is in use, as on a developer's machine.
        operations.isOptional = port == nil
        let isSet = !settings.isDefault("metrics-port") || !settings.isDefault("metrics-host")
        if isSet || configuration.operations == nil {
            configuration.operations = port == .off ? nil : operations
        }
        configuration.serverTiming = settings.value(
            of: serverTiming,
            configuration.serverTiming,
            options?.serverTiming
        )
        return Logs(
            share: settings.value(of: accessLog, options?.accessLog),
            level: settings.value(of: logLevel, options?.logLevel),
            format: settings.value(of: logFormat, options?.logFormat),
            setsAccessLog: !settings.isDefault("access-log")
        )
    }

    enum MetricsPort: LosslessStringConvertible, SettingValue, Equatable {
        static let form = SettingForm.numberOrString
        static let expected = "a number from 0 to 65535 or \"off\""

        case off
        case port(UInt16)

        init?(_ text: String) {
            guard let value = text == "off" ? .off : UInt16(text).map(Self.port) else { return nil }
            self = value
        }

        var description: String { if case .port(let port) = self { "\(port)" } else { "off" } }
    }

    /// The share of requests that are logged: one of `every`.
    struct AccessShare: LosslessStringConvertible, SettingValue {
        static let form = SettingForm.string
        static let expected = "\"off\", \"all\" or a part such as \"1/100\""
        static let off = AccessShare(every: 0)

        /// 0 for none.
        let every: Int

        private init(every: Int) { self.every = every }

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
}

extension Logger.Level: SettingValue {}
