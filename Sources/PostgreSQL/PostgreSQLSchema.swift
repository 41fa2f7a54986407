import Locking

/// The tables of one user of a database, created with the first write.
///
/// A released version's statements never change: databases have their result. A change of the tables
/// is another version. ``check(_:)`` brings an earlier version's tables up to date. A database with
/// tables of a later version is rejected and stays unchanged.
package final class PostgreSQLSchema: Sendable {
    /// The table that contains the version.
    private let table: SQLStatement
    /// The statements that lead to each version from the one before it.
    private let versions: [[SQLStatement]]
    private let isMade = Locked(false)

    /// SQLSTATE of a missing table (PostgreSQL's Appendix A).
    private static let undefinedTable = "42P01"

    /// Creates a schema from the name of its version table, statements that create its tables, and
    /// those of each later version in order.
    package init(
        _ table: StaticString,
        _ tables: [SQLStatement],
        then changes: [[SQLStatement]] = []
    ) {
        self.table = SQLStatement(stringLiteral: "\(table)")
        versions = [tables] + changes
    }

    /// The name of the table that contains the version.
    package var name: String { table.text }

    /// Runs `body`, such as a read, without creating tables; returns nil if they don't exist.
    @discardableResult
    package func ifMade<Result>(_ body: () async throws -> Result?) async throws -> Result? {
        do {
            return try await body()
        } catch let error as PostgreSQLError where error.state == Self.undefinedTable {
            return nil
        }
    }

    /// Runs `body`, which writes, after creating the tables if necessary.
    ///
    /// If existing tables disappear, another database has replaced the first one: they are created
    /// again.
    package func write<Result>(
        _ client: PostgreSQLClient,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let wereMade = isMade.withLock { $0 }
        if !wereMade { try await make(client) }
        do {
            return try await body()
        } catch let error as PostgreSQLError
            where error.state == Self.undefinedTable && wereMade
        {
            try await make(client)
            return try await body()
        }
    }

    /// Checks that existing tables aren't of a later version, and changes those of an earlier one.
    ///
    /// - Throws: ``PostgreSQLError``.
    package func check(_ client: PostgreSQLClient) async throws {
        guard let version = try await storedVersion(client), version < versions.count else {
            return
        }
        try await make(client)
    }

    private func storedVersion(_ client: PostgreSQLClient) async throws -> Int? {
        try await ifMade {
            try check(try await client.run("SELECT max(version) AS version FROM \(table)"), client)
        }
    }

    /// Returns the version of existing tables, and the version that the server knows.
    ///
    /// The stored version is nil before the first write.
    package func versions(_ client: PostgreSQLClient) async throws -> (stored: Int?, known: Int) {
        let rows = try await ifMade {
            try await client.run("SELECT max(version) AS version FROM \(table)")
        }
        let stored: Int? = try rows?.first?.get("version")
        return (stored, versions.count)
    }

    private func check(_ rows: [SQLRow], _ client: PostgreSQLClient) throws -> Int? {
        let version: Int? = try rows.first?.get("version")
        guard let version, !(1...versions.count).contains(version) else { return version }
        throw PostgreSQLError(
            .refused,
            "\(client.address): \(table.text) has version \(version), and this version knows "
                + "\(versions.count); start the version that wrote it, or choose another database"
        )
    }

    /// Creates or changes the tables; if two servers start at once, only one does.
    private func make(_ client: PostgreSQLClient) async throws {
        _ = try await storedVersion(client)
        try await client.transaction(.readCommitted) { [self] transaction in
            // An arbitrary lock number of this project, held until the transaction ends.
            try await transaction.run("SELECT pg_advisory_xact_lock(5784276301)")
            try await transaction.run(
                "CREATE TABLE IF NOT EXISTS \(table) (version bigint NOT NULL)"
            )
            let rows = try await transaction.run("SELECT max(version) AS version FROM \(table)")
            let version = try check(rows, client) ?? 0
            guard version < versions.count else { return }
            for statement in versions[version...].joined() { try await transaction.run(statement) }
            try await transaction.run("INSERT INTO \(table) VALUES (\(versions.count))")
        }
        isMade.withLock { $0 = true }
    }
}
