import Locking
import Testing

@testable import BehaviorStore

@Suite("The events in a document's history", .timeLimit(.minutes(5)))
struct EventsTests {
    @Test(
        "the history has when each revision was made, approved and went live",
        arguments: StoreKind.allCases
    )
    func times(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        func tick() { clock.withLock { $0 += 10 } }
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Team.eve)
        try await desk.put("one", isDraft: true)
        tick()
        _ = try await documents.approve(1, of: desk.key, message: "Looks good", by: Desk.bob)
        tick()
        _ = try await documents.publish(1, of: desk.key, by: Team.carol)
        tick()
        try await desk.put("two", isDraft: true)
        _ = try await documents.rollback(to: 1, of: desk.key, by: Desk.bob)
        let history = try await documents.history(of: desk.key)
        #expect(history.map(\.info.created) == [1_030, 1_000])
        #expect(history.map(\.events.wentLive) == [nil, 1_020])
        #expect(history[1].events.publisher?.name == "carol")
        let approval = try #require(history[1].events.approvals.first)
        #expect(approval.name == "bob" && approval.at == 1_010)
        #expect(approval.message == "Looks good")
        #expect(try await documents.entry(1, of: desk.key) == history[1])
        #expect(try await documents.entry(nil, of: desk.key) == history[1])
        let missing = await desk.error { try await documents.entry(9, of: desk.key).info.number }
        #expect(missing == .noRevision(9, desk.key))
        #expect(try await desk.findings() == [])
    }

    @Test(
        "a schedule is pending, cancelled, done or failed, with the reason",
        arguments: StoreKind.allCases
    )
    func schedules(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        for word in ["one", "two"] { try await desk.put(word) }
        try await desk.put("three", isDraft: true)
        func schedule(_ number: Int, at time: Int) async throws -> Int {
            try await documents.schedule(number, of: desk.key, at: time, by: Desk.ada).id
        }
        let cancelled = try await schedule(3, at: 2_000)
        _ = try await documents.cancel(cancelled, of: desk.key, by: Desk.bob)
        _ = try await schedule(1, at: 2_000)
        _ = try await schedule(3, at: 3_000)
        _ = try await schedule(2, at: 9_000)
        clock.withLock { $0 = 2_000 }
        try await documents.fire(at: 2_000)
        try await documents.set(EnvironmentRules(approvals: 1), of: "production", by: Team.eve)
        clock.withLock { $0 = 3_000 }
        try await documents.fire(at: 3_000)
        let history = try await documents.history(of: desk.key)
        let ends = Dictionary(
            history.map { ($0.info.number, $0.events.schedules.map(\.end)) }
        ) { one, _ in one }
        #expect(ends[4] == [])
        #expect(ends[1] == [.wentLive])
        #expect(ends[2] == [nil])
        let late = ends[3]?.last ?? nil
        guard ends[3]?.first == .cancelled, case .failed(let reason)? = late else {
            Issue.record("\(String(describing: ends[3]))")
            return
        }
        #expect(
            reason
                == "revision 4 went live after draft 3 was made: put it again, or roll back to it "
                + "to replace that revision"
        )
    }

    @Test("each page of a long history has its revisions' events", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        let other = try #require(DocumentKey("other"))
        for number in 1...7 {
            try await desk.put("draft \(number)", isDraft: true)
            _ = try await documents.put(Desk.text("x"), as: other, by: Desk.bob)
            clock.withLock { $0 += 1 }
            _ = try await documents.approve(number, of: desk.key, by: Desk.bob)
            clock.withLock { $0 += 1 }
            _ = try await documents.publish(number, of: desk.key, by: Desk.ada)
        }
        let whole = try await documents.history(of: desk.key)
        #expect(whole.map(\.events.wentLive) == (1...7).reversed().map { 1_000 + 2 * $0 })
        #expect(whole.allSatisfy { $0.events.approvals.map(\.name) == ["bob"] })
        for limit in 1...3 {
            var pages: [RevisionEntry] = []
            while let page = try await nextPage(documents, desk.key, pages, limit) {
                pages += page
            }
            #expect(pages == whole)
        }
        let rows = try await documents.backend.audit(of: desk.key, before: nil, limit: 4)
        #expect(rows.map(\.change) == ["publish", "approve", "draft", "publish"])
        #expect(rows.allSatisfy { $0.name == "default" })
        let before = try #require(rows.last).sequence
        let next = try await documents.backend.audit(of: desk.key, before: before, limit: 100)
        #expect(next.count == 17 && next.allSatisfy { $0.sequence < before })
    }

    private func nextPage(
        _ documents: BehaviorDocuments,
        _ key: DocumentKey,
        _ before: [RevisionEntry],
        _ limit: Int
    ) async throws -> [RevisionEntry]? {
        let page = try await documents.history(
            of: key,
            before: before.last?.info.number,
            limit: limit
        )
        return page.isEmpty ? nil : page
    }
}
