import Testing

@testable import Plug

@Suite("Errors in plans")
struct PlanCheckTests {
    private class Tell: Action<Int, String> {}

    @Test("an invalid live plan changes nothing and lists all errors")
    func wrongLive() async throws {
        class Careful: Action<Int, String> {}
        Careful.self <~ { "plain \($0)" }
        let book = PlugCell.liveBook(of: Careful.self)
        let plan = PlugPlan.fallback(
            .init(.split(["closure": 90, "two/b": 20]), timeout: -1),
            .init(.retry("three", attempts: 1)),
            .init(.cache("closure", entries: 0))
        )
        let error = #expect(throws: InvalidPlan.self) { try book.setLive(plan) }
        #expect(
            error?.faults.map(\.pointer) == [
                "/fallback/0/timeout", "/fallback/0/timeout", "/fallback/0/plug/split/two~1b",
                "/fallback/0/plug/split",
                "/fallback/1/retry", "/fallback/1/retry/attempts", "/fallback/1/retry/plug",
                "/fallback/2/cache", "/fallback/2/cache/entries",
            ]
        )
        #expect(try await action(Careful.self, 1) == "plain 1")
        #expect(!book.state.isLive)
    }

    /// Returns the faults of a plan of an action that has one plug.
    private func faults<A: ActionProtocol>(_ action: A.Type, _ plan: PlugPlan) -> [String] {
        let error = #expect(throws: InvalidPlan.self) {
            try PlugCell.liveBook(of: action).setLive(plan)
        }
        return error?.faults.map { "\($0.pointer): \($0.detail.prefix(30))" } ?? []
    }

    @Test("a plan has at most 16 alternatives and 64 parts")
    func bounds() throws {
        class Wide: Action<Int, String>, SafeAction {}
        Wide.self <~ { "\($0)" }
        let many = Array(repeating: PlugPlan.Step("closure"), count: 16_000)
        #expect(
            faults(Wide.self, .fallback(many)).first
                == "/fallback: may have at most 16 plans"
        )
        let shares = Dictionary(uniqueKeysWithValues: (0..<17).map { ("\($0)", 100.0 / 17) })
        #expect(faults(Wide.self, .split(shares)).first == "/split: may have at most 16 plans")
        let sixteen = PlugPlan.fallback(Array(many.prefix(16)))
        let book = PlugCell.liveBook(of: Wide.self)
        try book.setLive(.fallback(.init(sixteen), .init(sixteen), .init(sixteen)))
        let four = Array(repeating: PlugPlan.Step(sixteen), count: 4)
        #expect(
            faults(Wide.self, .fallback(four)) == [
                "/fallback/3/fallback/11: a plan may have at most 64 par"
            ]
        )
        try book.setLive(nil)
    }

    @Test("the attempts of nested retries multiply, and the product is limited")
    func attempts() throws {
        class Often: Action<Int, String>, SafeAction {}
        Often.self <~ { "\($0)" }
        func nested(_ attempts: Int...) -> PlugPlan {
            attempts.reversed().reduce("closure") { .retry($0, attempts: $1, delay: 0) }
        }
        let book = PlugCell.liveBook(of: Often.self)
        try book.setLive(nested(10, 10))
        // Side by side they don't multiply.
        try book.setLive(.fallback(.init(nested(10, 10)), .init(nested(10, 10))))
        #expect(
            faults(Often.self, nested(10, 10, 2, 10)) == [
                "/retry/plug/retry/plug/retry/attempts: with the surrounding retries t"
            ]
        )
        #expect(faults(Often.self, nested(10, 10, 10, 10, 10, 10, 10)).count == 1)
        try book.setLive(nil)
    }

    @Test("a non-idempotent action allows no timeout before a fallback, and no shadow by default")
    func doneOnce() throws {
        class Pay: Action<Int, String> {}
        class Set: Action<Int, String>, IdempotentAction {}
        Pay.self <~ { "\($0)" }
        Set.self <~ { "\($0)" }
        let slow = PlugPlan.timeout("closure", seconds: 1)
        let given = PlugPlan.fallback(.init("closure", timeout: 1), "closure")
        let inner = PlugPlan.fallback(.init(.breaker(slow)), "closure")
        let last = PlugPlan.fallback("closure", .init("closure", timeout: 1))
        let text = "a plan that timed out may stil"
        #expect(faults(Pay.self, given) == ["/fallback/0/timeout: \(text)"])
        #expect(
            faults(Pay.self, inner) == ["/fallback/0/breaker/plug/timeout/seconds: \(text)"]
        )
        #expect(
            faults(Pay.self, .fallback(.init(last), "closure")) == [
                "/fallback/0/fallback/1/timeout: \(text)"
            ]
        )
        let shadow = PlugPlan.shadow("closure", with: "closure")
        #expect(faults(Pay.self, shadow) == ["/shadow: the action is not idempotent: "])
        let (pay, set) = (PlugCell.liveBook(of: Pay.self), PlugCell.liveBook(of: Set.self))
        for plan in [last, slow, .shadow("closure", with: "closure", isUnsafe: true)] {
            try pay.setLive(plan)
        }
        for plan in [given, inner, last, shadow] { try set.setLive(plan) }
        try pay.setLive(nil)
        try set.setLive(nil)
    }

    @Test("a caller-specific action allows no shared cache")
    func callers() throws {
        class Own: Action<Int, String>, SafeAction, CallerSpecific {}
        class All: Action<Int, String>, SafeAction {}
        Own.self <~ { "\($0)" }
        All.self <~ { "\($0)" }
        let shared = PlugPlan.cache("closure", shared: true)
        #expect(faults(Own.self, shared) == ["/cache/shared: the output may be for its call"])
        try PlugCell.liveBook(of: Own.self).setLive(.cache("closure"))
        try PlugCell.liveBook(of: All.self).setLive(shared)
        try PlugCell.liveBook(of: Own.self).setLive(nil)
        try PlugCell.liveBook(of: All.self).setLive(nil)
    }

    @Test("a call with an invalid plan in code throws the plan's errors")
    func wrongCode() async throws {
        await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ .split(["one": 50])
        } operation: {
            let error = await #expect(throws: InvalidPlan.self) { try await action(Tell.self, 1) }
            #expect(error?.description.contains("the sum of the shares is 50, not 100") == true)
        }
    }

    @Test("plans nest at most 8 deep")
    func depth() {
        var plan: PlugPlan = "closure"
        for _ in 0..<9 { plan = .timeout(plan, seconds: 1) }
        class Deep: Action<Int, String> {}
        Deep.self <~ { "\($0)" }
        let error = #expect(throws: InvalidPlan.self) {
            try PlugCell.liveBook(of: Deep.self).setLive(plan)
        }
        #expect(error?.faults.first?.detail == "plans may nest at most 8 deep")
    }

    @Test("an action that is neither safe nor idempotent allows no cache and no retries")
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
