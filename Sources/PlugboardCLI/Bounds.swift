import ArgumentParser
import Plugboard
import Settings

/// The options of `plugboard serve` that bound what clients may take of it.
struct Bounds: ParsableArguments {
    private static let standard = Server.Configuration()
    private static let sizes = 1...1 << 40
    private static let seconds = 1...86_400

    @Option(
        Setting(
            "connections",
            "The most connections at a time.",
            in: 1...1_000_000,
            default: standard.connections
        )
    )
    var connections: Setting<Int>

    @Option(
        Setting(
            "connections-per-address",
            "The most connections of one address; an IPv6 /64 is one.",
            in: 1...1_000_000,
            defaultText: "no bound"
        )
    )
    var connectionsPerAddress: Setting<Int?>

    @Option(
        Setting(
            "body-limit",
            "The largest request body in bytes; more is 413.",
            in: sizes,
            default: standard.bodyLimit
        )
    )
    var bodyLimit: Setting<Int>

    @Option(
        Setting(
            "body-budget",
            "Bytes of request bodies held at a time; more is 503.",
            in: sizes,
            default: standard.bodyBudget
        )
    )
    var bodyBudget: Setting<Int>

    @Option(
        Setting(
            "compression-threshold",
            "Actions' answers of more bytes go gzip-coded to who takes that, or off.",
            default: Threshold(bytes: standard.compressionThreshold)
        ),
        valueName: "bytes"
    )
    var compressionThreshold: Setting<Threshold>

    @Option(
        Setting(
            "head-timeout",
            "Seconds from a request's first byte to its head's end.",
            in: seconds,
            default: standard.headTimeout
        )
    )
    var headTimeout: Setting<Int>

    @Option(
        Setting(
            "body-timeout",
            "Seconds without progress of a request's body.",
            in: seconds,
            default: standard.bodyTimeout
        )
    )
    var bodyTimeout: Setting<Int>

    @Option(
        Setting(
            "idle-timeout",
            "Seconds that a connection is kept without a request.",
            in: seconds,
            default: standard.idleTimeout
        )
    )
    var idleTimeout: Setting<Int>

    @Option(
        Setting(
            "write-timeout",
            "Seconds without a client's taking any of an answer.",
            in: seconds,
            default: standard.writeTimeout
        )
    )
    var writeTimeout: Setting<Int>

    @Option(
        Setting(
            "drain-timeout",
            "Seconds for requests in flight when the server stops.",
            in: seconds,
            default: standard.drainTimeout
        )
    )
    var drainTimeout: Setting<Int>

    func read(_ settings: SettingsReader, into configuration: inout Server.Configuration) {
        configuration.connections = settings.value(of: connections)
        configuration.connectionsPerAddress = settings.value(of: connectionsPerAddress)
        configuration.bodyLimit = settings.value(of: bodyLimit)
        configuration.bodyBudget = settings.value(of: bodyBudget)
        configuration.compressionThreshold = settings.value(of: compressionThreshold).bytes
        configuration.headTimeout = settings.value(of: headTimeout)
        configuration.bodyTimeout = settings.value(of: bodyTimeout)
        configuration.idleTimeout = settings.value(of: idleTimeout)
        configuration.writeTimeout = settings.value(of: writeTimeout)
        configuration.drainTimeout = settings.value(of: drainTimeout)
    }
}

/// A number of bytes; `off` or 0 for none.
struct Threshold: LosslessStringConvertible, SettingValue {
    static let form = SettingForm.numberOrString
    static let expected = "a number of bytes or \"off\""

    let bytes: Int?

    init(bytes: Int?) { self.bytes = bytes }

    init?(_ text: String) {
        if text == "off" || text == "0" {
            bytes = nil
        } else {
            guard let number = Int(text), number > 0 else { return nil }
            bytes = number
        }
    }

    var description: String { bytes.map(String.init) ?? "off" }
}
