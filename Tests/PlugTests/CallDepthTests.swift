@testable import Plug
import Synchronization
import Testing

/// Plugs that lead back to their own action.
@Suite("The depth of calls")
struct CallDepthTests {
    struct Refused: Error {}

    @Test("endless recursion of an action is an error that names it")
    func endless() async {
        class Ping: Action<Void, String> {}
        Ping.self <~ { try await action(Ping.self) }
        let error = await #expect(throws: EndlessCall.self) { try await action(Ping.self) }
        #expect(error?.action == "Ping")
        #expect(error?.description.contains("Plug an implementation that doesn't") == true)
    }

    @Test("endless recursion between two actions is an error, also with other calls between")
    func mutual() async {
        class Leaf: Action<Int, Int> {}
        class Left: Action<Int, Int> {}
        class Right: Action<Int, Int> {}
        Leaf.self <~ { $0 + 1 }
        Left.self <~ { try await action(Right.self, action(Leaf.self, $0)) }
        Right.self <~ { try await action(Left.self, action(Leaf.self, $0)) }
        let error = await #expect(throws: EndlessCall.self) { try await action(Left.self, 1) }
        #expect(["Left", "Right"].contains(error?.action))
    }

    @Test("a finite recursion of 100,000 calls returns")
    func finite() async throws {
        class Count: Action<Int, Int> {}
        Count.self <~ { $0 == 0 ? 0 : try await action(Count.self, $0 - 1) + 1 }
        #expect(try await action(Count.self, 100_000) == 100_000)
    }

    @Test("a recursion that fails at its end throws that error")
    func failing() async throws {
        class Fail: Action<Int, Int> {}
        Fail.self <~ { input in
            if input == 0 { throw Refused() }
            return try await action(Fail.self, input - 1)
        }
        await #expect(throws: Refused.self) { try await action(Fail.self, 20_000) }
    }

    @Test("plans neither retry an endless call nor fall back from it")
    func plans() async {
        class Read: Action<Int, Int>, SafeAction {}
        let others = Atomic(0)
        await Actions.withPlugs {
            Read.named("round") <~ { try await action(Read.self, $0) }
            Read.named("other") <~ { input in
                others.add(1, ordering: .relaxed)
                return input
            }
            Read.self <~ .retry(.fallback("round", "other"), attempts: 3, delay: 0)
        } operation: {
            _ = await #expect(throws: EndlessCall.self) { try await action(Read.self, 1) }
        }
        #expect(others.load(ordering: .relaxed) == 0)
    }

    @Test("calls within promises count, too")
    func promises() async {
        class Promised: Action<Int, Int> {}
        Promised.self <~ { input in
            try await Promise { try await action(Promised.self, input) }.value
        }
        await #expect(throws: EndlessCall.self) { try await action(Promised.self, 1) }
    }

    @Test("a cancelled recursion ends before the depth limit")
    func cancelled() async {
        class Round: Action<Int, Int> {}
        let depth = Atomic(0)
        Round.self <~ { input in
            depth.store(input, ordering: .relaxed)
            if input == 10_000 { withUnsafeCurrentTask { $0?.cancel() } }
            return try await action(Round.self, input + 1)
        }
        let task = Task { try await action(Round.self, 1) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(depth.load(ordering: .relaxed) < 14_000)
    }

    @Test("a cancelled task may still make calls")
    func cleanUp() async throws {
        class Clean: Action<Int, Int> {}
        Clean.self <~ { $0 }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var sum = 0
            for _ in 0..<1_000 { sum += try await action(Clean.self, 1) }
            return sum
        }
        #expect(try await task.value == 1_000)
    }

    @Test("a task that outlives the call that started it isn't nested in that call")
    func chain() {
        class Tick: Action<Void, Void> {}
        let outer = CallDepth(of: Tick.self, within: CallDepth(of: Tick.self, within: nil))
        #expect(CallDepth(of: Tick.self, within: outer).count == 3)
        outer.end()
        #expect(CallDepth(of: Tick.self, within: outer).count == 1)
    }

    @Test(
        "one of 1,024 calls is measured, whatever the pattern of calls",
        arguments: [1, 2, 3, 16, 64]
    )
    func share(step: UInt64) {
        let measured = (0..<102_400 as Range<UInt64>).count { CallDepth.isMeasured($0 * step) }
        #expect((90...110).contains(measured))
    }
}
