import Synchronization
import Testing

@testable import Plug

@Suite("Caches of plugs")
struct CachedPlugTests {
    private class Read: Action<Int, String>, SafeAction {}
    private struct Refused: Error, Equatable {}

    @Test("an output is cached for its lifetime, separately for each caller")
    func cache() async throws {
        let clock = PlanClock()
        let calls = Atomic(0)
        try await planning(clock.tools()) {
            Read.named("one") <~ { "\($0).\(calls.wrappingAdd(1, ordering: .relaxed).newValue)" }
            Read.self <~ .cache("one", seconds: 60)
        } _: {
            var told = try await [action(Read.self, 1), action(Read.self, 1), action(Read.self, 2)]
            #expect(told == ["1.1", "1.1", "2.2"])
            told = try await PlugKey.$current.withValue("ada") {
                try await [action(Read.self, 1), action(Read.self, 1)]
            }
            #expect(told == ["1.3", "1.3"])
            clock.advance(.seconds(60))
            told = [try await action(Read.self, 1)]
            #expect(told == ["1.4"])
            let cache = PlugCell.liveBook(of: Read.self).state.caches.first
            #expect(cache?.hits == 2)
            #expect(cache?.misses == 4)
        }
    }

    @Test("a failure isn't cached")
    func failure() async throws {
        let calls = Atomic(0)
        try await planning(PlanClock().tools()) {
            Read.named("one") <~ { _ in
                calls.wrappingAdd(1, ordering: .relaxed)
                throw Refused()
            }
            Read.self <~ .cache("one", shared: true)
        } _: {
            for _ in 0..<2 { await #expect(throws: Refused()) { try await action(Read.self, 1) } }
            #expect(calls.load(ordering: .relaxed) == 2)
        }
    }
}
