import Locking
package import Logging
package import PostgreSQL
package import System

/// Tokens, scopes, plugs and their audit in a PostgreSQL database, which several servers share.
///
/// A commit locks the audit's table while it reads the last row and writes, so that concurrent
/// commits are serialized. Its notification reaches all listening servers when it is done. The first
/// change creates the tables.
package final class PostgreSQLAdministration: AdministrationBackend {
    /// The channel of the notifications, which have no payload.
    private static let channel = "plugboard_administration"

    private let client: PostgreSQLClient
    private let logger: Logger
    private let schema = PostgreSQLAdministration.schema()
    private let lost = Locked<String?>(nil)
    /// Whether the tables were there.
    private let wasMade = Locked(false)
    /// The reason while the tables have disappeared; nil if they are there.
    private let emptied = Locked<String?>(nil)

    package let tables = AdministrationTables.postgreSQL
    package let isRemote = true
    package let changes = AsyncQueue<SingleKey>()

    /// Makes a store without connecting.
    package init(_ client: PostgreSQLClient, logger: Logger) {
        self.client = client
        self.logger = logger
    }

    package var loss: String? { lost.withLock { $0 } ?? emptied.withLock { $0 } }

    // MARK: Reading

    package func read(_ queries: [SQLStatement]) async throws -> [[SQLRow]]? {
        let found: [[SQLRow]]?
        do {
            found = try await schema.ifMade { [client] in
                if queries.count == 1 { return [try await client.run(queries[0])] }
                return try await client.transaction { transaction in
                    var results: [[SQLRow]] = []
                    for query in queries { results.append(try await transaction.run(query)) }
                    return results
                }
            }
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
        if found != nil {
            noteTables()
        } else if wasMade.withLock({ $0 }) {
            throw noteLostTables()
        }
        return found
    }

    private func noteTables() {
        wasMade.withLock { $0 = true }
        emptied.withLock { $0 = nil }
    }

    /// Notes that the tables have disappeared, and returns the error.
    private func noteLostTables() -> AdministrationError {
        let reason =
            "\(client.address) has lost its tables; restore the database, or restart the server to "
            + "accept an empty one"
        let isNews = emptied.withLock { emptied in
            defer { emptied = reason }
            return emptied == nil
        }
        if isNews { logger.error("tokens and plugs: the last known ones stay valid: \(reason)") }
        return .unavailable(reason)
    }

    package func readNow(_ queries: [SQLStatement]) throws -> [[SQLRow]]? {
        do {
            return try client.now { [self] in try await read(queries) }
        } catch AdministrationError.unavailable(let reason) {
            // The caller logs it, so ``watch(_:)`` doesn't.
            lost.withLock { $0 = reason }
            throw AdministrationError.unavailable(reason)
        }
    }

    private static func failure(_ error: PostgreSQLError) -> any Error {
        switch error.kind {
        case .unavailable, .denied, .timedOut: AdministrationError.unavailable("\(error)")
        case .conflict: AdministrationError.busy
        case .cancelled: CancellationError()
        case .refused, .misuse, .wrongAddress, .missingLibrary: error
        }
    }

    // MARK: Changing

    package func commit(
        _ statements: [SQLStatement],
        after head: AdministrationHead?
    ) async throws -> Bool {
        do {
            if wasMade.withLock({ $0 }) {
                guard try await schema.ifMade({ try await write(statements, after: head) }) != nil
                else { throw noteLostTables() }
            } else {
                try await schema.write(client) { try await write(statements, after: head) }
                noteTables()
            }
            return true
        } catch is ConcurrentCommit {
            return false
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
    }

    private func write(_ statements: [SQLStatement], after head: AdministrationHead?) async throws {
        let tables = tables
        // The lock comes first, so that each statement sees all earlier commits.
        try await client.transaction(.readCommitted) { transaction in
            if let head {
                try await transaction.run("LOCK TABLE \(tables.audit) IN EXCLUSIVE MODE")
                let last = try await transaction.run(tables.head).first
                guard head == last.map(AdministrationHead.init) ?? AdministrationHead.none else {
                    throw ConcurrentCommit()
                }
            }
            for statement in statements { try await transaction.run(statement) }
            if head != nil {
                try await transaction.run("SELECT pg_notify(\(Self.channel), '')")
            }
        }
    }

    /// Another commit has added audit rows.
    private struct ConcurrentCommit: Error {}

    /// Adds an entry in another store's transaction, which ``prepare()`` must precede.
    package func add(
        _ entry: AdministrationEntry,
        at now: Int,
        in transaction: PostgreSQLTransaction
    )
        async throws
    {
        try await transaction.run("LOCK TABLE \(tables.audit) IN EXCLUSIVE MODE")
        let last = try await transaction.run(tables.head).first
        for statement in try entry.statements(after: last, at: now, in: tables) {
            try await transaction.run(statement)
        }
        try await transaction.run("SELECT pg_notify(\(Self.channel), '')")
    }

    /// Creates the tables if they are missing.
    package func prepare() async throws { _ = try await commit([], after: nil) }

    package func differences() async throws -> [String] {
        do {
            return try await client.run(
                .tableDifferences(
                    of: [
                        "plugboard_administration", "plugboard_token", "plugboard_plug",
                        "plugboard_scope",
                    ],
                    comparing: [],
                    limit: 25
                )
            ).map { row in
                "the table \(try row.get("name", as: String.self)) "
                    + (try row.get("how", as: String.self))
            }
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
    }

    // MARK: Watching

    package func watch(_ changed: @escaping @Sendable () async -> Void) async {
        guard let notified = try? client.notifications(on: Self.channel) else { return }
        for await notification in notified {
            switch notification {
            case .listening:
                if lost.withLock({ $0.take() }) != nil {
                    logger.info("tokens and plugs: \(client.address) is connected again")
                }
                await changed()
            case .notified:
                // Also after a change of its own, whose effect on the memory may have failed.
                await changed()
            case .lost(let reason):
                let isNews = lost.withLock { lost in
                    defer { lost = reason }
                    return lost == nil
                }
                guard isNews else { continue }
                logger.error(
                    """
                    tokens and plugs: the last known ones stay valid, and changes are 503: \
                    \(client.address) is lost: \(reason)
                    """
                )
            }
        }
    }
}
