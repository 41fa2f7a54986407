import ArgumentParser
import PlugHTTP
import Plugboard
import Settings

/// The options of `serve` for limits and timeouts.
struct LimitOptions: ParsableArguments {
    private static let standard = Server.Configuration()
    private static let sizes = 1...1 << 40
    private static let seconds = 1...86_400

    private static let connections =
        Setting("connections", in: 1...1_000_000, default: standard.connections)

    @Option(connections, "The largest number of connections.")
    var connections: String?

    private static let connectionsPerAddress =
        Setting("connections-per-address", in: 1...1_000_000, defaultText: "no limit")

    @Option(
        connectionsPerAddress,
        "The largest number of connections per address; an IPv6 /64 counts as one."
    )
    var connectionsPerAddress: String?

    private static let bodyLimit = Setting("body-limit", in: sizes, default: standard.bodyLimit)

    @Option(bodyLimit, "The largest request body in bytes; the server rejects more with 413.")
    var bodyLimit: String?

    private static let bodyBudget = Setting("body-budget", in: sizes, default: standard.bodyBudget)

    @Option(bodyBudget, "Bytes of all request bodies in memory; the server rejects more with 503.")
    var bodyBudget: String?

    private static let batchOutputLimit =
        Setting("batch-output-limit", in: sizes, default: standard.batchOutputLimit)

    @Option(batchOutputLimit, "The most bytes of all outputs of a batch of actions together.")
    var batchOutputLimit: String?

    private static let compressionThreshold = Setting<Threshold>(
        "compression-threshold",
        default: Threshold(bytes: standard.compressionThreshold)
    )

    @Option(
        compressionThreshold,
        "Actions' responses of more bytes are compressed with gzip; \"off\" disables it.",
        valueName: "bytes"
    )
    var compressionThreshold: String?

    private static let headTimeout =
        Setting("head-timeout", in: seconds, default: standard.headTimeout)

    @Option(headTimeout, "Seconds from a request's first byte to the end of its head.")
    var headTimeout: String?

    private static let bodyTimeout =
        Setting("body-timeout", in: seconds, default: standard.bodyTimeout)

    @Option(
        bodyTimeout,
        "Seconds in which a request body must end or gain 1 KiB for each of them."
    )
    var bodyTimeout: String?

    private static let idleTimeout =
        Setting("idle-timeout", in: seconds, default: standard.idleTimeout)

    @Option(idleTimeout, "Seconds that an idle connection stays open.")
    var idleTimeout: String?

    private static let writeTimeout =
        Setting("write-timeout", in: seconds, default: standard.writeTimeout)

    @Option(
        writeTimeout,
        "Seconds in which a client must read 1 KiB of a response for each of them."
    )
    var writeTimeout: String?

    private static let actionTimeout =
        Setting("action-timeout", in: seconds, defaultText: "no limit")

    @Option(actionTimeout, "Seconds that an action may take; then it is cancelled with 504.")
    var actionTimeout: String?

    private static let rateLimit =
        Setting("rate-limit", in: 1...1_000_000_000, defaultText: "no limit")

    @Option(
        rateLimit,
        "Calls of actions a minute per caller, or else per address; more are rejected with 429."
    )
    var rateLimit: String?

    private static let drainTimeout =
        Setting("drain-timeout", in: seconds, default: standard.drainTimeout)

    @Option(
        drainTimeout,
        "Seconds that requests in flight have to complete when the server stops."
    )
    var drainTimeout: String?

    private static let upgrades = Setting("h2c-upgrade", default: standard.acceptsUpgrades)

    @Flag(
        upgrades,
        """
        Accepts upgrades to HTTP/2 on a plain port (Upgrade: h2c). Behind a proxy that forwards \
        upgrades, clients can bypass its rules: use --no-h2c-upgrade.
        """
    )
    var upgrades: Bool?

    static func read(
        _ options: Self?,
        _ settings: SettingsReader,
        into configuration: inout Server.Configuration
    ) {
        configuration.connections = settings.value(
            of: connections,
            configuration.connections,
            options?.connections
        )
        configuration.connectionsPerAddress = settings.value(
            of: connectionsPerAddress,
            configuration.connectionsPerAddress,
            options?.connectionsPerAddress
        )
        configuration.bodyLimit = settings.value(
            of: bodyLimit,
            configuration.bodyLimit,
            options?.bodyLimit
        )
        configuration.bodyBudget = settings.value(
            of: bodyBudget,
            configuration.bodyBudget,
            options?.bodyBudget
        )
        configuration.batchOutputLimit = settings.value(
            of: batchOutputLimit,
            configuration.batchOutputLimit,
            options?.batchOutputLimit
        )
        configuration.compressionThreshold =
            settings.value(
                of: compressionThreshold,
                Threshold(bytes: configuration.compressionThreshold),
                options?.compressionThreshold
            ).bytes
        configuration.headTimeout = settings.value(
            of: headTimeout,
            configuration.headTimeout,
            options?.headTimeout
        )
        configuration.bodyTimeout = settings.value(
            of: bodyTimeout,
            configuration.bodyTimeout,
            options?.bodyTimeout
        )
        configuration.idleTimeout = settings.value(
            of: idleTimeout,
            configuration.idleTimeout,
            options?.idleTimeout
        )
        configuration.writeTimeout = settings.value(
            of: writeTimeout,
            configuration.writeTimeout,
            options?.writeTimeout
        )
        configuration.actionTimeout = settings.value(
            of: actionTimeout,
            configuration.actionTimeout,
            options?.actionTimeout
        )
        if let rateLimit = settings.value(of: rateLimit, options?.rateLimit) {
            configuration.rateLimit = .perMinute(rateLimit)
        }
        configuration.drainTimeout = settings.value(
            of: drainTimeout,
            configuration.drainTimeout,
            options?.drainTimeout
        )
        configuration.acceptsUpgrades = settings.value(
            of: upgrades,
            configuration.acceptsUpgrades,
            options?.upgrades
        )
    }
}

/// A number of bytes; nil for `off` or 0.
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
