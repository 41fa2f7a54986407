import Plugboard
import Settings

/// The options of `serve` for the hosts and web pages that may use the server.
enum TrustOptions: OptionSection {
    static let title = "Clients"

    static let options = [
        ServeOption(
            "allowed-host",
            \.server.allowedHosts,
            value: "host",
            help: """
                A host of the requests that are served, such as app.example; the server rejects \
                others with 421. May be repeated; * allows any host. A loopback address always \
                allows localhost, 127.0.0.1 and [::1]; other addresses allow any host without this \
                option.
                """
        ),
        ServeOption(
            "allowed-origin",
            \.server.allowedOrigins,
            value: "origin",
            help: """
                Another origin whose web pages may use the server, such as https://app.example; the \
                server rejects changes by others with 403. May be repeated; * allows all.
                """
        ),
    ]

    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        values.server.remedies.host =
            "Allow it with --allowed-host, or in configuration.allowedHosts."
        values.server.remedies.origin =
            "Allow its origin with --allowed-origin, or in configuration.allowedOrigins."
    }
}
