import PlugHTTP
import Plugboard
import Settings

/// The options of `serve` for limits and timeouts.
enum LimitOptions: OptionSection {
    static let title = "Limits"

    static let options = [
        ServeOption(
            "connections",
            \.server.connections,
            .range(1...1_000_000),
            help: "The largest number of connections."
        ),
        ServeOption(
            "connections-per-address",
            \.server.connectionsPerAddress,
            .range(1...1_000_000),
            help: """
                The largest number of connections per address; an IPv6 /64 counts as one. This \
                machine, Unix sockets and trusted proxies have no limit.
                """
        ),
        ServeOption(
            "body-limit",
            \.server.bodyLimit,
            .range(sizes),
            help: "The largest request body in bytes; the server rejects more with 413."
        ),
        ServeOption(
            "body-budget",
            \.server.bodyBudget,
            .range(sizes),
            default: "67108864, or a quarter of the memory limit if that is less",
            help: "Bytes of all request bodies in memory; the server rejects more with 503."
        ),
        ServeOption(
            "batch-output-limit",
            \.server.batchOutputLimit,
            .range(sizes),
            help: "The most bytes of all outputs of a batch of actions together."
        ),
        ServeOption(
            "compression-threshold",
            \.server.threshold,
            value: "bytes",
            help: "Actions' responses of more bytes are compressed with gzip; \"off\" disables it."
        ),
        ServeOption(
            "head-timeout",
            \.server.headTimeout,
            .range(seconds),
            help: "Seconds from a request's first byte to the end of its head."
        ),
        ServeOption(
            "body-timeout",
            \.server.bodyTimeout,
            .range(seconds),
            help: "Seconds in which a request body must end or gain 1 KiB for each of them."
        ),
        ServeOption(
            "idle-timeout",
            \.server.idleTimeout,
            .range(seconds),
            help: "Seconds that an idle connection stays open."
        ),
        ServeOption(
            "write-timeout",
            \.server.writeTimeout,
            .range(seconds),
            help: """
                Seconds in which a client must read 1 KiB of a response for each of them; in HTTP/2, \
                1 KiB of each blocked response.
                """
        ),
        ServeOption(
            "action-timeout",
            \.server.timeout,
            value: "seconds",
            help: """
                Seconds that an action may take; then it is cancelled with 504. Streams have no \
                limit. "off" disables it.
                """
        ),
        ServeOption(
            "endless-streams",
            \.server.endlessStreams,
            .range(1...1_000_000),
            default: "half of --connections",
            help: "The largest number of endless streams, such as server-sent events; more get 503."
        ),
        ServeOption(
            "endless-streams-per-caller",
            \.server.endlessStreamsPerCaller,
            .range(1...1_000_000),
            help: """
                The largest number of endless streams per caller, or else per address; more get 429.
                """
        ),
        ServeOption(
            "document-limit",
            \.server.documentLimit,
            .range(1...10_000),
            help: "The most documents of each environment; more get 422."
        ),
        ServeOption(
            "draft-limit",
            \.server.draftLimit,
            .range(1...1_000_000),
            help: "The most drafts of each environment that can still go live; more get 422."
        ),
        ServeOption(
            "rate-limit",
            \.callsPerMinute,
            .range(1...1_000_000_000),
            default: "no limit",
            help:
                "Calls of actions a minute per caller, or else per address; more are rejected with 429."
        ),
        sharedRateLimits,
        ServeOption(
            "drain-timeout",
            \.server.drainTimeout,
            .range(seconds),
            help: "Seconds that requests in flight have to complete when the server stops."
        ),
        ServeOption(
            "drain-delay",
            \.server.drainDelay,
            .range(0...3600),
            help: """
                Seconds between a signal to stop and the end of accepting connections; /readyz is \
                503 meanwhile, so that a balancer sends its requests elsewhere. A second signal \
                ends the delay.
                """
        ),
        ServeOption(
            "h2c-upgrade",
            \.server.acceptsUpgrades,
            help: """
                Accepts upgrades to HTTP/2 on a plain port (Upgrade: h2c). Behind a proxy that \
                forwards upgrades, clients can bypass its rules: use --no-h2c-upgrade.
                """
        ),
    ]

    private static let sharedRateLimits = ServeOption(
        "shared-rate-limits",
        \.server.sharesRateLimits,
        help: """
            Counts the calls of limited actions in --database, over all servers that share it. A \
            server that can't reach it counts alone.
            """
    )

    private static let sizes = 1...1 << 40
    private static let seconds = 1...86_400

    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        if values.server.sharesRateLimits, values.documents.database == nil {
            settings.reject(sharedRateLimits.name, "needs --database")
        }
        if let calls = values.callsPerMinute { values.server.rateLimit = .perMinute(calls) }
    }
}

extension Server.Configuration {
    /// The action's timeout in the option's type.
    fileprivate var timeout: SecondsOrOff {
        get { SecondsOrOff(seconds: actionTimeout) }
        set { actionTimeout = newValue.seconds }
    }

    /// The compression threshold in the option's type.
    fileprivate var threshold: CompressionThreshold {
        get { CompressionThreshold(bytes: compressionThreshold) }
        set { compressionThreshold = newValue.bytes }
    }
}
