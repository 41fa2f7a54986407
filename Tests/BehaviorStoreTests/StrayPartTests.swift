import BehaviorStore
import Testing

/// Edits of the tables themselves.
@Suite("Tables that aren't as they were made")
struct StrayPartTests {
    @Test(
        "views, triggers, indexes and other columns are found in SQLite",
        arguments: [
            (
                """
                ALTER TABLE plugboard_record RENAME TO kept;
                CREATE VIEW plugboard_record AS SELECT * FROM kept WHERE kind <> 'rules'
                """,
                [
                    "the table plugboard_record is missing",
                    "the view plugboard_record isn't in the schema",
                ]
            ),
            (
                """
                CREATE TRIGGER quiet AFTER INSERT ON plugboard_record WHEN NEW.kind = 'rules'
                BEGIN UPDATE plugboard_record SET value = '{"approvals":0}' WHERE kind = 'rules'; END
                """,
                ["the trigger quiet isn't in the schema"]
            ),
            (
                """
                CREATE TRIGGER far AFTER INSERT ON grdb_migrations
                BEGIN DELETE FROM plugboard_record; END
                """,
                ["the trigger far isn't in the schema"]
            ),
            (
                "CREATE INDEX more ON plugboard_audit (at)", ["the index more isn't in the schema"]
            ),
            (
                """
                ALTER TABLE plugboard_document RENAME TO kept;
                CREATE TABLE plugboard_document (
                    environment TEXT NOT NULL, name TEXT COLLATE NOCASE NOT NULL,
                    latest INTEGER NOT NULL, live INTEGER, since INTEGER,
                    PRIMARY KEY (environment, name)
                ) WITHOUT ROWID;
                INSERT INTO plugboard_document SELECT * FROM kept;
                DROP TABLE kept
                """,
                ["the table plugboard_document differs from the schema"]
            ),
        ]
    )
    func sqlite(sql: String, parts: [String]) async throws {
        let desk = try Desk(.sqlite)
        try await desk.put("one")
        #expect(try await desk.findings() == [])
        let found = try await desk.findings(after: sql)
        for part in parts { #expect(found.contains(part), "\(found)") }
    }

    @Test(
        "views, triggers, rules, policies, heirs and other collations are found in PostgreSQL",
        .enabled(if: StoreKind.allCases.contains(.postgresql)),
        arguments: [
            (
                """
                ALTER TABLE plugboard_record RENAME TO kept;
                CREATE VIEW plugboard_record AS SELECT * FROM kept WHERE kind <> 'rules'
                """,
                "is no table"
            ),
            (
                """
                CREATE FUNCTION quiet() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RETURN NULL; END $$;
                CREATE TRIGGER quiet BEFORE INSERT ON plugboard_record
                FOR EACH ROW EXECUTE FUNCTION quiet()
                """,
                "has the trigger quiet"
            ),
            (
                "CREATE RULE quiet AS ON DELETE TO plugboard_record DO INSTEAD NOTHING",
                "has the rule quiet"
            ),
            (
                "ALTER TABLE plugboard_record ENABLE ROW LEVEL SECURITY",
                "shows some rows and others not"
            ),
            ("CREATE TABLE heir () INHERITS (plugboard_record)", "has rows of heir"),
            (
                "ALTER TABLE plugboard_record DROP CONSTRAINT plugboard_record_pkey",
                "has no primary key"
            ),
            (
                "ALTER TABLE plugboard_record ALTER COLUMN item TYPE text COLLATE \"POSIX\"",
                "compares its item otherwise"
            ),
        ]
    )
    func postgresql(sql: String, how: String) async throws {
        let desk = try Desk(.postgresql)
        try await desk.put("one")
        #expect(try await desk.findings() == [])
        let found = try await desk.findings(after: sql)
        #expect(found.contains("the table plugboard_record \(how)"), "\(found)")
    }

    @Test("bytes that aren't those that were put aren't served", arguments: StoreKind.databases)
    func bytes(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        _ = try await desk.documents.put(
            Desk.text("other"),
            as: try #require(DocumentKey("other")),
            by: Desk.ada
        )
        let edited = "[{\"name\": \"oops\",\n \"actions\": []}]\n"
        let bytes =
            kind == .sqlite ? "CAST('\(edited)' AS BLOB)" : "convert_to('\(edited)', 'UTF8')"
        try await desk.store.tamper(
            "UPDATE plugboard_revision SET bytes = \(bytes) WHERE name = 'default'"
        )
        let live = LiveBehaviors()
        try BehaviorDocuments(desk.store.other(), as: live, logger: KeptStore.quiet).begin()
        #expect(live["default"] != nil && live["default"]?.revision == nil)
        #expect(live["other"]?.revision?.bytes == Desk.text("other"))
    }
}
