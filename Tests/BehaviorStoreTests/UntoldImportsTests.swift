import BehaviorStore
import JSONCodec
import Testing

/// Stores into which the first version took documents over, whose rows say less than what is kept.
@Suite("What the first version imported")
struct UntoldImportsTests {
    /// A store with what the first version took over of another one: a document with two drafts behind what
    /// is live, of which one is approved of and scheduled, and an environment's rules.
    private func desk(
        _ kind: StoreKind,
        _ author: Author = Author(id: "import"),
        _ edit: (inout BehaviorChange) -> Void = { _ in }
    ) async throws -> Desk {
        let other = try Desk(.sqlite) { 900_000 }
        try await other.put("one")
        try await other.put("two")
        try await other.put("three", isDraft: true)
        try await other.put("four", isDraft: true)
        _ = try await other.documents.approve(3, of: other.key, by: Desk.bob)
        _ = try await other.documents.schedule(3, of: other.key, at: 2_000_000, by: Desk.ada)
        try await other.documents.set(
            EnvironmentRules(approvals: 1),
            of: "production",
            by: Desk.ada
        )
        let source = try other.store.keeping()
        let state = try #require(try await source.document(other.key))

        let desk = try Desk(kind)
        let keeping = try desk.store.keeping()
        var head = AuditHead.none
        var change = BehaviorChange(audit: [])
        change.documents = [state]
        for number in 1...state.latest {
            let revision = try #require(try await source.revision(number, of: other.key))
            change.revisions.append(revision)
            let isLive = number == state.live
            let digest = revision.info.digest
            let row = AuditRow(
                after: head,
                at: 1_000_000,
                author: author,
                change: "import",
                environment: desk.key.environment,
                name: desk.key.name,
                from: nil,
                to: #"{"revision":\#(number),"digest":"\#(digest)","live":\#(isLive)}"#
            )
            head = AuditHead(row)
            change.audit.append(row)
        }
        for kind in [RecordKind.draft, .schedule, .rules] {
            for record in try await source.records(kind, environment: nil, name: nil) {
                change.records.append((record.key, record.value))
            }
        }
        edit(&change)
        #expect(try await keeping.commit(change))
        return desk
    }

    private func findings(_ desk: Desk) async throws -> [String] {
        try await AuditCheck(desk.store.keeping()).findings
    }

    @Test("leaves open what its rows don't say: nothing is wrong", arguments: StoreKind.allCases)
    func imported(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let found = try await findings(desk)
        #expect(found == [])
    }

