import BehaviorStore
import Testing

@Suite("The verifying of the audit")
struct AuditCheckTests {
    private func desk(_ kind: StoreKind) async throws -> Desk {
        let desk = try Desk(kind)
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await desk.documents.publish(2, of: desk.key, by: Desk.bob)
        _ = try await desk.documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        try await desk.put("four")
        return desk
    }

    @Test(
        "each change is a row: who, when, from where, before and after",
        arguments: StoreKind.allCases
    )
    func rows(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let rows = try await desk.store.keeping().audit(after: 0, limit: 100)
        #expect(rows.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(rows.map(\.change) == ["publish", "draft", "publish", "rollback", "publish"])
        #expect(rows.map(\.author) == [Desk.ada, Desk.ada, Desk.bob, Desk.bob, Desk.ada])
        #expect(rows.allSatisfy { $0.at == 1_000_000 && $0.name == "default" })
        #expect(rows[0].before == nil)
        #expect(rows[3].before?.contains(#""revision":2"#) == true)
        #expect(rows[3].after?.contains(#""revision":3"#) == true)
        let newest = try await desk.store.keeping().audit(before: 5, limit: 2)
        #expect(newest.map(\.sequence) == [4, 3])
        let check = try await AuditCheck(desk.store.keeping())
        #expect(check.findings == [])
        #expect(check.count == 5)
        #expect(check.head == AuditHead(rows[4]))
    }

    @Test(
        "a row that was edited is found, whatever was edited of it",
        arguments: [
            "at = at + 1", "author = '1'", "authorName = 'eve'", "address = ''", "change = 'draft'",
            "environment = 'staging'", "name = 'other'", "before = '{}'", "before = NULL",
            "after = replace(after, 'true', 'false')", "at = 'a text'", "hash = ''",
        ]
    )
    func edited(what: String) async throws {
        let desk = try await desk(.sqlite)
        try await desk.store.tamper("UPDATE behaviorAudit SET \(what) WHERE sequence = 3")
        let check = try await AuditCheck(desk.store.keeping())
        #expect(check.findings.contains { $0.hasPrefix("row 3 was edited") })
    }

    @Test("who moves a text from one member to the next is found")
    func moved() async throws {
        let desk = try await desk(.sqlite)
        try await desk.store.tamper(
            "UPDATE behaviorAudit SET author = '1a', authorName = 'da' WHERE sequence = 1"
        )
        let check = try await AuditCheck(desk.store.keeping())
        #expect(check.findings.contains { $0.hasPrefix("row 1 was edited") })
    }

    @Test("a row that was removed is found, and which")
    func removed() async throws {
        for (place, finding) in [
            (1, "row 1 is missing"), (3, "row 3 is missing"),
            (5, "default in production: no row tells of revision 4"),
        ] {
            let desk = try await desk(.sqlite)
            try await desk.store.tamper("DELETE FROM behaviorAudit WHERE sequence = \(place)")
            let check = try await AuditCheck(desk.store.keeping())
            #expect(check.findings.contains(finding), "\(check.findings)")
        }
    }

    @Test("a row whose place another has taken is found: numbers closed up, hash and all")
    func closed() async throws {
        let desk = try await desk(.sqlite)
        try await desk.store.tamper(
            """
            DELETE FROM behaviorAudit WHERE sequence = 3;
            UPDATE behaviorAudit SET sequence = 3 WHERE sequence = 4;
            UPDATE behaviorAudit SET sequence = 4 WHERE sequence = 5;
            """
        )
        let check = try await AuditCheck(desk.store.keeping())
        #expect(check.findings.contains("row 3 is another's: it was written as row 4"))
    }

    @Test("rows whose order was changed are found, and where they were")
    func reordered() async throws {
        let desk = try await desk(.sqlite)
        try await desk.store.tamper(
            """
            UPDATE behaviorAudit SET sequence = 100 WHERE sequence = 2;
            UPDATE behaviorAudit SET sequence = 2 WHERE sequence = 3;
            UPDATE behaviorAudit SET sequence = 3 WHERE sequence = 100;
            """
        )
        let check = try await AuditCheck(desk.store.keeping())
        #expect(check.findings.contains("row 2 is another's: it was written as row 3"))
        #expect(check.findings.contains("row 3 is another's: it was written as row 2"))
    }

    @Test("documents that aren't what the rows say are found")
    func documents() async throws {
        for (sql, finding) in [
            (
                "UPDATE behaviorRevision SET bytes = '[]' WHERE number = 2",
                "default in production: revision 2 isn't what was put"
            ),
            (
                "DELETE FROM behaviorRevision WHERE number = 2",
                "default in production: revision 2 is missing"
            ),
            (
                "UPDATE behaviorDocument SET live = 2",
                "default in production: revision 2 is live, and the rows say revision 4"
            ),
            ("DELETE FROM behaviorDocument", "default in production is missing"),
        ] {
            let desk = try await desk(.sqlite)
            try await desk.store.tamper(sql)
            let check = try await AuditCheck(desk.store.keeping())
            #expect(check.findings == [finding])
        }
    }

    @Test("where nothing was ever changed all is right", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        let check = try await AuditCheck(KeptStore(kind).keeping())
        #expect(check.findings == [])
        #expect(check.count == 0)
        #expect(check.head == .none)
    }
}
