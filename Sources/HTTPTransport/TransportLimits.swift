/// The limits of a transport.
///
/// A time is at most a year, and no value is negative. The transport uses the nearest valid value
/// instead of an invalid one.
public struct TransportLimits: Sendable {
    /// The timeout for a new connection, with the resolution of its host's name.
    ///
    /// A silent name server may hold a thread for each name longer, up to 64, but no request.
    public var connectTimeout: Duration = .seconds(5)
    /// The timeout of a whole exchange, including its wait in the queue, and of each piece of a
    /// stream.
    ///
    /// The remaining time of an exchange is sent as `Request-Timeout`, unless the request has that
    /// field. So the server can stop work when the client no longer waits.
    public var timeout: Duration = .seconds(30)
    /// The maximum size of a response's body, in bytes; a streamed success has none.
    public var maximumResponse = 16 << 20
    /// The maximum number of concurrent exchanges; further ones wait in a queue.
    ///
    /// Streams don't count, so that open ones delay no request.
    public var maximumConcurrency = 16
    /// The maximum number of idle connections per host and port.
    public var maximumIdle = 8
    /// The lifetime of an idle connection: shorter than servers', so that few turn out closed.
    public var idleTimeout: Duration = .seconds(20)

    /// Creates the default limits.
    public init() {}

    /// The limits with the nearest valid values.
    var clamped: TransportLimits {
        var limits = self
        limits.connectTimeout = Timeout.clamped(connectTimeout)
        limits.timeout = Timeout.clamped(timeout)
        limits.idleTimeout = Timeout.clamped(idleTimeout)
        limits.maximumResponse = max(0, maximumResponse)
        limits.maximumIdle = max(0, maximumIdle)
        return limits
    }
}