    @Test("goes on, and is held against the rows from then on", arguments: StoreKind.allCases)
    func later(kind: StoreKind) async throws {
        let desk = try await desk(kind)
        let schedules = try await desk.documents.schedules(of: desk.key)
        let schedule = try #require(schedules.first)
        _ = try await desk.documents.cancel(schedule.id, of: desk.key, by: Desk.ada)
        _ = try await desk.documents.approve(4, of: desk.key, by: Desk.bob)
        _ = try await desk.documents.publish(4, of: desk.key, by: Desk.bob)
        try await desk.documents.set(EnvironmentRules(approvals: 0), of: "production", by: Desk.ada)
        try await desk.put("five")
        let found = try await findings(desk)
        #expect(found == [])

        // The rows tell of all of that now.
        let keeping = try desk.store.keeping()
        let row = AuditRow(
            after: try await keeping.head(),
            at: 1_000_000,
            author: Desk.ada,
            change: "rules",
            environment: "staging",
            name: "",
            from: nil,
            to: #"{"approvals":0}"#
        )
        var change = BehaviorChange(audit: [row])
        change.records = [
            (RecordKey(.rules, "staging", ""), #"{"approvals":0}"#),
            (RecordKey(.rules, "production", ""), #"{"approvals":3}"#),
            (RecordKey(.schedule, of: desk.key, String(schedule.id)), "{}"),
            (RecordKey(.draft, of: desk.key, "4"), "{}"),
        ]
        #expect(try await keeping.commit(change))
        let wrong = try await findings(desk)
        #expect(
            Set(wrong) == [
                "what production asks for isn't what the rows say",
                "no row tells of schedule \(schedule.id) of default in production",
                "no row tells of draft 4 of default in production",
            ]
        )
    }

    @Test(
        "is taken over with an archive, and with the archive of what took it over, byte by byte",
        arguments: StoreKind.allCases
    )
    func archived(kind: StoreKind) async throws {
        let text = try await desk(.sqlite).exported()
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(text), by: Desk.bob)
        let again = try await other.exported()
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: text, as: UTF8.self))
        let third = try Desk(kind)
        try await third.documents.load(BehaviorArchive(again), by: Desk.bob)
        let found = try await findings(third)
        #expect(found == [])
        #expect(third.served == String(decoding: Desk.text("two"), as: UTF8.self))

        // The schedule has the number of a row that is another store's.
        let schedule = try #require(try await third.documents.schedules(of: third.key).first)
        let rows = try BehaviorArchive(again).rows
        #expect(schedule.id > rows.count)
        _ = try await third.documents.cancel(schedule.id, of: third.key, by: Desk.ada)
        // The rules came along.
        let refusal = await third.error { try await third.put("five") }
        #expect(refusal != nil)
        try await third.documents.set(
            EnvironmentRules(approvals: 0),
            of: "production",
            by: Desk.ada
        )
        try await third.put("five")
        let last = try Desk(.sqlite)
        try await last.documents.load(BehaviorArchive(third.exported()), by: Desk.bob)
        let lastFound = try await findings(last)
        #expect(lastFound == [])
        #expect(last.served == String(decoding: Desk.text("five"), as: UTF8.self))
    }

    @Test("leaves nothing open in an archive that no store could have: who, since when, whose row")
    func forged() async throws {
        func refusal(_ desk: Desk) async throws -> BehaviorArchive.Invalid? {
            let text = try await desk.exported()
            return #expect(throws: BehaviorArchive.Invalid.self) { try BehaviorArchive(text) }
        }
        for time in [-1, 253_402_300_800, Int.max] {
            let since = try await refusal(desk(.sqlite) { $0.documents[0].since = time })
            #expect(since?.pointer == "/document/since", "\(String(describing: since))")
        }
        let row = try await refusal(desk(.sqlite, Desk.ada))
        #expect(row?.pointer == "/audit/change", "\(String(describing: row))")
        let author = try await refusal(
            desk(.sqlite) { $0.revisions[0].info.author = "a\nb" }
        )
        #expect(author?.pointer == "/revision/author", "\(String(describing: author))")
        // Of a document that wasn't imported, a schedule has the number of a row above.
        let schedule = try await refusal(
            desk(.sqlite) { change in
                let plan = change.records.first { $0.0.kind == .schedule }?.1
                let key = RecordKey(.schedule, "production", "other", "6")
                change.records = [(key, plan)]
            }
        )
        #expect(schedule?.pointer == "/record/item", "\(String(describing: schedule))")
    }

    @Test("is told where it isn't what its rows do say")
    func wrong() async throws {
        let message = try await desk(.sqlite) { $0.revisions[0].info.message = "another" }
        let messages = try await findings(message)
        #expect(messages.count == 1 && messages[0].contains("who made revision 1"), "\(messages)")
        let bytes = try await desk(.sqlite) { $0.revisions[1].bytes[2] = 0x20 }
        let digests = try await findings(bytes)
        #expect(digests.count == 1 && digests[0].contains("isn't what was put"), "\(digests)")
        let live = try await desk(.sqlite) { $0.documents[0].live = 1 }
        let lives = try await findings(live)
        #expect(lives.count == 1 && lives[0].contains("revision 1 is live"), "\(lives)")
        // A draft of what is live, and a schedule of what wasn't imported.
        let records = try await desk(.sqlite) { change in
            change.records.append((RecordKey(.draft, "production", "default", "2"), "{}"))
            change.records.append((RecordKey(.schedule, "production", "other", "1"), "{}"))
        }
        let untold = try await findings(records)
        #expect(
            untold.count == 2 && untold.allSatisfy { $0.hasPrefix("no row tells") },
            "\(untold)"
        )
    }

    @Test("is what the command imported: a row of that name by somebody else leaves nothing open")
    func others() async throws {
        let found = try await findings(desk(.sqlite, Desk.ada))
        #expect(found.contains { $0.contains("who made revision") }, "\(found)")
        #expect(found.contains { $0.contains("since when") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("no row tells") }, "\(found)")
    }
}
