import Locking
@testable import Plug
import Synchronization
import Testing

@Suite("PlugSplit")
struct PlugSplitTests {
    class Side: Action<Void, String> {}
    /// One that changes in no other test: who listens hears of all of the process.
    class Errand: Action<Void, String> {}
    struct Refused: Error {}

    private func plug(_ plan: PlugPlan) {
        Side.named("one") <~ { "one" }
        Side.named("two") <~ { "two" }
        Side.self <~ plan
    }

    private func sides(_ count: Int) async throws -> [String] {
        var sides: [String] = []
        for user in 0..<count {
            sides.append(
                try await PlugKey.$current.withValue("user \(user)") { try await action(Side.self) }
            )
        }
        return sides
    }

    @Test("each caller stays on one side, and the sides have their shares")
    func sticky() async throws {
        try await Actions.withPlugs {
            plug(.split(["one": 90, "two": 10]))
        } operation: {
            let first = try await sides(10_000)
            let second = try await sides(10_000)
            #expect(first == second)
            // The hash is fixed, so this is no matter of chance: 10 % of 10,000, give or take 3 σ.
            #expect((910...1090).contains(first.count { $0 == "two" }))
        }
    }

    @Test("a share that grows keeps the callers that it has")
    func growing() async throws {
        func run(_ share: Double) async throws -> [String] {
            try await Actions.withPlugs {
                plug(.split(["one": 100 - share, "two": share]))
            } operation: {
                try await sides(1000)
            }
        }
        let few = try await run(10)
        let many = try await run(40)
        for (before, after) in zip(few, many) where before == "two" { #expect(after == "two") }
        #expect(many.count { $0 == "two" } > few.count { $0 == "two" })
    }

    /// How 10,000 callers fall on some shares.
    private func choices(_ shares: [(String, Double)]) -> [String] {
        let lots = shares.map { SplitShare($0.0, of: "Like", share: $0.1) }
        return (0..<10_000).map { shares[SplitShare.choice("user \($0)", lots)].0 }
    }

    @Test("of three, one that grows keeps its callers, and takes of the others")
    func growingOfThree() {
        let few = choices([("one", 60), ("two", 30), ("three", 10)])
        let many = choices([("one", 50), ("two", 25), ("three", 25)])
        for (before, after) in zip(few, many) where before != after { #expect(after == "three") }
        // 10,000 draws at 25 %, give or take 3 σ.
        #expect((2370...2630).contains(many.count { $0 == "three" }))
        #expect((4850...5150).contains(many.count { $0 == "one" }))
    }

    @Test("when one goes few but its callers move")
    func going() {
        let all = choices([("one", 80), ("two", 10), ("three", 10)])
        let rest = choices([("one", 90), ("two", 10)])
        let moved = zip(all, rest).filter { $0 != $1 }
        #expect(moved.allSatisfy { before, _ in before == "three" || before == "two" })
        // The share of the one that went falls to the leader: of the other's callers few move.
        #expect(moved.count { before, _ in before == "two" } < 200)
    }

    @Test("the draws of keys are the same in every process, and others for each action and name")
    func draws() {
        func draw(_ name: String, _ action: String) -> Double {
            SplitShare(name, of: action, share: 1).draw("ada")
        }
        #expect(draw("one", "Like") == draw("one", "Like"))
        #expect(draw("one", "Like") != draw("two", "Like"))
        #expect(draw("one", "Like") != draw("one", "List"))
        #expect(draw("a", "bc") != draw("ab", "c"))
    }

    @Test("without a key each call is drawn by itself")
    func drawn() async throws {
        let draws = Atomic(0)
        var tools = PlanDependencies.current
        tools.random = { Double(draws.wrappingAdd(1, ordering: .relaxed).oldValue % 4) / 4 }
        let sides = try await PlanDependencies.$current.withValue(tools) {
            try await Actions.withPlugs {
                plug(.split(["one": 75, "two": 25]))
            } operation: {
                var sides: [String] = []
                for _ in 0..<4 { sides.append(try await action(Side.self)) }
                return sides
            }
        }
        #expect(sides == ["one", "one", "one", "two"])
    }

    @Test("a share of nothing gets no call")
    func nothing() async throws {
        try await Actions.withPlugs {
            plug(.split(["one": 0, "two": 100]))
        } operation: {
            let sides = try await sides(200)
            #expect(sides.allSatisfy { $0 == "two" })
        }
    }

    // MARK: Guard

    @Test("a candidate that errs beyond its bound is unplugged, and the reason is kept")
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

    @Test("a candidate that is slower than its bound is unplugged once enough is known of both")
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

    @Test("a candidate within its bounds stays, and so does one that the caller made fail")
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

    @Test("a guarded plan that nobody uses any more goes, with what its implementations keep")
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
                _ = try await sides(3)
            }
        }
        #expect(seen == nil)
    }
}
