import Eventually
import JSONCodec
import Locking
import Testing

@testable import BehaviorStore

/// The steps from a draft to a live revision, in every kind of store.
@Suite("Approvals, schedules and promotions")
struct ReleaseTests {
    private func conflict(_ error: BehaviorStoreError?) -> Bool {
        if case .conflict = error { true } else { false }
    }

    @Test(
        "where an approval is asked for, nothing goes live without another's",
        arguments: StoreKind.allCases
    )
    func approvals(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let documents = desk.documents
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        let rules = try await documents.rules(of: "production")
        #expect(rules.approvals == 1)
        let others = try await documents.rules(of: "staging")
        #expect(others.approvals == 0)
        #expect(conflict(await desk.error { try await desk.put("two") }))
        try await desk.put("two", isDraft: true)
        func publish() async -> BehaviorStoreError? {
            await desk.error { try await documents.publish(2, of: desk.key, by: Desk.bob) }
        }
        #expect(conflict(await publish()))
        // No way around it: neither as a roll-back nor by the author.
        let back = await desk.error {
            try await documents.rollback(to: 2, of: desk.key, by: Desk.ada)
        }
        #expect(conflict(back))
        // Ada has another token, too.
        for author in [Desk.ada, Author(id: ""), Author(id: "9", name: "ada")] {
            let own = await desk.error {
                try await documents.approve(2, of: desk.key, by: author).approvals.count
            }
            guard case .forbidden = own else {
                Issue.record("\(String(describing: own))")
                continue
            }
        }
        #expect(conflict(await publish()))
        for author in [Desk.bob, Desk.bob, Author(id: "8", name: "bob")] {
            let approved = try await documents.approve(2, of: desk.key, by: author)
            #expect(approved.approvals.map(\.by) == ["2"])
        }
        #expect(await publish() == nil)
        #expect(desk.served == String(decoding: Desk.text("two"), as: UTF8.self))
        // What was live has been approved of.
        _ = try await documents.rollback(to: 1, of: desk.key, by: Desk.ada)
        let live = await desk.error {
            try await documents.approve(3, of: desk.key, by: Desk.bob).approvals.count
        }
        #expect(conflict(live))
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a draft that was patched goes live upon what it was made of, or not at all",
        arguments: StoreKind.allCases
    )
    func overtaken(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        func patch(_ number: Int, _ revision: Int? = nil) async throws -> Int {
            let patch = #"[{"op":"add","path":"/0/v\#(number)","value":1}]"#
            return try await documents.patch(
                desk.key,
                with: Array(patch.utf8),
                as: .operations,
                revision: revision,
                isDraft: true,
                by: Desk.ada
            ).info.number
        }
        try await desk.put("one")
        clock.withLock { $0 += 1 }
        // The second goes live in the second in which the third was made.
        #expect(try await [patch(2), patch(3)] == [2, 3])
        _ = try await documents.publish(2, of: desk.key, by: Desk.bob)
        let error = await desk.error { try await documents.publish(3, of: desk.key, by: Desk.bob) }
        #expect(
            error
                == .conflict(
                    "revision 2 went live after draft 3 was made of revision 1: make it again, or roll back "
                        + "to it to replace that revision"
                )
        )
        // One that was made of an earlier revision on purpose is no slip.
        clock.withLock { $0 += 1 }
        #expect(try await patch(4, 1) == 4)
        #expect(try await documents.publish(4, of: desk.key, by: Desk.bob).live == 4)
        #expect(try await documents.rollback(to: 3, of: desk.key, by: Desk.bob).live == 5)
        #expect(try await desk.findings() == [])
    }

    @Test("a draft of a draft of what is live by now goes live", arguments: StoreKind.allCases)
    func chained(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        for number in 2...4 {
            _ = try await documents.patch(
                desk.key,
                with: Array(#"[{"op":"add","path":"/0/v\#(number)","value":1}]"#.utf8),
                as: .operations,
                revision: number - 1,
                isDraft: true,
                by: Desk.ada
            )
        }
        _ = try await documents.publish(2, of: desk.key, by: Desk.bob)
        #expect(try await documents.publish(4, of: desk.key, by: Desk.bob).live == 4)
    }

    @Test(
        "what is scheduled of a draft is over when the draft goes live",
        arguments: StoreKind.allCases
    )
    func publishedBefore(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        _ = try await documents.schedule(2, of: desk.key, at: 2_000, by: Desk.ada)
        let other = try await documents.schedule(1, of: desk.key, at: 3_000, by: Desk.ada)
        _ = try await documents.publish(2, of: desk.key, by: Desk.bob)
        #expect(try await documents.schedules(of: desk.key) == [other])
        let last = try await desk.store.backend().audit(before: nil, limit: 1).first
        #expect(last?.change == "schedule ended")
        #expect(last?.after == #"{"reason":"went live before"}"#)
        try await desk.put("three")
        clock.withLock { $0 = 2_000 }
        try await documents.fire(at: 2_000)
        #expect(desk.served == String(decoding: Desk.text("three"), as: UTF8.self))
        #expect(try await desk.findings() == [])
        let moved = try Desk(.sqlite)
        try await moved.documents.load(BehaviorArchive(desk.exported()), by: Desk.bob)
    }

    @Test(
        "a draft with unreadable approvals doesn't count as previously live",
        arguments: StoreKind.databases
    )
    func unreadableDraft(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        try await desk.store.tamper(
            #"UPDATE plugboard_record SET value = '{"approvals":"v2"}' WHERE kind = 'draft'"#
        )
        let documents = desk.documents
        let errors = [
            await desk.error { try await documents.rollback(to: 2, of: desk.key, by: Desk.ada) },
            await desk.error { try await documents.publish(2, of: desk.key, by: Desk.ada) },
            await desk.error {
                try await documents.patch(
                    desk.key,
                    with: Array("[]".utf8),
                    as: .operations,
                    revision: 2,
                    isDraft: true,
                    by: Desk.ada
                )
            },
        ]
        for error in errors {
            #expect(error == .unavailable("draft 2 of default in production can't be read"))
        }
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
    }

    @Test("a schedule lies within the years that a timestamp tells", arguments: StoreKind.allCases)
    func latestSchedule(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let latest = 253_402_300_799
        let error = await desk.error {
            try await desk.documents.schedule(1, of: desk.key, at: latest + 1, by: Desk.ada).id
        }
        guard case .invalid(let errors) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(errors.map(\.pointer) == ["/at"])
        _ = try await desk.documents.schedule(1, of: desk.key, at: latest, by: Desk.ada)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a due revision goes live once, on one of several servers",
        arguments: StoreKind.allCases
    )
    func schedules(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        let schedule = try await desk.documents.schedule(2, of: desk.key, at: 2_000, by: Desk.bob)
        let back = try await desk.documents.schedule(1, of: desk.key, at: 3_000, by: Desk.bob)
        let listed = try await desk.documents.schedules(of: desk.key)
        #expect(listed == [schedule, back])
        // Servers that were started after it was made: it is kept, not remembered.
        let servers = try (0..<3).map { _ in
            BehaviorDocuments(try desk.store.other(), now: { clock.withLock { $0 } })
        }
        try await withThrowingTaskGroup { group in
            for server in servers { group.addTask { await server.run() } }
            for _ in 0..<20 { await Task.yield() }
            let early = try await desk.documents.history(of: desk.key).map(\.stage)
            #expect(early == [.draft, .live])
            clock.withLock { $0 = 2_000 }
            try await eventually("the first schedule is over") {
                try await desk.documents.schedules(of: desk.key) == [back]
            }
            let due = try await desk.documents.history(of: desk.key).map(\.stage)
            #expect(due == [.live, .earlier])
            clock.withLock { $0 = 3_000 }
            try await eventually("the second schedule is over") {
                try await desk.documents.schedules(of: desk.key).isEmpty
            }
            group.cancelAll()
        }
        let history = try await desk.documents.history(of: desk.key)
        #expect(history.map(\.info.number) == [3, 2, 1])
        #expect(history.first?.info.author == "2")
        let rows = try await desk.store.backend().audit(after: 0, limit: 100)
        #expect(
            rows.map(\.change)
                == ["publish", "draft", "schedule", "schedule", "publish", "rollback"]
        )
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a schedule can be cancelled, and a failed one is logged",
        arguments: StoreKind.allCases
    )
    func failing(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one", isDraft: true)
        let now = 1_000_000
        let schedule = try await desk.documents.schedule(1, of: desk.key, at: now, by: Desk.ada)
        #expect(try await desk.documents.cancel(schedule.id, of: desk.key, by: Desk.bob))
        #expect(try await !desk.documents.cancel(schedule.id, of: desk.key, by: Desk.bob))
        _ = try await desk.documents.schedule(1, of: desk.key, at: now, by: Desk.ada)
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        let server = Task { await desk.documents.run() }
        try await eventually("the schedule is over") {
            try await desk.documents.schedules(of: desk.key).isEmpty
        }
        server.cancel()
        #expect(desk.served == nil)
        let last = try await desk.store.backend().audit(before: nil, limit: 1).first
        #expect(last?.change == "schedule ended")
        #expect(last?.after?.contains("1 approval") == true)
        let missing = await desk.error {
            try await desk.documents.schedule(9, of: desk.key, at: now, by: Desk.ada)
        }
        #expect(missing == .noRevision(9, desk.key))
    }

    @Test(
        "a time in the past is refused, but for the minute that a late clock and a slow hand take",
        arguments: StoreKind.allCases
    )
    func past(kind: StoreKind) async throws {
        let clock = Locked(1_000_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        try await desk.put("one", isDraft: true)
        for late in [61, 3_600, 1_000_000, 2_000_000] {
            let error = await desk.error {
                try await desk.documents.schedule(
                    1,
                    of: desk.key,
                    at: 1_000_000 - late,
                    by: Desk.ada
                )
            }
            guard case .invalid(let problems) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(problems.map(\.pointer) == ["/at"])
            #expect(problems.first?.message.contains("1970-01-12T13:46:40Z") == true)
        }
        let none = try await desk.documents.schedules(of: desk.key)
        #expect(none.isEmpty)
        _ = try await desk.documents.schedule(1, of: desk.key, at: 1_000_000 - 60, by: Desk.ada)
        // What was made in time and is overdue since no server was there still goes live.
        clock.withLock { $0 = 2_000_000 }
        let server = Task { await desk.documents.run() }
        try await eventually("the document is live") { desk.served != nil }
        server.cancel()
        #expect(desk.served == String(decoding: Desk.text("one"), as: UTF8.self))
    }

    @Test(
        "promoting takes the bytes along, and the rules of where they go hold",
        arguments: StoreKind.allCases
    )
    func promotions(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let staging = desk.staging
        let put = try await desk.documents.put(Desk.text("new"), as: staging, by: Desk.ada)
        let promoted = try await desk.documents.promote(of: staging, to: "production", by: Desk.bob)
        #expect(promoted.isLive)
        #expect(promoted.info.key == desk.key)
        #expect(promoted.info.digest == put.info.digest)
        #expect(promoted.info.message == "From staging, revision 1")
        #expect(desk.served == String(decoding: Desk.text("new"), as: UTF8.self))
        try await desk.documents.set(EnvironmentRules(approvals: 1), of: "production", by: Desk.bob)
        let draft = try await desk.documents.promote(
            1,
            of: staging,
            to: "production",
            message: "Again",
            by: Desk.ada
        )
        #expect(draft.info.number == 2)
        #expect(draft.live == 1)
        let same = await desk.error {
            try await desk.documents.promote(of: staging, to: "staging", by: Desk.ada)
        }
        #expect(conflict(same))
        let none = await desk.error {
            try await desk.documents.promote(of: staging, to: "No", by: Desk.ada)
        }
        #expect(none == .noName("No"))
    }
}
