/// How long a database may take, and how many connections it gets.
package struct PostgreSQLConfiguration: Sendable {
    /// The most connections of the pool; one more for each stream of notifications.
    package var connections = 4
    /// How long a connection may take to be made.
    package var connectTimeout = Duration.seconds(5)
    /// How long a caller waits until one is free.
    package var placeTimeout = Duration.seconds(5)
    /// How long the server may work at a statement (its `statement_timeout`).
    package var statementTimeout = Duration.seconds(10)
    /// How much longer an answer may be on its way, before the connection counts as lost.
    package var networkTimeout = Duration.seconds(5)
    /// The pause after a first failure to connect, doubled with each further one.
    package var leastPause = Duration.milliseconds(100)
    /// The longest of these pauses.
    package var greatestPause = Duration.seconds(5)
    /// How often the connection of notifications is asked whether it still is one.
    package var heartbeat = Duration.seconds(10)

    package init() {}

    /// The pause after so many failures, a part of it by chance: replicas that lost one database
    /// don't come back at one moment.
    func pause(after failures: Int) -> Duration {
        let doubled = leastPause * (1 << min(max(failures - 1, 0), 16))
        return min(doubled, greatestPause) * Double.random(in: 0.5...1)
    }
}

extension Duration {
    /// Whole milliseconds, as PostgreSQL's settings are.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
