import BehaviorStore
import Eventually
import Locking
import Testing

@Suite("Verification of the audit")
struct AuditCheckTests {
    @Test(
        "each change has a row with author, time, address, and the states before and after",
        arguments: StoreKind.allCases
    )
    func rows(kind: StoreKind) async throws {
        let desk = try await Desk.revised(kind)
        let rows = try await desk.store.backend().audit(after: 0, limit: 100)
        #expect(rows.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(rows.map(\.change) == ["publish", "draft", "publish", "rollback", "publish"])
        #expect(rows.map(\.author) == [Desk.ada, Desk.ada, Desk.bob, Desk.bob, Desk.ada])
        #expect(rows.allSatisfy { $0.at == 1_000_000 && $0.name == "default" })
        #expect(rows[0].before == nil)
        #expect(rows[3].before?.contains(#""revision":2"#) == true)
        #expect(rows[3].after?.contains(#""revision":3"#) == true)
        let newest = try await desk.store.backend().audit(before: 5, limit: 2)
        #expect(newest.map(\.sequence) == [4, 3])
        let check = try await AuditCheck(desk.store.backend())
        #expect(check.findings == [])
        #expect(check.count == 5)
        #expect(check.head == AuditHead(rows[4]))
    }

    @Test(
        "an edited row is found, for each column",
        arguments: StoreKind.databases,
        [
            "at = at + 1", "author = '1'", "author_name = 'eve'", "address = ''",
            "change = 'draft'",
            "environment = 'staging'", "name = 'other'", "before = '{}'", "before = NULL",
            "after = replace(after, 'true', 'false')", "hash = ''",
            "at = -9223372036854775808",
        ]
    )
    func edited(kind: StoreKind, what: String) async throws {
        let desk = try await Desk.revised(kind)
        let found = try await desk.findings(
            after: "UPDATE plugboard_audit SET \(what) WHERE sequence = 3"
        )
        #expect(found.contains { $0.hasPrefix("row 3 was edited") })
    }

    @Test("a value with the wrong column type is found")
    func otherType() async throws {
        let desk = try await Desk.revised(.sqlite)
        let found = try await desk.findings(
            after: "UPDATE plugboard_audit SET at = 'a text' WHERE sequence = 3"
        )
        #expect(found.contains { $0.hasPrefix("row 3 was edited") })
        #expect(found.contains("plugboard_audit.at has an invalid value"))
    }

    @Test("text moved from one member to the next is found", arguments: StoreKind.databases)
    func moved(kind: StoreKind) async throws {
        let desk = try await Desk.revised(kind)
        let found = try await desk.findings(
            after: "UPDATE plugboard_audit SET author = '1a', author_name = 'da' WHERE sequence = 1"
        )
        #expect(found.contains { $0.hasPrefix("row 1 was edited") })
    }

    @Test("a removed row is found by its number", arguments: StoreKind.databases)
    func removed(kind: StoreKind) async throws {
        for (place, finding) in [
            (1, "row 1 is missing"), (3, "row 3 is missing"),
            (5, "default in production: no row mentions revision 4"),
        ] {
            let desk = try await Desk.revised(kind)
            let found = try await desk.findings(
                after: "DELETE FROM plugboard_audit WHERE sequence = \(place)"
            )
            #expect(found.contains(finding), "\(found)")
        }
    }

    @Test(
        "a removed row is found even if the numbers of later rows are closed up",
        arguments: StoreKind.databases
    )
    func closed(kind: StoreKind) async throws {
        let desk = try await Desk.revised(kind)
        let found = try await desk.findings(
            after: """
                DELETE FROM plugboard_audit WHERE sequence = 3;
                UPDATE plugboard_audit SET sequence = 3 WHERE sequence = 4;
                UPDATE plugboard_audit SET sequence = 4 WHERE sequence = 5
                """
        )
        #expect(found.contains("row 3 was moved: it was written as row 4"))
    }

