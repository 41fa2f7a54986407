import HTTPServer

extension Server {
    /// Returns one loop's checks of hosts and origins, for a listener at these addresses.
    func gate(host: String, at addresses: [SocketAddress]) -> RequestGate {
        RequestGate(
            AllowedHosts(configuration.allowedHosts, host: host, at: addresses),
            AllowedOrigins(configuration.allowedOrigins),
            configuration.remedies
        )
    }
}
