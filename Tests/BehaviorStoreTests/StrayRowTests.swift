import BehaviorStore
import Testing

@Suite("Stray rows")
struct StrayRowTests {
    @Test("a number stored as bytes is found")
    func numberOfBytes() async throws {
        let desk = try await Desk.revised(.sqlite)
        let found = try await desk.findings(
            after: "UPDATE plugboard_revision SET size = CAST(size AS BLOB)"
        )
        #expect(found.contains("plugboard_revision.size has 4 invalid values"))
    }

    @Test(
        "a missing document and its remaining revisions are found",
        arguments: StoreKind.databases
    )
    func goneDocument(kind: StoreKind) async throws {
        let left = (1...4).map {
            #"revision \#($0) of "default" in "production" belongs to no document"#
        }
        for (sql, findings) in [
            ("DELETE FROM plugboard_document", left + ["default in production is missing"]),
            (
                "UPDATE plugboard_document SET name = 'No name'",
                [#""No name" in "production" can't be a document"#] + left
                    + ["default in production is missing"]
            ),
        ] {
            let desk = try await Desk.revised(kind)
            #expect(try await desk.findings(after: sql) == findings)
        }
    }

    @Test("rows that no reader uses are found", arguments: StoreKind.databases)
    func unread(kind: StoreKind) async throws {
        let copied =
            "author, author_name, message, digest, size, created, bytes FROM plugboard_revision"
        for (sql, finding) in [
            (
                "INSERT INTO plugboard_record VALUES ('rulez', 'production', '', '', '{}')",
                #"unknown kind of record "rulez""#
            ),
            (
                "INSERT INTO plugboard_revision SELECT 'staging', name, number, \(copied) "
                    + "WHERE number = 1",
                #"revision 1 of "default" in "staging" belongs to no document"#
            ),
            (
                "INSERT INTO plugboard_revision SELECT environment, name, \(Int.max), \(copied) "
                    + "WHERE number = 1",
                #"revision \#(Int.max) of "default" in "production" belongs to no document"#
            ),
        ] {
            let desk = try await Desk.revised(kind)
            #expect(try await desk.findings(after: sql) == [finding])
        }
    }

    @Test(
        "a text that ends with a NUL is found in every column",
        arguments: [
            ("plugboard_document", "environment"), ("plugboard_document", "name"),
            ("plugboard_revision", "author"), ("plugboard_revision", "digest"),
            ("plugboard_record", "kind"), ("plugboard_record", "environment"),
            ("plugboard_record", "name"), ("plugboard_record", "item"),
            ("plugboard_record", "value"),
            ("plugboard_audit", "author"), ("plugboard_audit", "change"),
            ("plugboard_audit", "after"),
            ("plugboard_audit", "hash"),
        ]
    )
    func nul(table: String, column: String) async throws {
        let desk = try await Desk.released(.sqlite)
        #expect(try await desk.findings() == [])
        let found = try await desk.findings(
            after: "UPDATE \(table) SET \(column) = \(column) || char(0)"
        )
        let finding = "\(table).\(column) has "
        #expect(
            found.contains { $0.hasPrefix(finding) && $0.contains(" invalid value") }
        )
    }

    @Test(
        "rules that another column type or a NUL disables are found",
        arguments: [
            "environment = CAST(environment AS BLOB)", "environment = environment || char(0)",
            "kind = CAST(kind AS BLOB)", "name = x''", "kind = kind || char(0, 0)",
        ]
    )
    func disarmed(what: String) async throws {
        let desk = try await Desk.released(.sqlite)
        let found = try await desk.findings(
            after: "UPDATE plugboard_record SET \(what) WHERE kind = 'rules'"
        )
        #expect(found.contains { $0.hasPrefix("plugboard_record.") })
        #expect(try await desk.documents.rules(of: "production").approvals == 0)
    }
}