    @Test(
        "reordered rows are found with their original places",
        arguments: StoreKind.databases
    )
    func reordered(kind: StoreKind) async throws {
        let desk = try await Desk.revised(kind)
        let found = try await desk.findings(
            after: """
                UPDATE plugboard_audit SET sequence = 100 WHERE sequence = 2;
                UPDATE plugboard_audit SET sequence = 2 WHERE sequence = 3;
                UPDATE plugboard_audit SET sequence = 3 WHERE sequence = 100
                """
        )
        #expect(found.contains("row 2 was moved: it was written as row 3"))
        #expect(found.contains("row 3 was moved: it was written as row 2"))
    }

    @Test(
        "an inserted row is found at the beginning, in the middle and at the end",
        arguments: StoreKind.databases
    )
    func inserted(kind: StoreKind) async throws {
        func copy(of place: Int, as other: Int) -> String {
            """
            INSERT INTO plugboard_audit SELECT \(other), at, author, author_name, address, change,
                environment, name, before, after, previous, hash
            FROM plugboard_audit WHERE sequence = \(place)
            """
        }
        let between = [5, 4, 3].map {
            "UPDATE plugboard_audit SET sequence = \($0 + 1) WHERE sequence = \($0);\n"
        }
        for (sql, finding) in [
            (copy(of: 1, as: 0), "row 0 was inserted: the first one is row 1"),
            (copy(of: 1, as: -Int.max), "row \(-Int.max) was inserted: the first one is row 1"),
            (
                between.joined() + copy(of: 2, as: 3),
                "row 4 was moved: it was written as row 3"
            ),
            (copy(of: 5, as: 6), "row 6 was moved: it was written as row 5"),
            (copy(of: 5, as: .max), "rows 6 to \(Int.max - 1) are missing"),
        ] {
            let desk = try await Desk.revised(kind)
            let found = try await desk.findings(after: sql)
            #expect(found.contains(finding), "\(found)")
        }
    }

    @Test("documents that differ from the rows are found", arguments: StoreKind.databases)
    func documents(kind: StoreKind) async throws {
        for (sql, finding) in [
            (
                "UPDATE plugboard_revision SET bytes = '[]' WHERE number = 2",
                "default in production: revision 2 doesn't match its digest"
            ),
            (
                "UPDATE plugboard_revision SET author_name = 'eve' WHERE number = 2",
                "default in production: revision 2's author, time or message differs from the rows"
            ),
            (
                "UPDATE plugboard_revision SET message = 'For fun' WHERE number = 3",
                "default in production: revision 3's author, time or message differs from the rows"
            ),
            (
                "DELETE FROM plugboard_revision WHERE number = 2",
                "default in production: revision 2 is missing"
            ),
            (
                "UPDATE plugboard_document SET live = 2",
                "default in production: revision 2 is live, but the rows say revision 4"
            ),
            (
                "UPDATE plugboard_document SET since = 1",
                "default in production: the live revision's time differs from the rows"
            ),
            (
                "UPDATE plugboard_document SET latest = 9",
                "default in production: revision 9 is the newest, but the rows say "
                    + "revision 4"
            ),
        ] {
            let desk = try await Desk.revised(kind)
            let found = try await desk.findings(after: sql)
            #expect(found == [finding])
        }
    }

