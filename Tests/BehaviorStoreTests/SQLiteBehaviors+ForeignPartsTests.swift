import BehaviorStore
import Testing

@Suite("Parts of SQLite's tables that the store didn't create")
struct SQLiteBehaviorsForeignPartsTests {
    @Test(
        "foreign views, triggers, indexes and columns are found",
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
            (
                "DROP TABLE plugboard_record; CREATE VIEW plugboard_record AS SELECT 1 AS other",
                [
                    "the table plugboard_record is missing",
                    "the view plugboard_record isn't in the schema",
                ]
            ),
            ("DROP TABLE plugboard_audit", ["the table plugboard_audit is missing"]),
        ]
    )
    func sqlite(sql: String, parts: [String]) async throws {
        let desk = try Desk(.sqlite)
        try await desk.put("one")
        #expect(try await desk.findings() == [])
        let found = try await desk.findings(after: sql)
        for part in parts { #expect(found.contains(part), "\(found)") }
    }
}
