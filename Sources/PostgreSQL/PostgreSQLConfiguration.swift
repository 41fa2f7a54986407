/// Timeouts and limits of a database's connections.
///
/// A connection that stopped passing bytes is replaced within ten seconds. An idle connection is
/// checked before it is used. A busy one ends with the sum of the statement's and the network's
/// timeouts, or earlier if no new connection can be opened.
public struct PostgreSQLConfiguration: Sendable {
    /// The pool's maximum number of connections; each stream of notifications has one more.
    public var connections = 4
    /// The timeout for a new connection, for all hosts of the address together.
    ///
    /// `connect_timeout` in the address replaces it, for each host.
    public var connectTimeout = Duration.seconds(3)
    /// The timeout for a free connection from the pool.
    public var placeTimeout = Duration.seconds(5)
    /// The server's time limit for a statement (`statement_timeout`).
    public var statementTimeout = Duration.seconds(6)
    /// The additional time for a response before the connection counts as lost.
    public var networkTimeout = Duration.seconds(2)
    /// The time without a byte of a response after which the client checks the database.
    ///
    /// The check opens another connection. If that fails, the statement fails, too.
    public var silenceTimeout = Duration.seconds(2)
    /// The idle time after which a free connection is checked before it is used.
    public var idleTimeout = Duration.seconds(1)
    /// The pause after the first failure to connect; each further failure doubles it.
    public var minimumPause = Duration.milliseconds(100)
    /// The maximum pause.
    public var maximumPause = Duration.seconds(1)
    /// Whether a ``PostgreSQLSchema`` may create and change tables.
    public var migrates = true
    /// The interval of checks on the connection for notifications.
    public var heartbeat = Duration.seconds(2)

    /// The defaults.
    public init() {}

    /// Returns the pause after a number of failures, with random jitter.
    ///
    /// So replicas that lost a database at once don't reconnect at once.
    func pause(after failures: Int) -> Duration {
        let doubled = minimumPause * (1 << min(max(failures - 1, 0), 16))
        return min(doubled, maximumPause) * Double.random(in: 0.5...1)
    }
}

extension Duration {
    /// The whole milliseconds, the unit of PostgreSQL's settings.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
