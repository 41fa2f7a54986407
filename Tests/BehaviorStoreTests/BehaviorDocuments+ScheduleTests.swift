import Eventually
import JSONCodec
import Locking
import Testing

@testable import BehaviorStore

@Suite("Times of schedules, in every kind of store")
struct BehaviorDocumentsScheduleTests {
    @Test("a schedule's time is at most the end of the year 9999", arguments: StoreKind.allCases)
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

    @Test("a schedule of the live revision says so until another one is live")
    func live() async throws {
        let desk = try Desk(.sqlite)
        try await desk.put("one")
        let schedule = try await desk.documents.schedule(
            1,
            of: desk.key,
            at: 2_000_000,
            by: Desk.ada
        )
        let condition = try await desk.documents.condition(of: schedule)
        #expect(condition?.hasPrefix("revision 1 is live now: ") == true)
        try await desk.put("two")
        #expect(try await desk.documents.condition(of: schedule) == nil)
    }

    @Test(
        "a time more than a minute in the past is rejected",
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
}
