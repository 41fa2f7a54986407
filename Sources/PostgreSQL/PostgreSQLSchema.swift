import Locking

/// The tables of one user of a database, made with the first write.
///
/// A database whose tables are of another version is rejected, and nothing is written to it.
package final class PostgreSQLSchema: Sendable {
    /// The table that holds the version.
    private let table: SQLStatement
    private let tables: [SQLStatement]
    private let isMade = Locked(false)

    private static let version = 1
    /// A table isn't there (PostgreSQL's Appendix A).
    private static let undefinedTable = "42P01"

    /// Tables that statements make, and the name of the one that holds their version.
    package init(_ table: StaticString, _ tables: [SQLStatement]) {
        self.table = SQLStatement(stringLiteral: "\(table)")
        self.tables = tables
    }

    /// Runs `body`, which needs no table to be made for it, such as reading; nil where there is none yet.
    @discardableResult
    package func ifMade<Result>(_ body: () async throws -> Result?) async throws -> Result? {
        do {
            return try await body()
        } catch let error as PostgreSQLError where error.state == Self.undefinedTable {
            return nil
        }
    }

    /// Runs `body`, which writes, when the tables are there.
    ///
    /// Tables that were there and are missing were in another database, which this one has replaced:
    /// they are made again.
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

    /// Checks that the tables, if there are any, are of this version.
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

    /// Makes the tables; of two servers that start at once, one does.
    private func make(_ client: PostgreSQLClient) async throws {
        try await check(client)
        try await client.transaction(.readCommitted) { [self] transaction in
            // A number of our own, held until the transaction ends.
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
