import Synchronization
import Testing

@testable import Plug

@Suite("Retries of plugs")
struct RetryingPlugTests {
    private class Read: Action<Int, String>, SafeAction {}
    private struct Refused: Error, Equatable {}

    @Test("failures are retried, each after a longer, randomized delay")
    func retry() async throws {
        let clock = PlanClock()
        let calls = Atomic(0)
        try await planning(clock.tools()) {
            Read.named("one") <~ { input in
                if calls.wrappingAdd(1, ordering: .relaxed).newValue < 4 { throw Refused() }
                return "\(input)"
            }
            Read.self <~ .retry("one", attempts: 4, delay: 0.2)
        } _: {
            let told = try await action(Read.self, 1)
            #expect(told == "1")
            #expect(clock.slept == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        }
    }

    @Test("after the last attempt the call throws its error")
    func givesUp() async throws {
        let calls = Atomic(0)
        try await planning(PlanClock().tools()) {
            Read.named("one") <~ { _ in
                calls.wrappingAdd(1, ordering: .relaxed)
                throw Refused()
            }
            Read.self <~ .retry("one", attempts: 3)
        } _: {
            await #expect(throws: Refused()) { try await action(Read.self, 1) }
            #expect(calls.load(ordering: .relaxed) == 3)
        }
    }

    @Test("a delay is at most ten seconds")
    func longestWait() {
        let retry = PlugRetry(attempts: 10, delay: 5)
        #expect(retry.wait(before: 9, random: 1) == .seconds(10))
        #expect(retry.wait(before: 1, random: 0.5) == .milliseconds(2500))
    }
}
