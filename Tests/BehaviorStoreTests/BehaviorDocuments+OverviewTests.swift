import Locking
import Testing

@testable import BehaviorStore

@Suite("The overview of all documents", .timeLimit(.minutes(5)))
struct OverviewTests {
    @Test(
        "the overview has what is live, rolls out, waits and is scheduled",
        arguments: StoreKind.allCases
    )
    func overview(kind: StoreKind) async throws {
        let clock = Locked(1_000)
        let desk = try Desk(kind) { clock.withLock { $0 } }
        let documents = desk.documents
        try await documents.set(EnvironmentRules(approvals: 1), of: "staging", by: Team.eve)
        let banner = try #require(DocumentKey("banner"))
        let rule = #"[{"name":"Banner","actions":[],"when":{"rollout":10}}]"#
        _ = try await documents.put(
            Array(rule.utf8),
            as: banner,
            message: "Ten",
            by: Desk.ada
        )
        clock.withLock { $0 += DocumentOverview.unchangedAge - 1 }
        try await desk.put("one")
        _ = try await documents.put(Desk.text("x"), as: desk.staging, isDraft: true, by: Desk.bob)
        _ = try await documents.schedule(1, of: desk.staging, at: 9_000_000, by: Desk.bob)
        var all = try await documents.overview().elements
        #expect(all.map(\.state.key) == [banner, desk.key, desk.staging])
        #expect(all.map(\.state.live) == [1, 1, nil])
        #expect(all.map(\.live?.message) == ["Ten", "", nil])
        #expect(all.map(\.age) == [DocumentOverview.unchangedAge - 1, 0, nil])
        #expect(all.map(\.rollouts.count) == [1, 0, 0])
        #expect(all[0].rollouts == [Rollout(place: "Banner", percent: 10)])
        #expect(all.map { $0.drafts.map(\.info.number) } == [[], [], [1]])
        #expect(all.map { $0.schedules.map(\.schedule.plan.at) } == [[], [], [9_000_000]])
        #expect(
            all[2].schedules.first?.condition
                == "staging requires 1 approval, and draft 1 has 0: it goes live only with 1 more by "
                + "then"
        )
        #expect(all.map(\.isUnchanged) == [false, false, false])
        clock.withLock { $0 += 1 }
        all = try await documents.overview(in: "production").elements
        #expect(all.map(\.isUnchanged) == [true, false])
        let missing = await desk.error { try await documents.overview(in: "stagng") }
        #expect(
            missing?.description == "there is no environment stagng: did you mean staging?"
        )
    }

    @Test("an overview reads each live revision once, and a new one")
    func once() async throws {
        let desk = try Desk(.sqlite)
        for word in ["one", "two"] { try await desk.put(word) }
        try await desk.put("three", isDraft: true)
        let count = Locked(0)
        let documents = try desk.documents(
            with: .init(beforeRevision: { _ in count.withLock { $0 += 1 } })
        )
        for _ in 1...2 {
            let overview = try await documents.overview()
            #expect(overview.elements.map(\.live?.number) == [2] && overview.isComplete)
        }
        #expect(count.withLock { $0 } == 1)
        try await desk.put("four")
        #expect(try await documents.overview().elements.map(\.live?.number) == [4])
        #expect(count.withLock { $0 } == 2)
    }
}
