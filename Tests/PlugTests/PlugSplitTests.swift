import Synchronization
import Testing

@testable import Plug

@Suite("PlugSplit")
struct PlugSplitTests {
    private class Side: Action<Void, String> {}

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

    @Test("a caller always gets the same plug, and each plug gets its share of callers")
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

    @Test("a share that grows retains its callers")
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

    @Test("without a key each call is assigned at random")
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

    @Test("a share of 0 gets no calls")
    func nothing() async throws {
        try await Actions.withPlugs {
            plug(.split(["one": 0, "two": 100]))
        } operation: {
            let sides = try await sides(200)
            #expect(sides.allSatisfy { $0 == "two" })
        }
    }

}
