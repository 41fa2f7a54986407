import Plugboard
import Settings

/// The options of `serve` for the clients that may use the server, and the parts that they reach.
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
        trustedProxies,
        proxyProtocol,
        ServeOption(
            "socket-mode",
            \.server.mode,
            value: "mode",
            help: "The permissions of the file of --host unix:PATH, in octal digits."
        ),
        ServeOption(
            "administration",
            \.server.administration,
            value: "port",
            help: "The port of administration: public, operations-port or none."
        ),
        ServeOption(
            "console",
            \.server.console,
            help: "Serves the console at /console/ on the port of the administration."
        ),
        ServeOption(
            "documentation",
            \.server.documentation,
            value: "port",
            help: "The port of /docs and /openapi.json: public, operations-port or none."
        ),
        ServeOption(
            "batches",
            \.server.batches,
            value: "port",
            help: "The port of batches, POST /actions: public, operations-port or none."
        ),
    ]

    private static let trustedProxies = ServeOption(
        "trusted-proxy",
        \.server.trustedProxies,
        value: "network",
        help: """
            A network of proxies, such as 10.0.0.0/8, an address, or unix for Unix sockets. Only \
            their Forwarded and X-Forwarded-For name the clients. May be repeated.
            """
    )

    private static let proxyProtocol = ServeOption(
        "proxy-protocol",
        \.server.proxyProtocol,
        help: """
            Connections of trusted proxies begin with the PROXY protocol, version 1 or 2, which \
            names the client.
            """
    )

    static func complete(_ values: inout ServeValues, _ settings: SettingsReader) {
        if values.server.proxyProtocol, values.server.trustedProxies.isEmpty {
            settings.reject(proxyProtocol.name, "needs --trusted-proxy with the proxies' addresses")
        }
        values.server.remedies.publicFolder = "--public"
        values.server.remedies.host =
            "Allow it with --allowed-host, or in configuration.allowedHosts."
        values.server.remedies.origin =
            "Allow its origin with --allowed-origin, or in configuration.allowedOrigins."
    }
}

extension Server.Configuration {
    /// The socket's permissions in the option's type.
    fileprivate var mode: FileMode {
        get { FileMode(bits: socketMode) }
        set { socketMode = newValue.bits }
    }
}
