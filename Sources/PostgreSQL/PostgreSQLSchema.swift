import Locking

/// Tables and how they came about, step by step; they are made with the first that is written.
///
/// A step is never changed once it was released: what is new is another step.
package final class PostgreSQLSchema: Sendable {
    /// The table of the steps that were done.
    private let table: String
    private let steps: [[SQLStatement]]
    private let isMade = Locked(false)

    /// A table isn't there (PostgreSQL's Appendix A).
    private static let undefinedTable = "42P01"

    /// The tables that its steps lead to; the first names that of its steps' number.
    package init(_ table: StaticString, _ steps: [[SQLStatement]]) {
        self.table = "\(table)"
        self.steps = steps
    }

    /// Does what needs no table to be made for it, such as reading; nil where there is none yet.
    @discardableResult
    package func ifMade<Result>(_ body: () async throws -> Result?) async throws -> Result? {
        do {
            return try await body()
        } catch let error as PostgreSQLError where error.state == Self.undefinedTable {
            return nil
        }
    }

    /// Writes, when the tables are there.
    ///
    /// Where they are gone that were there, another database has taken the place of the first: they
    /// are made again.
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

    /// Brings the tables to their newest state; of two servers that begin at once, one does.
    private func make(_ client: PostgreSQLClient) async throws {
        let (table, steps) = (SQLStatement(stringLiteral: table), steps)
        try await client.transaction(.readCommitted) { transaction in
            // A number of our own, held until the transaction ends.
            try await transaction.run("SELECT pg_advisory_xact_lock(5784276301)")
            try await transaction.run(
                "CREATE TABLE IF NOT EXISTS \(table) (version bigint NOT NULL)"
            )
            let version: Int? = try await transaction.run(
                "SELECT coalesce(max(version), 0) AS version FROM \(table)"
            ).first?.get("version")
            for (index, step) in steps.enumerated().dropFirst(version ?? 0) {
                for statement in step { try await transaction.run(statement) }
                try await transaction.run("INSERT INTO \(table) VALUES (\(index + 1))")
            }
        }
        isMade.withLock { $0 = true }
    }
}
