import Eventually
import Locking
import Testing

@testable import BehaviorStore

@Suite("Due schedules, in every kind of store")
struct BehaviorDocumentsDueSchedulesTests {
    @Test(
        "publishing a draft ends the draft's schedules",
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

    @Test("a schedule of a revoked token ends without effect", arguments: StoreKind.allCases)
    func revokedSchedule(kind: StoreKind) async throws {
        let ended = Locked<Set<String>>([])
        let clock = Locked(1_000_000)
        let (desk, documents) = try await Desk.ending(kind, ended) { clock.withLock { $0 } }
        _ = try await documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: Desk.ada)
        _ = try await documents.schedule(1, of: desk.key, at: 1_000_100, by: Desk.bob)
        ended.withLock { $0 = [Desk.bob.id] }
        clock.withLock { $0 = 1_000_200 }
        try await documents.fire(at: 1_000_200)
        #expect(try await documents.schedules(of: desk.key) == [])
        #expect(desk.served == nil)
        let row = try await documents.backend.audit(before: nil, limit: 1).first
        #expect(row?.kind == .scheduleEnded)
        #expect(row?.after?.contains("may not publish any more: its token was revoked") == true)
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a schedule whose author this server doesn't know waits for another server",
        arguments: StoreKind.allCases
    )
    func unknownSchedule(kind: StoreKind) async throws {
        let (desk, documents) = try await Desk.ending(kind, Locked([]), unknown: [Desk.bob.id])
        _ = try await documents.put(Desk.text("one"), as: desk.key, isDraft: true, by: Desk.ada)
        _ = try await documents.schedule(1, of: desk.key, at: 1_000_000, by: Desk.bob)
        await #expect(throws: BehaviorStoreError.self) { try await documents.fire(at: 1_000_000) }
        #expect(try await documents.schedules(of: desk.key).count == 1)
        #expect(desk.served == nil)
        try await BehaviorDocuments(desk.store.other(), as: desk.live, logger: KeptStore.quiet)
            .fire(at: 1_000_000)
        #expect(try await documents.schedules(of: desk.key) == [])
    }
}
