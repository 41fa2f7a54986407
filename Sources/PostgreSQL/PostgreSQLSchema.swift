import Locking

/// The tables of one user of a database, created with the first write.
///
/// A database with tables of another version is rejected and stays unchanged.
package final class PostgreSQLSchema: Sendable {
    /// The table that contains the version.
    private let table: SQLStatement
    private let tables: [SQLStatement]
    private let isMade = Locked(false)

    private static let version = 1
    /// SQLSTATE of a missing table (PostgreSQL's Appendix A).
    private static let undefinedTable = "42P01"

    /// Creates a schema from the name of its version table and statements that create its tables.
    package init(_ table: StaticString, _ tables: [SQLStatement]) {
        self.table = SQLStatement(stringLiteral: "\(table)")
        self.tables = tables
    }

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

    /// Checks that existing tables have this version.
    ///
    /// - Throws: ``PostgreSQLError``.
    package func check(_ client: PostgreSQLClient) async throws {
        try await ifMade {
            try check(try await client.run("SELECT max(version) AS version FROM \(table)"), client)
        }
    }

    @discardableResult
    private func check(_ rows: [SQLRow], _ client: PostgreSQLClient) throws -> Int? {
        let version: Int? = try rows.first?.get("version")
        guard let version, version != Self.version else { return version }
        throw PostgreSQLError(
            .refused,
            "\(client.address): \(table.text) has version \(version), and this version knows "
                + "\(Self.version); start the version that wrote it, or choose another database"
        )
    }

    /// Creates the tables; if two servers start at once, only one does.
    private func make(_ client: PostgreSQLClient) async throws {
        try await check(client)
        try await client.transaction(.readCommitted) { [self] transaction in
            // An arbitrary lock number of this project, held until the transaction ends.
            try await transaction.run("SELECT pg_advisory_xact_lock(5784276301)")
            try await transaction.run(
                "CREATE TABLE IF NOT EXISTS \(table) (version bigint NOT NULL)"
            )
            let rows = try await transaction.run("SELECT max(version) AS version FROM \(table)")
            guard try check(rows, client) == nil else { return }
            for statement in tables { try await transaction.run(statement) }
            try await transaction.run("INSERT INTO \(table) VALUES (\(Self.version))")
        }
        isMade.withLock { $0 = true }
    }
}
