import ArgumentParser
import Plugboard
import Settings

/// The options of `serve` for the hosts and web pages that may use the server.
struct TrustOptions: ParsableArguments {
    private static let hosts = Setting<[String]>("allowed-host", default: [])

    @Option(
        hosts,
        """
        A host of the requests that are served, such as app.example; the server rejects others with \
        421. May be repeated; * allows any host. A loopback address always allows localhost, \
        127.0.0.1 and [::1]; other addresses allow any host without this option.
        """,
        valueName: "host"
    )
    var allowedHost: [String]

    private static let origins = Setting<[String]>("allowed-origin", default: [])

    @Option(
        origins,
        """
        Another origin whose web pages may use the server, such as https://app.example; the server \
        rejects changes by others with 403. May be repeated; * allows all.
        """,
        valueName: "origin"
    )
    var allowedOrigin: [String]

    static func read(
        _ options: Self?,
        _ settings: SettingsReader,
        into configuration: inout Server.Configuration
    ) {
        configuration.allowedHosts = settings.value(
            of: hosts,
            configuration.allowedHosts,
            options?.allowedHost ?? []
        )
        configuration.allowedOrigins = settings.value(
            of: origins,
            configuration.allowedOrigins,
            options?.allowedOrigin ?? []
        )
        configuration.remedies.host =
            "Allow it with --allowed-host, or in configuration.allowedHosts."
        configuration.remedies.origin =
            "Allow its origin with --allowed-origin, or in configuration.allowedOrigins."
    }
}
