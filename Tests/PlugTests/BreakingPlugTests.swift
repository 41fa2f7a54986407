import Synchronization
import Testing

@testable import Plug

@Suite("Circuit breakers of plugs")
struct BreakingPlugTests {
    private class Write: Action<Int, String> {}
    private struct Refused: Error, Equatable {}

    @Test("a breaker opens after consecutive failures, probes after its timeout, and closes")
    func breaker() async throws {
        let clock = PlanClock()
        let fails = Atomic(true)
        let calls = Atomic(0)
        try await planning(clock.tools()) {
            Write.named("one") <~ { input in
                calls.wrappingAdd(1, ordering: .relaxed)
                if fails.load(ordering: .relaxed) { throw Refused() }
                return "\(input)"
            }
            Write.self <~ .breaker("one", failures: 2, seconds: 30)
        } _: {
            func state() -> PlugState.Breaker? {
                PlugCell.liveBook(of: Write.self).state.breakers.first
            }
            #expect(state()?.state == .closed)
            for _ in 0..<2 {
                await #expect(throws: Refused()) { try await action(Write.self, 1) }
            }
            #expect(state()?.state == .open)
            clock.advance(.seconds(10))
            let open = await #expect(throws: CircuitOpen.self) { try await action(Write.self, 1) }
            #expect(open?.seconds == 20)
            #expect(calls.load(ordering: .relaxed) == 2)

            clock.advance(.seconds(20))
            #expect(state()?.state == .halfOpen)
            await #expect(throws: Refused()) { try await action(Write.self, 1) }
            await #expect(throws: CircuitOpen.self) { try await action(Write.self, 1) }

            clock.advance(.seconds(30))
            fails.store(false, ordering: .relaxed)
            let told = try await action(Write.self, 1)
            #expect(told == "1")
            #expect(state() == PlugState.Breaker(at: "/breaker", state: .closed, failures: 0))
        }
    }

    @Test("a half-open breaker admits only its number of probes")
    func probes() {
        var circuit = CircuitState(PlugBreaker(failures: 1, seconds: 1, probes: 2))
        circuit.end(circuit.admit(at: .zero), .failed, at: .zero)
        #expect(circuit.admit(at: .milliseconds(500)) == .refused(0.5))
        #expect(circuit.admit(at: .seconds(1)) == .probe)
        #expect(circuit.admit(at: .seconds(1)) == .probe)
        #expect(circuit.admit(at: .seconds(1)) == .refused(1))
        circuit.end(.probe, .abandoned, at: .seconds(1))
        #expect(circuit.admit(at: .seconds(1)) == .probe)
        circuit.end(.probe, .answered, at: .seconds(1))
        #expect(circuit.admit(at: .seconds(1)) == .pass)
    }

    @Test("a call that began before the breaker opened doesn't close it")
    func late() {
        var circuit = CircuitState(PlugBreaker(failures: 1, seconds: 1))
        let early = circuit.admit(at: .zero)
        circuit.end(circuit.admit(at: .zero), .failed, at: .zero)
        circuit.end(early, .answered, at: .zero)
        #expect(circuit.name(at: .zero) == .open)
    }

    @Test("a success between failures resets the count")
    func inARow() {
        var circuit = CircuitState(PlugBreaker(failures: 2, seconds: 1))
        for outcome in [CallOutcome.failed, .answered, .failed] {
            circuit.end(circuit.admit(at: .zero), outcome, at: .zero)
        }
        #expect(circuit.name(at: .zero) == .closed)
    }
}
