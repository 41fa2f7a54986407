import BehaviorStore
import Eventually
import Locking
import PostgreSQL
import Testing

@Suite(
    "Behavior documents in PostgreSQL",
    .enabled(
        if: StoreKind.database != nil,
        "Tests/run starts a PostgreSQL, where one is installed"
    )
)
struct PostgreSQLBehaviorsTests {
    @Test(
        "an edited audit row is found",
        arguments: [
            "at = at + 1", "author = '3'", "author_name = 'eve'", "change = 'draft'",
            "before = NULL", "after = replace(after, 'true', 'false')", "hash = ''",
        ]
    )
    func edited(what: String) async throws {
        let desk = try Desk(.postgresql)
        for word in ["one", "two", "three"] { try await desk.put(word) }
        try await desk.store.tamper("UPDATE plugboard_audit SET \(what) WHERE sequence = 2")
        let check = try await AuditCheck(desk.store.backend())
        #expect(check.findings.contains { $0.hasPrefix("row 2 was edited") })
    }

    @Test("an unreachable database is reported as unavailable, without its password")
    func unavailable() async throws {
        let address = try PostgreSQLAddress("postgres://ada:s3cret@/app?host=/nowhere/at/all")
        let store = PostgreSQLBehaviors(try PostgreSQLClient(address), logger: KeptStore.quiet)
        let documents = BehaviorDocuments(store)
        let key = try #require(DocumentKey("default"))
        for _ in 0..<2 {
            do {
                _ = try await documents.put(Desk.text("one"), as: key, by: Desk.ada)
                Issue.record("it was put")
            } catch BehaviorStoreError.unavailable(let reason) {
                #expect(reason.contains("/nowhere/at/all"))
                #expect(!reason.contains("s3cret"))
            }
        }
    }

    @Test("the store's time is the database's, and unknown before the first connection")
    func time() async throws {
        let client = try PostgreSQLClient(#require(StoreKind.database))
        let store = PostgreSQLBehaviors(client, logger: KeptStore.quiet)
        #expect(store.currentTime == nil)
        _ = try await store.head()
        let now = try #require(store.currentTime)
        let rows = try await client.run(
            "SELECT extract(epoch FROM clock_timestamp())::bigint AS now"
        )
        let database: Int = try #require(try rows.first?.get("now"))
        // The store's time may be late by its measurement, and never early.
        #expect((0..<60).contains(database - now))
    }

    @Test("live revisions stay live during a database loss, and later changes follow after it")
    func loss() async throws {
        let desk = try Desk(.postgresql)
        try await desk.put("one")
        let live = LiveBehaviors()
        let store = try desk.store.postgresql()
        let other = BehaviorDocuments(store, as: live)
        try other.begin()
        let watching = Task { await other.run() }
        defer { watching.cancel() }
        for word in ["two", "three"] {
            // All connections of this store's listeners; what is put meanwhile isn't told to them.
            try await desk.store.tamper(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = current_setting('application_name')
                    AND query IN ('LISTEN "plugboard_behaviors"', 'SELECT 1')
                """
            )
            #expect(live["default"] != nil)
            try await desk.put(word)
            try await eventually("\(word) is live") {
                live["default"]?.revision?.bytes == Desk.text(word)
            }
        }
        #expect(store.loss == nil)
    }

    @Test(
        "a running server doesn't recreate tables that were dropped"
    )
    func replaced() async throws {
        let desk = try Desk(.postgresql)
        try await desk.put("one")
        for table in ["audit", "revision", "document", "record", "schema"] {
            try await desk.store.tamper("DROP TABLE plugboard_\(table)")
        }
        let head = try await desk.store.backend().head()
        #expect(head == .none)
        let error = await desk.error { try await desk.put("two") }
        #expect(error == .unavailable("the store was emptied"))
        #expect(desk.documents.loss == "the store was emptied")
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
        let anew = try await desk.elsewhere().put(Desk.text("two"), as: desk.key, by: Desk.ada)
        #expect(anew.info.number == 1)
    }

    @Test("a database of another version is rejected at start-up, and nothing is written")
    func otherVersion() async throws {
        let desk = try Desk(.postgresql)
        try await desk.put("one")
        try await desk.store.tamper("UPDATE plugboard_schema SET version = 3")
        let documents = BehaviorDocuments(try desk.store.other())
        let errors: [PostgreSQLError?] = [
            #expect(throws: PostgreSQLError.self) { try documents.begin() },
            await #expect(throws: PostgreSQLError.self) {
                try await documents.put(Desk.text("two"), as: desk.key, by: Desk.ada)
            },
        ]
        for error in errors {
            #expect(
                error?.message.hasSuffix(
                    "plugboard_schema has version 3, and this version knows 2; start the version that "
                        + "wrote it, or choose another database"
                ) == true
            )
        }
        #expect(try await desk.documents.history(of: desk.key).count == 1)
    }
}