    @Test(
        "approvals, schedules and rules that differ from the rows are found",
        arguments: StoreKind.databases
    )
    func records(kind: StoreKind) async throws {
        for (sql, finding) in [
            (
                #"UPDATE plugboard_record SET value = '{"approvals":0}' WHERE kind = 'rules'"#,
                "the rules of production: the value differs from the rows"
            ),
            (
                "DELETE FROM plugboard_record WHERE kind = 'rules'",
                "the rules of production: the record is missing"
            ),
            (
                "UPDATE plugboard_record SET value = replace(value, '\"2\"', '\"3\"') "
                    + "WHERE kind = 'draft'",
                "draft 2 of default in production: the value differs from the rows"
            ),
            (
                "UPDATE plugboard_record SET value = replace(value, '2000000', '1') "
                    + "WHERE kind = 'schedule'",
                "schedule 5 of default in production: the value differs from the rows"
            ),
            (
                "DELETE FROM plugboard_record WHERE kind = 'schedule'",
                "schedule 5 of default in production: the record is missing"
            ),
            (
                "DELETE FROM plugboard_audit WHERE sequence = 5",
                "no row mentions schedule 5 of default in production"
            ),
            (
                "INSERT INTO plugboard_record VALUES ('rules', 'staging', '', '', '{}')",
                "no row mentions the rules of staging"
            ),
            (
                "INSERT INTO plugboard_record VALUES ('draft', 'production', 'default', '1', '{}')",
                "no row mentions draft 1 of default in production"
            ),
        ] {
            let desk = try await Desk.released(kind)
            #expect(try await desk.findings() == [])
            let found = try await desk.findings(after: sql)
            #expect(found == [finding])
        }
    }

    @Test(
        "rows record how a schedule ends: fired, cancelled or failed",
        arguments: StoreKind.allCases
    )
    func schedules(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        try await desk.put("three", isDraft: true)
        // Two equal schedules differ in their numbers.
        _ = try await documents.schedule(2, of: desk.key, at: 2_000, by: Desk.bob)
        let same = try await documents.schedule(2, of: desk.key, at: 2_000, by: Desk.bob)
        _ = try await documents.schedule(1, of: desk.key, at: 2_001, by: Desk.bob)
        _ = try await documents.schedule(3, of: desk.key, at: 2_002, by: Desk.bob)
        let kept = try await documents.schedule(1, of: desk.key, at: 9_000, by: Desk.bob)
        let isCancelled = try await documents.cancel(same.id, of: desk.key, by: Desk.ada)
        #expect(isCancelled)
        #expect(try await desk.findings() == [])
        clock.withLock { $0 = 3_000 }
        let running = Task { await documents.run() }
        defer { running.cancel() }
        try await eventually("the other schedules are over") {
            try await documents.schedules(of: desk.key) == [kept]
        }
        let rows = try await desk.store.backend().audit(after: 9, limit: 10)
        let beyond = try await desk.store.backend().audit(after: .max, limit: 10)
        #expect(beyond.isEmpty)
        #expect(rows.map(\.change) == ["publish", "rollback", "schedule ended"])
        #expect(rows[0].after?.contains(#""schedule":4"#) == true)
        #expect(try await desk.findings() == [])
    }

    @Test("concurrent changes cause no findings", arguments: StoreKind.allCases)
    func busy(kind: StoreKind) async throws {
        let desk = try await Desk.revised(kind)
        // Others change at the worst moments: between one look and the next, a few times.
        let changes = Locked(0)
        let disturb = { @Sendable in
            let number = changes.withLock { changes in
                changes += 1
                return changes
            }
            if number <= 6 { try await desk.put("\(number)") }
        }
        var hooks = HookedBehaviors.Hooks()
        hooks.behindDocuments = disturb
        hooks.beforeRevisions = { before in
            guard before == nil else { return }
            changes.withLock { $0 = 3 }
            try await disturb()
        }
        let busy = HookedBehaviors(try desk.store.backend(), hooks)
        let check = try await AuditCheck(busy)
        #expect(check.findings == [])
        #expect(changes.withLock { $0 } >= 3)
        let forged = try await AuditCheck(busy, expecting: "a hash that no row has")
        #expect(forged.findings == ["no row has the hash a hash that no row has"])
    }

    @Test("a store without changes has no findings", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        let check = try await AuditCheck(KeptStore(kind).backend())
        #expect(check.findings == [])
        #expect(check.count == 0)
        #expect(check.head == .none)
    }
}
