import CLinux
import Glibc
import Locking

/// A PostgreSQL: statements, transactions and notifications, over a few connections that are made
/// when they are needed and made again when they were lost.
package final class PostgreSQLClient: Sendable {
    /// Where it is, without the password.
    package let address: PostgreSQLAddress
    let configuration: PostgreSQLConfiguration
    private let loop: DatabaseLoop
    private let pool: ConnectionPool

    /// How often a transaction is tried whose like were faster.
    private static let attempts = 20

    /// Connects to nothing yet.
    package init(
        _ address: PostgreSQLAddress,
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws(PostgreSQLError) {
        self.address = address
        self.configuration = configuration
        loop = try .shared()
        pool = ConnectionPool(address, configuration, loop: loop)
    }

    /// Runs a statement, in a transaction of its own.
    @discardableResult
    package func run(_ statement: SQLStatement) async throws(PostgreSQLError) -> [SQLRow] {
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

    /// What a transaction sees of others that are under way.
    package enum Isolation: Sendable {
        /// It is as if it were alone.
        case serializable
        /// Each statement sees all that was committed before it began.
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
    ///   - isolation: What it sees of others.
    ///   - body: It is run anew where another transaction was faster, so that it must do nothing but
    ///     with the database. What it throws takes back what it did.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or a ``PostgreSQLError``. Where the connection was lost with
    ///   the commit, what was done may be kept all the same.
    package func transaction<Result: Sendable>(
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
        let connection = try await pool.take()
        do {
            _ = try await connection.run(isolation.begin)
            let result = try await body(PostgreSQLTransaction(connection: connection))
            _ = try await connection.run("COMMIT")
            await pool.give(connection)
            return result
        } catch {
            // Should that fail, the connection isn't used again, and the server rolls back itself.
            _ = try? await connection.run("ROLLBACK")
            await pool.give(connection)
            throw error
        }
    }

    /// Runs `body`, and holds the calling thread up until it is done: for a start, where nothing else
    /// is to be done meanwhile.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package func now<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let done = eventfd(0, CInt(EFD_CLOEXEC))
        guard done >= 0 else {
            throw PostgreSQLError(.unavailable, "eventfd: \(String(cString: strerror(errno)))")
        }
        defer { Glibc.close(done) }
        let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
        // On the loop's thread: were it on Swift's, the one that is held up might be the last of them.
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

    /// Closes the connections that are free, and the others when they are.
    package func close() async { await pool.close() }

    /// A connection of its own.
    func connect() async throws(PostgreSQLError) -> PostgreSQLConnection {
        try await .connect(to: address, configuration)
    }

    /// Waits, at no thread's cost; at once over where the task is cancelled.
    func pause(_ duration: Duration) async {
        _ = await loop.wait(loop.makeTicket(), until: .now + duration)
    }

    /// The database has answered elsewhere: who waits for a pause's end needn't.
    func forgetFailure() async { await pool.forgetFailure() }
}

/// A transaction that is under way.
package struct PostgreSQLTransaction: Sendable {
    let connection: PostgreSQLConnection

    /// Runs a statement within it.
    @discardableResult
    package func run(_ statement: SQLStatement) async throws(PostgreSQLError) -> [SQLRow] {
        try await connection.run(statement)
    }
}
