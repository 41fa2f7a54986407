import CLinux
import Glibc
import Locking

/// A client for statements, transactions and notifications, over a small pool of connections.
///
/// Connections are opened on demand, and again after a loss.
public final class PostgreSQLClient: Sendable {
    /// The address without the password.
    public let address: PostgreSQLAddress
    let configuration: PostgreSQLConfiguration
    private let loop: DatabaseLoop
    let opener: ConnectionOpener
    private let pool: ConnectionPool
    /// The database's clock.
    public let clock = DatabaseClock()
    /// The numbers of connections in use, idle ones, and waiting callers.
    package var counts: PoolCounts { pool.counts }
    /// The largest number of connections in use.
    package var maximumConnections: Int { configuration.connections }

    /// The maximum number of attempts of a transaction with conflicts.
    private static let attempts = 20

    /// Creates a client without connecting.
    public init(
        _ address: PostgreSQLAddress,
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws(PostgreSQLError) {
        self.address = address
        self.configuration = configuration
        loop = try .shared()
        opener = ConnectionOpener(address, configuration, clock: clock, loop: loop)
        pool = ConnectionPool(opener, configuration)
    }

    /// Creates a client of the database at `postgres://user:password@host/name` without connecting.
    ///
    /// - Throws: ``PostgreSQLError`` if the address is invalid or libpq isn't installed.
    public convenience init(
        _ url: String,
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws(PostgreSQLError) {
        try self.init(PostgreSQLAddress(url), configuration)
    }

    /// Runs a statement in its own transaction.
    @discardableResult
    public func run(_ statement: SQLStatement) async throws(PostgreSQLError) -> [SQLRow] {
        let connection = try await pool.take()
        do {
            let rows = try await connection.run(statement)
            await pool.give(connection)
            return rows
        } catch {
            await pool.give(connection)
            throw error
        }
    }

    /// Runs a statement that changes nothing, once more if the connection is lost.
    public func read(_ statement: SQLStatement) async throws(PostgreSQLError) -> [SQLRow] {
        do {
            return try await run(statement)
        } catch {
            guard error.isLostConnection else { throw error }
            return try await run(statement)
        }
    }

    /// The visibility of concurrent transactions.
    public enum Isolation: Sendable {
        /// The transaction runs as if it were alone.
        case serializable
        /// Each statement sees everything committed before it began.
        case readCommitted

        fileprivate var begin: SQLStatement {
            switch self {
            case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
            case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED"
            }
        }
    }

    /// Runs a transaction.
    ///
    /// - Parameters:
    /// - isolation: The visibility of concurrent transactions.
    /// - body: Retried after a conflict with another transaction, so its only effects must be in
    ///   the database. An error rolls it back.
    /// - Returns: The body's result.
    /// - Throws: The body's error or ``PostgreSQLError``. If the connection is lost during the
    ///   commit, the changes may be committed nevertheless.
    public func transaction<Result: Sendable>(
        _ isolation: Isolation = .serializable,
        _ body: @Sendable (PostgreSQLTransaction) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            do {
                return try await attemptTransaction(isolation, body)
            } catch let error as PostgreSQLError
                where error.kind == .conflict && attempt < Self.attempts
            {
                let pause = Duration.milliseconds(Int.random(in: 1...(5 * attempt)))
                _ = await loop.wait(loop.makeTicket(), until: .now + pause)
                guard !Task.isCancelled else { throw error }
                attempt += 1
            }
        }
    }

    private func attemptTransaction<Result: Sendable>(
        _ isolation: Isolation,
        _ body: @Sendable (PostgreSQLTransaction) async throws -> Result
    ) async throws -> Result {
        let connection = try await begin(isolation)
        do {
            let result = try await body(PostgreSQLTransaction(connection: connection))
            _ = try await connection.run("COMMIT")
            await pool.give(connection)
            return result
        } catch {
            // If that fails, the connection isn't reused and the server rolls back.
            _ = try? await connection.run("ROLLBACK")
            await pool.give(connection)
            throw error
        }
    }

    /// Begins a transaction; if the connection is lost, nothing was done yet, and another one is used.
    private func begin(_ isolation: Isolation) async throws(PostgreSQLError) -> PostgreSQLConnection
    {
        for isLast in [false, true] {
            let connection = try await pool.take()
            do {
                _ = try await connection.run(isolation.begin)
                return connection
            } catch {
                await pool.give(connection)
                guard error.isLostConnection, !isLast else { throw error }
            }
        }
        preconditionFailure("the last attempt returns or throws")
    }

    /// Runs `body` and blocks the calling thread until it ends.
    ///
    /// For start-up only.
    ///
    /// - Returns: The body's result.
    /// - Throws: The body's error.
    package func now<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let done = eventfd(0, CInt(EFD_CLOEXEC))
        guard done >= 0 else {
            throw PostgreSQLError(.unavailable, "eventfd: \(String(cString: strerror(errno)))")
        }
        defer { Glibc.close(done) }
        let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
        // On the loop's thread: the blocked thread might be the last free one of Swift's pool.
        Task(executorPreference: loop) {
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            eventfd_write(done, 1)
        }
        while true {
            var count: eventfd_t = 0
            eventfd_read(done, &count)
            if let result = outcome.withLock({ $0 }) { return try result.get() }
        }
    }

    /// Closes free connections now, and the others when they are returned.
    public func close() async { await pool.close() }

    /// Waits without blocking a thread; returns at once if the task is cancelled.
    func pause(_ duration: Duration) async {
        _ = await loop.wait(loop.makeTicket(), until: .now + duration)
    }
}

/// A running transaction.
public struct PostgreSQLTransaction: Sendable {
    let connection: PostgreSQLConnection

    /// Runs a statement in the transaction.
    @discardableResult
    public func run(_ statement: SQLStatement) async throws(PostgreSQLError) -> [SQLRow] {
        try await connection.run(statement)
    }
}
