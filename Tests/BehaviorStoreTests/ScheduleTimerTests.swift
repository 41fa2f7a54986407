import Locking
import Testing

@testable import BehaviorStore

@Suite("The time of the next schedule")
struct ScheduleTimerTests {
    private struct Failure: Error {}

    private func desk(_ times: Int...) async throws -> Desk {
        let desk = try Desk(.sqlite)
        try await desk.put("one")
        try await desk.put("two")
        for time in times {
            _ = try await desk.documents.schedule(1, of: desk.key, at: time, by: Desk.ada)
        }
        return desk
    }

    private func timer(_ backend: any BehaviorBackend) -> ScheduleTimer {
        ScheduleTimer(backend, KnownHead(backend))
    }

    @Test("the timer is due at the earliest schedule, once the store was read")
    func earliest() async throws {
        let desk = try await desk(1_000_500, 1_000_200)
        let timer = timer(try desk.store.backend())
        #expect(!timer.isDue(at: .max - 1))
        try await timer.look()
        #expect(!timer.isDue(at: 1_000_199))
        #expect(timer.isDue(at: 1_000_200))
    }

    @Test("the timer is never due without a schedule")
    func none() async throws {
        let timer = timer(try await desk().store.backend())
        try await timer.look()
        #expect(!timer.isDue(at: .max - 1))
    }

    @Test("after an error the timer is due at once, until the store is readable again")
    func unreadable() async throws {
        let desk = try await desk(1_000_500)
        let fails = Locked(true)
        var hooks = HookedBehaviors.Hooks()
        hooks.beforeRecords = { _ in if fails.withLock({ $0 }) { throw Failure() } }
        let timer = timer(HookedBehaviors(try desk.store.backend(), hooks))
        await #expect(throws: Failure.self) { try await timer.look() }
        #expect(timer.isDue(at: 1_000_000))
        fails.withLock { $0 = false }
        try await timer.look()
        #expect(!timer.isDue(at: 1_000_499))
    }

    @Test("a failed schedule is due again after five seconds and delays no other")
    func postponed() async throws {
        let alone = try await desk(1_000_100)
        let first = timer(try alone.store.backend())
        await first.postpone(at: 1_000_100)
        #expect(!first.isDue(at: 1_000_104))
        #expect(first.isDue(at: 1_000_105))
        let both = try await desk(1_000_100, 1_000_102)
        let second = timer(try both.store.backend())
        await second.postpone(at: 1_000_100)
        #expect(!second.isDue(at: 1_000_101))
        #expect(second.isDue(at: 1_000_102))
    }
}
