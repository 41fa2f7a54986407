package import HTTPSyntax

/// A server's limits and timeouts.
package struct HTTPConfiguration: Sendable {
    package var head = HeadLimits()
    /// The time from a request's first byte to the end of its head, in seconds; then 408.
    package var headTimeout = 10
    /// The time without progress while a body is read, in seconds; then 408.
    package var bodyTimeout = 30
    /// The bytes per second of `bodyTimeout` and `writeTimeout` that count as progress.
    package var minimumRate = 1024
    /// The maximum of body bytes in memory, over all loops.
    ///
    /// - Collected bodies above it are rejected with 503.
    /// - Streamed bodies: at this many waiting bytes reading pauses; at twice as many, requests are
    ///   rejected with 503.
    package var bodyBudget = 64 * 1024 * 1024
    /// The maximum of unsent response bytes, over all loops and in both protocols.
    ///
    /// Above it, a response of more than 64 KiB makes room for itself: the connections of clients that
    /// have received less than 1 KiB in a second are closed. Without one, the response becomes 503.
    package var outputBudget = 48 * 1024 * 1024
    /// The time without a request on a keep-alive connection, in seconds; then it is closed.
    package var idleTimeout = 30
    /// The time without progress while a client receives a response, in seconds; then the server
    /// closes the connection.
    ///
    /// An HTTP/2 stream is reset if the client receives less than 1 KiB of its response in this
    /// time.
    package var writeTimeout = 30
    /// The time for three short waits, in seconds.
    ///
    /// - for a client to close its side after the last response
    /// - for the rest of a request that already has its response
    /// - for a head while the server drains
    package var lingerTimeout = 2
    /// The time from a client's half-close to the first probe whether it is still connected, in
    /// milliseconds.
    ///
    /// Most responses finish within it, and the tasks of a disconnected client are cancelled soon.
    package var hangUpDelay = 75
    /// The time between the heartbeats of an endless stream, in seconds.
    package var heartbeat = 15
    /// The time for open responses when the server drains, in seconds.
    package var drainTimeout = 30
    /// The maximum of connections, over all loops; others wait in the listener's queue.
    package var connections = 16_384
    /// The maximum of connections from one address, over all loops; nil for no limit.
    package var connectionsPerAddress: Int?
    /// The minimum idle time of a connection, in milliseconds, before the server may close it to
    /// make room for a new one.
    package var minimumIdle = 100
    /// The connections of each loop beyond the limit, for requests such as health checks.
    ///
    /// The responder sees them as reserved (`Peer.isReserved`). They close after one response.
    package var reservedConnections = 0
    /// Whether connections from this machine are exempt from `connectionsPerAddress`: those of a
    /// proxy, for example.
    package var exemptsLoopback = true
    /// The proxies that name their clients; their connections have no limit per address.
    package var trustedProxies = TrustedProxies()
    /// Whether each connection of a trusted proxy begins with a header of the PROXY protocol.
    package var readsProxyHeaders = false
    /// The permissions of a Unix socket's file.
    package var socketMode: UInt32 = 0o660
    /// The fields that all responses carry.
    package var defaultFields = DefaultFields()
    /// Whether the server accepts upgrades to HTTP/2 on plain connections (RFC 7540 §3.2).
    package var acceptsUpgrades = true
    /// The number of event loops; each has its own thread and listening socket.
    package var loops = 1

    package init() {}
}
