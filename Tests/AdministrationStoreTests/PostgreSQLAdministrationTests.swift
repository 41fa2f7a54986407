import AdministrationStore
import Eventually
import Locking
import PostgreSQL
import TestDatabase
import TestLog
import Testing

@Suite("Tokens and plugs in PostgreSQL", .enabled(if: !AdministrationKind.remote.isEmpty))
struct PostgreSQLAdministrationTests {
    private func record(_ name: String, in backend: any AdministrationBackend) async throws {
        try await backend.change { try $0.record(.setPlug, of: name, to: "1", by: .server) }
    }

    @Test("a lost connection is logged once, and changes during the outage are read afterwards")
    func reconnection() async throws {
        let place = try AdministrationPlace(.postgresql)
        let journal = Journal()
        let (server, other) = (try place.backend(journal.logger), try place.backend())
        try await record("a", in: other)
        let seen = Locked(0)
        let task = Task {
            await server.watch {
                let head = try? await server.head().sequence
                seen.withLock { $0 = head ?? $0 }
            }
        }
        try await eventually("listening") { seen.withLock { $0 } == 1 }
        #expect(server.loss == nil)
        let client = try place.client()
        for number in 2...3 {
            try await client.run(
                """
                SELECT pg_terminate_backend(pid)::text AS ended FROM pg_stat_activity
                WHERE application_name = \(place.name) AND pid <> pg_backend_pid()
                    AND (query LIKE \("LISTEN%") OR query LIKE \("SELECT extract(epoch%"))
                """
            )
            // PostgreSQL ends the connection after its response.
            try await eventually("lost") {
                journal.lines.count { $0.contains("is lost") } == number - 1
            }
            try await record("b", in: other)
            try await eventually("the change is read") { seen.withLock { $0 } == number }
            try await eventually("connected") { server.loss == nil }
        }
        #expect(journal.lines.count { $0.contains("is lost") } == 2)
        task.cancel()
        await task.value
    }

    @Test("tables that disappear are an outage, until a new start accepts an empty database")
    func emptied() async throws {
        let place = try AdministrationPlace(.postgresql)
        let journal = Journal()
        let backend = try place.backend(journal.logger)
        try await record("a", in: backend)
        try place.run("DROP SCHEMA \(place.name) CASCADE", "CREATE SCHEMA \(place.name)")
        for _ in 0..<2 {
            await #expect(throws: AdministrationError.self) { try await backend.head() }
            await #expect(throws: AdministrationError.self) { try await record("b", in: backend) }
            await #expect(throws: AdministrationError.self) {
                try await backend.commit([], after: AdministrationHead.none)
            }
        }
        #expect(backend.loss?.contains("has lost its tables") == true)
        #expect(journal.lines.count { $0.contains("has lost its tables") } == 1)
        let restarted = try place.backend()
        #expect(try await restarted.head() == .none)
        try await record("c", in: restarted)
        #expect(try await backend.head().sequence == 1)
        #expect(backend.loss == nil)
    }

    @Test("an unavailable database is an outage without its password")
    func unavailable() async throws {
        let address = try PostgreSQLAddress("postgres://ada:secret@127.0.0.1:1/none")
        let backend = PostgreSQLAdministration(
            try PostgreSQLClient(address),
            logger: AdministrationPlace.quiet
        )
        let error = await #expect(throws: AdministrationError.self) { try await backend.head() }
        #expect(error?.description.contains("secret") == false)
        #expect(throws: AdministrationError.self) { try backend.readNow([backend.tables.head]) }
        #expect(backend.loss != nil)
    }

    @Test(
        "views, triggers, rules and hidden rows are found",
        arguments: [
            (
                """
                ALTER TABLE plugboard_token RENAME TO kept;
                CREATE VIEW plugboard_token AS SELECT * FROM kept
                """,
                "the table plugboard_token is no table"
            ),
            (
                """
                CREATE FUNCTION back() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                CREATE TRIGGER back BEFORE UPDATE ON plugboard_plug
                FOR EACH ROW EXECUTE FUNCTION back()
                """,
                "the table plugboard_plug has the trigger back"
            ),
            (
                "CREATE RULE away AS ON INSERT TO plugboard_administration DO INSTEAD NOTHING",
                "the table plugboard_administration has the rule away"
            ),
            (
                "ALTER TABLE plugboard_scope ENABLE ROW LEVEL SECURITY",
                "the table plugboard_scope shows some rows and others not"
            ),
            (
                "ALTER TABLE plugboard_token DROP CONSTRAINT plugboard_token_pkey",
                "the table plugboard_token has no primary key"
            ),
            (
                "CREATE TABLE more () INHERITS (plugboard_token)",
                "the table plugboard_token has rows of more"
            ),
        ]
    )
    func differences(sql: String, finding: String) async throws {
        let place = try AdministrationPlace(.postgresql)
        let backend = try place.backend()
        try await record("a", in: backend)
        #expect(try await backend.differences() == [])
        for statement in sql.split(separator: ";\n") { try place.run(String(statement)) }
        let found = try await backend.differences()
        #expect(found.contains(finding), "\(found)")
    }

    @Test("a text with a NUL is stored without it")
    func texts() async throws {
        let place = try AdministrationPlace(.postgresql)
        let backend = try place.backend()
        try await backend.change {
            try $0.record(.setPlug, of: "a", to: "1", because: "a\0b\n", by: .server)
        }
        let rows = try await backend.auditRows(after: 0, limit: 1)
        #expect(rows.first?.reason == "a\\u0000b\\n")
    }
}
