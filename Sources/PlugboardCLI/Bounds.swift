import ArgumentParser
import PlugHTTP
import Plugboard
import Settings

/// The options of `plugboard serve` that bound what clients may take of it.
struct Bounds: ParsableArguments {
    private static let standard = Server.Configuration()
    private static let sizes = 1...1 << 40
    private static let seconds = 1...86_400

    private static let connections =
        Setting("connections", in: 1...1_000_000, default: standard.connections)

    @Option(connections, "The most connections at a time.")
    var connections: String?

    private static let connectionsPerAddress =
        Setting("connections-per-address", in: 1...1_000_000, defaultText: "no bound")

    @Option(connectionsPerAddress, "The most connections of one address; an IPv6 /64 is one.")
    var connectionsPerAddress: String?

    private static let bodyLimit = Setting("body-limit", in: sizes, default: standard.bodyLimit)

    @Option(bodyLimit, "The largest request body in bytes; more is 413.")
    var bodyLimit: String?

    private static let bodyBudget = Setting("body-budget", in: sizes, default: standard.bodyBudget)

    @Option(bodyBudget, "Bytes of request bodies held at a time; more is 503.")
    var bodyBudget: String?

    private static let batchOutputLimit =
        Setting("batch-output-limit", in: sizes, default: standard.batchOutputLimit)

    @Option(batchOutputLimit, "Bytes of all outputs of a batch of actions together.")
    var batchOutputLimit: String?

    private static let compressionThreshold = Setting<Threshold>(
        "compression-threshold",
        default: Threshold(bytes: standard.compressionThreshold)
    )

    @Option(
        compressionThreshold,
        "Actions' answers of more bytes go gzip-coded to who takes that, or off.",
        valueName: "bytes"
    )
    var compressionThreshold: String?

    private static let headTimeout =
        Setting("head-timeout", in: seconds, default: standard.headTimeout)

    @Option(headTimeout, "Seconds from a request's first byte to its head's end.")
    var headTimeout: String?

    private static let bodyTimeout =
        Setting("body-timeout", in: seconds, default: standard.bodyTimeout)

    @Option(bodyTimeout, "Seconds without progress of a request's body.")
    var bodyTimeout: String?

    private static let idleTimeout =
        Setting("idle-timeout", in: seconds, default: standard.idleTimeout)

    @Option(idleTimeout, "Seconds that a connection is kept without a request.")
    var idleTimeout: String?

    private static let writeTimeout =
        Setting("write-timeout", in: seconds, default: standard.writeTimeout)

    @Option(writeTimeout, "Seconds without a client's taking 1 KiB for each of them.")
    var writeTimeout: String?

    private static let actionTimeout =
        Setting("action-timeout", in: seconds, defaultText: "no bound")

    @Option(actionTimeout, "Seconds that an action may take before it is 504.")
    var actionTimeout: String?

    private static let rateLimit =
        Setting("rate-limit", in: 1...1_000_000_000, defaultText: "no bound")

    @Option(rateLimit, "Calls of actions a minute of one caller or address; more is 429.")
    var rateLimit: String?

    private static let drainTimeout =
        Setting("drain-timeout", in: seconds, default: standard.drainTimeout)

    @Option(drainTimeout, "Seconds for requests in flight when the server stops.")
    var drainTimeout: String?

    private static let upgrades = Setting("h2c-upgrade", default: standard.takesUpgrades)

    @Flag(
        upgrades,
        """
        Takes offers to go on in HTTP/2 on the plain port (Upgrade: h2c). Behind a proxy that hands \
        them on they lead past its rules: --no-h2c-upgrade.
        """
    )
    var upgrades: Bool?

    static func read(
        _ options: Self?,
        _ settings: SettingsReader,
        into configuration: inout Server.Configuration
    ) {
        configuration.connections = settings.value(of: connections, options?.connections)
        configuration.connectionsPerAddress =
            settings.value(of: connectionsPerAddress, options?.connectionsPerAddress)
        configuration.bodyLimit = settings.value(of: bodyLimit, options?.bodyLimit)
        configuration.bodyBudget = settings.value(of: bodyBudget, options?.bodyBudget)
        configuration.batchOutputLimit =
            settings.value(of: batchOutputLimit, options?.batchOutputLimit)
        configuration.compressionThreshold =
            settings.value(of: compressionThreshold, options?.compressionThreshold).bytes
        configuration.headTimeout = settings.value(of: headTimeout, options?.headTimeout)
        configuration.bodyTimeout = settings.value(of: bodyTimeout, options?.bodyTimeout)
        configuration.idleTimeout = settings.value(of: idleTimeout, options?.idleTimeout)
        configuration.writeTimeout = settings.value(of: writeTimeout, options?.writeTimeout)
        configuration.actionTimeout = settings.value(of: actionTimeout, options?.actionTimeout)
        configuration.rateLimit =
            settings.value(of: rateLimit, options?.rateLimit).map(RateLimit.perMinute)
        configuration.drainTimeout = settings.value(of: drainTimeout, options?.drainTimeout)
        configuration.takesUpgrades = settings.value(of: upgrades, options?.upgrades)
    }
}

/// A number of bytes; `off` or 0 for none.
struct Threshold: LosslessStringConvertible, SettingValue {
    static let form = SettingForm.numberOrString
    static let expected = "a number of bytes or \"off\""

    let bytes: Int?

    init(bytes: Int?) { self.bytes = bytes }

    init?(_ text: String) {
        bytes = ["off", "0"].contains(text) ? nil : Int(text)
        guard bytes.map({ $0 > 0 }) ?? ["off", "0"].contains(text) else { return nil }
    }

    var description: String { bytes.map(String.init) ?? "off" }
}
