import Eventually
import Locking
@testable import Plug
import Synchronization
import Testing

/// The layers that know of time: none of these tests waits for any.
@Suite("Plans and time")
struct PlugTimeTests {
    class Read: Action<Int, String>, SafeAction {}
    class Write: Action<Int, String> {}
    struct Refused: Error, Equatable {}

    /// A clock that stands until a test turns it, and notes what is waited for.
    final class Clock: Sendable {
        private let state = Locked((now: Duration.zero, slept: [Duration]()))

        var slept: [Duration] { state.withLock { $0.slept } }

        func advance(_ time: Duration) { state.withLock { $0.now += time } }

        /// A wait is over at once, or it lasts to the task's end.
        func tools(sleeps: Bool = true) -> PlanDependencies {
            PlanDependencies(
                now: { self.state.withLock { $0.now } },
                sleep: { time in
                    self.state.withLock { $0.slept.append(time) }
                    if sleeps { return }
                    let (never, _) = AsyncStream.makeStream(of: Void.self)
                    for await _ in never {}
                    throw CancellationError()
                },
                random: { 0.5 }
            )
        }
    }

    private func with(
        _ tools: PlanDependencies,
        _ plugs: () -> Void,
        _ operation: () async throws -> Void
    ) async throws {
        try await PlanDependencies.$current.withValue(tools) {
            try await Actions.withPlugs(plugs, operation: operation)
        }
    }

    // MARK: Time-outs

    @Test("a time-out cancels the implementation and says who took too long")
    func timeout() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        try await with(Clock().tools()) {
            Write.named("one") <~ { _ in
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                end.yield(Task.isCancelled)
                end.finish()
                throw CancellationError()
            }
            Write.self <~ .timeout("one", seconds: 5)
        } _: {
            let error = await #expect(throws: TimedOut.self) { try await action(Write.self, 1) }
            #expect(error?.description == "Write's plug timed out after 5 s")
            let wasCancelled = await ended.first { _ in true }
            #expect(wasCancelled == true)
        }
    }

    @Test("an implementation that heeds no cancellation holds up nobody, and its failure counts")
    func stubborn() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await with(Clock().tools()) {
            Write.named("one") <~ { _ in
                // A task of its own doesn't hear of the cancellation.
                await Task.detached { for await _ in gate {} }.value
                throw CancellationError()
            }
            Write.self <~ .timeout("one", seconds: 5)
        } _: {
            await #expect(throws: TimedOut.self) { try await action(Write.self, 1) }
            open.finish()
            try await eventually("the end of the call") {
                PlugCell.liveBook(of: Write.self).state.implementations[0].calls > 0
            }
            #expect(PlugCell.liveBook(of: Write.self).state.implementations[0].errors == 1)
        }
    }

    @Test("an answer in time ends the waiting")
    func inTime() async throws {
        try await with(Clock().tools(sleeps: false)) {
            Write.named("one") <~ { "\($0)" }
            Write.self <~ .timeout("one", seconds: 5)
        } _: {
            let told = try await action(Write.self, 1)
            #expect(told == "1")
        }
    }

    @Test("a fallback goes on where a step takes too long")
    func fallback() async throws {
        let clock = Clock()
        try await with(clock.tools()) {
            Read.named("slow") <~ { _ in
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                throw CancellationError()
            }
            Read.named("one") <~ { "one \($0)" }
            Read.self <~ .fallback(.init("slow", timeout: 30), "one")
        } _: {
            let told = try await action(Read.self, 1)
            #expect(told == "one 1")
            #expect(clock.slept == [.seconds(30)])
        }
    }

    // MARK: Retries

    @Test("failures are tried again, each after a longer wait of which chance takes a part")
    func retry() async throws {
        let clock = Clock()
        let calls = Atomic(0)
        try await with(clock.tools()) {
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

    @Test("after the last attempt its error is the call's")
    func givesUp() async throws {
        let calls = Atomic(0)
        try await with(Clock().tools()) {
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

    @Test("no wait is longer than ten seconds")
    func longestWait() {
        let retry = PlugRetry(attempts: 10, delay: 5)
        #expect(retry.wait(before: 9, random: 1) == .seconds(10))
        #expect(retry.wait(before: 1, random: 0.5) == .milliseconds(2500))
    }

    // MARK: Breaker

    @Test("a breaker opens after failures in a row, probes when its time is over, and closes")
    func breaker() async throws {
        let clock = Clock()
        let fails = Atomic(true)
        let calls = Atomic(0)
        try await with(clock.tools()) {
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

    @Test("a breaker that is half open lets so many probes through and no more")
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

    @Test("a call from before the breaker opened doesn't close it")
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

    // MARK: Cache

    @Test("an answer is kept for its time, for the caller that got it")
    func cache() async throws {
        let clock = Clock()
        let calls = Atomic(0)
        try await with(clock.tools()) {
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

    @Test("a failure is not kept")
    func failure() async throws {
        let calls = Atomic(0)
        try await with(Clock().tools()) {
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

    @Test("a cache holds so many answers and so many bytes at most, the newest")
    func bounds() throws {
        func key(_ number: Int) throws -> OutputKey {
            try #require(OutputKey(number, caller: nil))
        }
        var kept = CachedOutputs<Int>(PlugCache(seconds: 60, entries: 3, bytes: 100))
        for number in 0..<1000 {
            kept.keep(number, 10, for: try key(number), at: .zero)
            kept.keep(number, 10, for: try key(number), at: .milliseconds(number))
        }
        #expect(kept.state(at: "").entries == 3)
        #expect(kept.state(at: "").bytes == 30)
        #expect(kept.answer(try key(999), at: .seconds(1)) == 999)
        #expect(kept.answer(try key(996), at: .seconds(1)) == nil)
        kept.keep(1, 95, for: try key(1), at: .seconds(2))
        #expect(kept.state(at: "").bytes == 95)
        kept.keep(2, 101, for: try key(2), at: .seconds(2))
        #expect(kept.answer(try key(2), at: .seconds(2)) == nil)
        kept.keep(3, 1, for: try key(3), at: .seconds(62))
        #expect(kept.state(at: "").entries == 1)
    }

    @Test("an action that does more than read has neither a cache nor retries")
    func refused() throws {
        class Refusing: Action<Int, String> {}
        Refusing.self <~ { "\($0)" }
        for plan in [PlugPlan.cache("closure"), .retry("closure")] {
            #expect(throws: InvalidPlan.self) {
                try PlugCell.liveBook(of: Refusing.self).setLive(plan)
            }
        }
    }
}
