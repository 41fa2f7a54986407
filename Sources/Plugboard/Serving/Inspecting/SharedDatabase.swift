import BehaviorStore
import Glibc
package import PostgreSQL

/// The state of a PostgreSQL database that servers share, for an operator.
///
/// The inspection changes nothing in it.
package struct SharedDatabase: Sendable {
    /// User, host, port and database, without the password.
    package let address: String
    /// PostgreSQL's version, such as `15.14`.
    package private(set) var version = ""
    /// The reason why this user can't write; nil if it can.
    package private(set) var writeProblem: String?
    /// The seconds by which the database's clock is ahead of this machine's.
    package private(set) var clockLead = 0.0
    /// The reason why this version rejects the tables; nil if it can use them.
    package private(set) var newer: String?
    /// The migrations that are missing, such as `plugboard_schema 1 → 2`.
    package private(set) var pending: [String] = []
    /// Whether the server's tables exist.
    package private(set) var hasTables = false
    /// The schemas without tables.
    package private(set) var missing: [String] = []
    /// The reason why the user can't create tables; nil if it can.
    private var creationProblem: String?
    /// The documents; nil if the tables are missing or unreadable.
    package private(set) var contents: DocumentContents?

    /// Connects to the database of a URL and reads its state.
    ///
    /// - Throws: `PostgreSQLError` if the URL is invalid, libpq is missing, or the database is
    ///   unavailable.
    package init(
        _ url: String,
        environment: String,
        schemas: [PostgreSQLSchema] = []
    ) async throws {
        self.schemas = DatabaseSchemas.all + schemas
        let client = try PostgreSQLClient(PostgreSQLAddress(url))
        address = client.address.description
        do {
            try await readServer(client)
            try await readTables(client)
            if !hasTables || hasReadableTables {
                try await readVersions(client)
                try await readContents(client, environment)
            }
            // A user needs no permission to create tables if all are there.
            if !missing.isEmpty || !pending.isEmpty {
                writeProblem = writeProblem ?? creationProblem
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private let schemas: [PostgreSQLSchema]
    private var hasReadableTables = false

    private mutating func readServer(_ client: PostgreSQLClient) async throws {
        let before = Self.now
        let rows = try await client.run(
            """
            SELECT current_setting('server_version') AS version,
                current_setting('transaction_read_only') AS read_only,
                coalesce(current_schema()::text, '') AS schema,
                coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates,
                extract(epoch FROM clock_timestamp())::float8 AS clock
            """
        )
        let after = Self.now
        guard let row = rows.first else { return }
        version = try row.get("version")
        let clock: Double = try row.get("clock")
        // The response's time is within the request's: only the rest is a difference.
        clockLead = clock < before ? clock - before : max(0, clock - after)
        let (readOnly, schema): (String, String) = (try row.get("read_only"), try row.get("schema"))
        let creates: Bool = try row.get("creates")
        if readOnly == "on" {
            writeProblem = "the database is read-only: connect to the primary server"
        } else if schema.isEmpty {
            writeProblem = "the user has no schema: set its search_path"
        } else if !creates {
            creationProblem =
                "the user can't create tables: run the command migrate as a user that can, or GRANT "
                + "USAGE, CREATE ON SCHEMA \(schema) TO the user"
        }
    }

    /// Reads the permissions for existing tables, which need no permission to create others.
    private mutating func readTables(_ client: PostgreSQLClient) async throws {
        let rows = try await client.run(
            """
            SELECT c.relname::text AS name, has_table_privilege(c.oid, 'SELECT') AS reads,
                has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
                    AND has_table_privilege(c.oid, 'DELETE') AS writes
            FROM pg_class AS c
            WHERE c.relkind IN ('r', 'p') AND c.relname LIKE 'plugboard\\_%'
                AND pg_table_is_visible(c.oid)
            ORDER BY c.relname
            """
        )
        guard !rows.isEmpty else { return }
        hasTables = true
        var denied: [String] = []
        var unreadable = false
        // A server only reads the tables of the versions.
        let versions = Set(schemas.map(\.name))
        for row in rows {
            let (reads, writes): (Bool, Bool) = (try row.get("reads"), try row.get("writes"))
            let name: String = try row.get("name")
            if !reads { unreadable = true }
            if !reads || !writes && !versions.contains(name) { denied.append(name) }
        }
        hasReadableTables = !unreadable
        guard let first = denied.first else { return }
        let others = denied.count > 1 ? " and \(denied.count - 1) more" : ""
        writeProblem =
            "the user can't write \(first)\(others): GRANT SELECT, INSERT, UPDATE, DELETE ON "
            + "\(denied.joined(separator: ", ")) TO the user"
    }

    private mutating func readVersions(_ client: PostgreSQLClient) async throws {
        for schema in schemas {
            let (stored, known) = try await schema.versions(client)
            guard let stored else {
                missing.append(schema.name)
                continue
            }
            if stored < known { pending.append("\(schema.name) \(stored) → \(known)") }
            guard stored > known, newer == nil else { continue }
            do {
                try await schema.check(client)
            } catch let error as PostgreSQLError {
                newer = error.message
            }
        }
    }

    private mutating func readContents(
        _ client: PostgreSQLClient,
        _ environment: String
    ) async throws {
        guard hasReadableTables, newer == nil else { return }
        let schema = PostgreSQLBehaviors.schema()
        let changes = try await schema.ifMade {
            try await client.run("SELECT max(at) AS at FROM plugboard_administration")
        }
        // Null without a row: a server may have stored its scopes only.
        let changed = try changes?.first?.get("at", as: Int?.self) ?? nil
        contents = try await schema.ifMade {
            var contents = DocumentContents()
            let times = try await client.run("SELECT max(at) AS at FROM plugboard_audit")
            let published = try times.first?.get("at", as: Int?.self) ?? nil
            contents.newestTime = [published, changed].compactMap(\.self).max()
            contents.live = try await client.run(
                """
                SELECT name FROM plugboard_document
                WHERE environment = \(environment) AND live IS NOT NULL ORDER BY name
                """
            ).map { try $0.get("name") }
            return contents
        }
    }

    /// This machine's clock in seconds since 1970.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
