import HTTPServer

extension Server {
    /// Returns one loop's checks of hosts and origins, for a listener at these addresses.
    func gate(
        host: String,
        at addresses: [SocketAddress],
        isOperations: Bool = false
    ) -> RequestGate {
        RequestGate(
            AllowedHosts(
                configuration.allowedHosts,
                host: host,
                at: addresses,
                isOperations: isOperations
            ),
            AllowedOrigins(configuration.allowedOrigins),
            configuration.remedies
        )
    }
}
