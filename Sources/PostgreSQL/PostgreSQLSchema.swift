import Locking

/// The tables of one user of a database, created with the first write.
///
/// A released version's statements never change: databases have their result. A change of the tables
/// is another version. ``check(_:)`` and ``migrate(_:)`` bring an earlier version's tables up to
/// date. A database with tables of a later version is rejected and stays unchanged.
public final class PostgreSQLSchema: Sendable {
    /// The table that contains the version.
    let table: SQLStatement
    /// The statements that lead to each version from the one before it.
    let versions: [[SQLStatement]]
    private let isMade = Locked(false)

    /// SQLSTATE of a missing table (PostgreSQL's Appendix A).
    private static let undefinedTable = "42P01"

    /// Creates a schema from the name of its version table, statements that create its tables, and
    /// those of each later version in order.
    public init(
        _ table: StaticString,
        _ tables: [SQLStatement],
        then changes: [[SQLStatement]] = []
    ) {
        self.table = SQLStatement(stringLiteral: "\(table)")
        versions = [tables] + changes
    }

    /// The name of the table that contains the version.
    public var name: String { table.text }

    /// Runs `body`, such as a read, without creating tables; returns nil if they don't exist.
    @discardableResult
    public func ifMade<Result>(_ body: () async throws -> Result?) async throws -> Result? {
        do {
            return try await body()
        } catch let error as PostgreSQLError where error.state == Self.undefinedTable {
            return nil
        }
    }

    /// Runs `body`, which writes, after creating or changing the tables if necessary.
    ///
    /// If existing tables disappear, another database has replaced the first one: they are created
    /// again.
    ///
    /// - Throws: the body's error or ``PostgreSQLError``, which is
    ///   ``PostgreSQLError/isUnprepared`` if the client may not create the tables.
    @discardableResult
    public func write<Result>(
        _ client: PostgreSQLClient,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let wereMade = isMade.withLock { $0 }
        if !wereMade { try await prepare(client) }
        do {
            return try await body()
        } catch let error as PostgreSQLError
            where error.state == Self.undefinedTable && wereMade
        {
            try await prepare(client)
            return try await body()
        }
    }

    private func prepare(_ client: PostgreSQLClient) async throws {
        let stored = try await storedVersion(client)
        guard stored == versions.count || client.configuration.migrates else {
            throw PostgreSQLError.unprepared(self, stored, client)
        }
        try await migrate(client)
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

    /// Returns the version of existing tables.
    ///
    /// - Throws: also for a version that this program doesn't know.
    func storedVersion(_ client: PostgreSQLClient) async throws -> Int? {
        try await ifMade {
            try check(try await client.run("SELECT max(version) AS version FROM \(table)"), client)
        }
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

    /// The version of the tables that this program uses.
    public var version: Int { versions.count }

    /// Creates or changes the tables; if two servers start at once, only one does.
    ///
    /// - Returns: the version before, 0 if there were no tables.
    /// - Throws: ``PostgreSQLError``, which is ``PostgreSQLError/isUnprepared`` if the user may not
    ///   create or change them.
    @discardableResult
    public func migrate(_ client: PostgreSQLClient) async throws -> Int {
        do {
            // A user that may not create tables needs none if they are there.
            var stored = try await storedVersion(client)
            if stored != versions.count { stored = try await make(client) }
            isMade.withLock { $0 = true }
            return stored ?? 0
        } catch let error as PostgreSQLError where error.isMissingPermission {
            throw PostgreSQLError.forbidden(self, client, error)
        }
    }

    private func make(_ client: PostgreSQLClient) async throws -> Int? {
        try await client.transaction(.readCommitted) { [self] transaction in
            // An arbitrary lock number of this project, held until the transaction ends.
            try await transaction.run("SELECT pg_advisory_xact_lock(5784276301)")
            try await transaction.run(creation)
            let rows = try await transaction.run("SELECT max(version) AS version FROM \(table)")
            let version = try check(rows, client)
            for statement in missing(after: version) { try await transaction.run(statement) }
            return version
        }
    }

    /// The statement that creates the table of the version.
    var creation: SQLStatement { "CREATE TABLE IF NOT EXISTS \(table) (version bigint NOT NULL)" }

    /// Returns the statements that lead from a version to this one, and store this one.
    func missing(after version: Int?) -> [SQLStatement] {
        guard version ?? 0 < versions.count else { return [] }
        let known: SQLStatement = "\(table)"
        let number = SQLStatement(stringLiteral: "\(versions.count)")
        return versions[(version ?? 0)...].joined() + ["INSERT INTO \(known) VALUES (\(number))"]
    }
}
