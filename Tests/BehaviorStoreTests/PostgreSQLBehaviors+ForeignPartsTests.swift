import BehaviorStore
import Testing

@Suite("Parts of PostgreSQL's tables that the store didn't create")
struct PostgreSQLBehaviorsForeignPartsTests {
    @Test(
        "foreign views, triggers, rules, policies, child tables and collations are found",
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
}
