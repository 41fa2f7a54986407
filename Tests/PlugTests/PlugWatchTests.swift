import Locking
import Synchronization
import Testing

@testable import Plug

@Suite("Guards of a split")
struct PlugWatchTests {
    private class Side: Action<Void, String> {}
    /// One that changes in no other test: who listens hears of all of the process.
    private class Errand: Action<Void, String> {}
    private struct Refused: Error {}

    @Test("a guard unplugs a candidate with too many errors, and stores the reason")
    func errors() async throws {
        await Actions.withPlugs {
            Errand.named("one") <~ { "one" }
            Errand.named("two") <~ { throw Refused() }
            Errand.named("three") <~ { "three" }
            Errand.self
                <~ .split(
                    ["one": 50, "two": 25, "three": 25],
                    guard: PlugGuard(errors: 0.05, calls: 10)
                )
        } operation: {
            let (changes, continuation) = AsyncStream.makeStream(of: PlugChange.self)
            let listener = PlugChange.listen { change in
                if change.action == "Errand" { continuation.yield(change) }
            }
            defer { PlugChange.remove(listener) }
            var failures = 0
            for user in 0..<1000 {
                do {
                    _ = try await PlugKey.$current.withValue("\(user)") {
                        try await action(Errand.self)
                    }
                } catch {
                    failures += 1
                }
            }
            #expect(failures == 10)
            let state = PlugCell.liveBook(of: Errand.self).state
            let guarded = PlugGuard(errors: 0.05, calls: 10)
            #expect(state.plan == .split(["one": 75, "three": 25], guard: guarded))
            #expect(state.unplugged?.plug == "two")
            #expect(state.unplugged?.reason == "10 of 10 calls failed, more than 5 %")
            #expect(state.isLive)
            let change = await changes.first { _ in true }
            #expect(change?.after == state.plan)
        }
    }

    @Test("a guard unplugs a candidate that is too slow, once both plugs have enough calls")
    func slowdown() async throws {
        let time = Locked(Duration.zero)
        var tools = PlanDependencies.current
        tools.now = { time.withLock { $0 } }
        let draws = Atomic(0)
        tools.random = { draws.wrappingAdd(1, ordering: .relaxed).oldValue % 2 == 0 ? 0 : 0.9 }
        try await PlanDependencies.$current.withValue(tools) {
            try await Actions.withPlugs {
                Side.named("one") <~ {
                    time.withLock { $0 += .milliseconds(10) }
                    return "one"
                }
                Side.named("two") <~ {
                    time.withLock { $0 += .milliseconds(21) }
                    return "two"
                }
                Side.self
                    <~ .split(
                        ["one": 60, "two": 40],
                        guard: PlugGuard(slowdown: 2, calls: 5)
                    )
            } operation: {
                var sides: [String] = []
                for _ in 0..<14 { sides.append(try await action(Side.self)) }
                #expect(sides.count { $0 == "two" } == 5)
                #expect(sides.suffix(4).allSatisfy { $0 == "one" })
                let state = PlugCell.liveBook(of: Side.self).state
                #expect(state.plan == "one")
                #expect(state.unplugged?.reason.contains("more than 2 times") == true)
            }
        }
    }

    @Test("a candidate within its limits stays, and errors that are the caller's fault don't count")
    func innocent() async throws {
        struct Unknown: CallerFault { let isCallerFault = true }
        try await Actions.withPlugs {
            Side.named("one") <~ { "one" }
            Side.named("two") <~ { throw Unknown() }
            Side.self
                <~ .split(
                    ["one": 60, "two": 40],
                    guard: PlugGuard(errors: 0, calls: 1)
                )
        } operation: {
            for user in 0..<50 {
                _ = try? await PlugKey.$current.withValue("\(user)") {
                    try await action(Side.self)
                }
            }
            let state = PlugCell.liveBook(of: Side.self).state
            #expect(state.unplugged == nil)
            #expect(!state.isLive)
            let two = try #require(state.implementations.first { $0.name == "two" })
            #expect(two.calls > 0)
            #expect(two.errors == 0)
        }
    }

    private final class Kept: Sendable {}

    @Test("an unused guarded plan is released with its implementations")
    func release() async throws {
        weak var seen: Kept?
        do {
            let kept = Kept()
            seen = kept
            try await Actions.withPlugs {
                Side.named("one") <~ { [kept] in withExtendedLifetime(kept) { "one" } }
                Side.named("two") <~ { "two" }
                Side.self <~ .split(["one": 60, "two": 40], guard: PlugGuard(errors: 0.5))
            } operation: {
                for _ in 0..<3 { _ = try await action(Side.self) }
            }
        }
        #expect(seen == nil)
    }
}
