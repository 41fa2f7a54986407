@testable import Plug
import Synchronization
import Testing

/// The plans as values: what they say, what they refuse, and how calls go through the simple ones.
@Suite("PlugPlan")
struct PlugPlanTests {
    class Tell: Action<Int, String> {}
    class Read: Action<Int, String>, SafeAction {}
    struct Refused: Error, Equatable {}

    @Test("a name alone sends each call to the implementation of that name")
    func named() async throws {
        try await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.named("two") <~ { "two \($0)" }
            Tell.self <~ "two"
        } operation: {
            let told = try await action(Tell.self, 1)
            #expect(told == "two 1")
        }
    }

    @Test("the first that is named answers until more is said")
    func firstNamed() async throws {
        try await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.named("two") <~ { "two \($0)" }
        } operation: {
            let told = try await action(Tell.self, 1)
            #expect(told == "one 1")
        }
    }

    @Test("of a plain plug, a named one and a plan the last that was said counts")
    func last() async throws {
        class Last: Action<Int, String> {}
        Last.self <~ { "plain \($0)" }
        Last.named("one") <~ { "one \($0)" }
        #expect(try await action(Last.self, 1) == "plain 1")
        Last.self <~ "one"
        #expect(try await action(Last.self, 1) == "one 1")
        Last.self <~ "closure"
        #expect(try await action(Last.self, 1) == "plain 1")
        Last.self <~ "one"
        Last.self <~ { "again \($0)" }
        #expect(try await action(Last.self, 1) == "again 1")
        Actions.unplug(Last.self)
        await #expect(throws: NotPlugged(action: "Last")) { try await action(Last.self, 1) }
    }

    @Test("a plan that is a name without a plug is as no plug")
    func missingPlug() async throws {
        await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ "two"
        } operation: {
            _ = await #expect(throws: NotPlugged(action: "Tell")) { try await action(Tell.self, 1) }
        }
    }

    @Test("a name without a plug is in the error of the call, with the line that plugs it")
    func missingName() async throws {
        await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ .timeout("two", seconds: 5)
        } operation: {
            let error = await #expect(throws: NotPlugged.self) { try await action(Tell.self, 1) }
            #expect(error == NotPlugged(action: "Tell", name: "two"))
            #expect(error?.description.contains(#"Tell.named("two") <~ MyTell()"#) == true)
        }
    }

    @Test("what is plugged under a name takes the place of what was there, in the plan that runs")
    func renamed() async throws {
        class Renamed: Action<Int, String> {}
        Renamed.named("one") <~ { "old \($0)" }
        Renamed.self <~ .fallback("one", "one")
        #expect(try await action(Renamed.self, 1) == "old 1")
        Renamed.named("one") <~ { "new \($0)" }
        #expect(try await action(Renamed.self, 1) == "new 1")
        Actions.unplug(Renamed.named("one"))
        await #expect(throws: NotPlugged.self) { try await action(Renamed.self, 1) }
    }

    @Test("a plan in a task's plugs is the task's, and so are its names")
    func overrides() async throws {
        class Mine: Action<Int, String> {}
        Mine.named("one") <~ { "global \($0)" }
        try await Actions.withPlugs {
            Mine.named("two") <~ { "local \($0)" }
            Mine.self <~ .fallback("missing", "two")
        } operation: {
            let told = try await action(Mine.self, 1)
            #expect(told == "local 1")
            try await Actions.withPlugs {
                Mine.self <~ "one"
            } operation: {
                let told = try await action(Mine.self, 1)
                #expect(told == "global 1")
            }
        }
        #expect(try await action(Mine.self, 1) == "global 1")
        let global = PlugCell.liveBook(of: Mine.self).state
        #expect(global.implementations.map(\.name) == ["one"])
    }

    @Test("a live plan goes before what the code says, and goes with it")
    func live() async throws {
        class Live: Action<Int, String> {}
        Live.self <~ { "plain \($0)" }
        Live.named("one") <~ { "one \($0)" }
        let book = PlugCell.liveBook(of: Live.self)
        try book.setLive("one")
        #expect(try await action(Live.self, 1) == "one 1")
        #expect(book.state.plan == "one")
        #expect(book.state.standard == "closure")
        #expect(book.state.isLive)
        #expect(book.state.implementations.first { $0.name == "one" }?.calls == 1)
        try book.setLive(nil)
        #expect(try await action(Live.self, 1) == "plain 1")
        #expect(!book.state.isLive)
    }

    @Test("a live plan that is wrong changes nothing and lists all that is wrong")
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

    @Test("a plan is bounded in its breadth and in its parts")
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

    @Test("retries within retries multiply, and are bounded together")
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

    @Test("what isn't idempotent is neither given up for another plan nor shadowed unawares")
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

    @Test("one caller's answer is no other's where the action asks who calls")
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

    @Test("a plan of the code's own that is wrong makes each call say so")
    func wrongCode() async throws {
        await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ .split(["one": 50])
        } operation: {
            let error = await #expect(throws: InvalidPlan.self) { try await action(Tell.self, 1) }
            #expect(error?.description.contains("the sum of the shares is 50, not 100") == true)
        }
    }

    @Test("plans that nest without end are refused")
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

    // MARK: Fallback

    @Test("a fallback asks the next where one fails, and gives the error of the last")
    func fallback() async throws {
        try await Actions.withPlugs {
            Tell.named("one") <~ { _ in throw Refused() }
            Tell.named("two") <~ { "two \($0)" }
            Tell.self <~ .fallback("one", "two")
        } operation: {
            let told = try await action(Tell.self, 1)
            #expect(told == "two 1")
            await Actions.withPlugs {
                Tell.self <~ .fallback("two", "one", "one")
                Tell.named("two") <~ { _ in throw CancellationError() }
            } operation: {
                _ = await #expect(throws: Refused()) { try await action(Tell.self, 1) }
            }
        }
    }

    @Test("an error that the caller is to blame for is an answer: nothing else is asked")
    func callersFault() async throws {
        struct Unknown: CallerFault { let isCallerFault = true }
        await Actions.withPlugs {
            Read.named("one") <~ { _ in throw Unknown() }
            Read.named("two") <~ { "two \($0)" }
            Read.self <~ .retry(.fallback("one", "two"))
        } operation: {
            _ = await #expect(throws: Unknown.self) { try await action(Read.self, 1) }
        }
    }

    @Test("a caller that goes away ends the chain, and reaches the implementation")
    func cancelled() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let asked = Atomic(0)
        await Actions.withPlugs {
            Read.named("one") <~ { _ in
                asked.wrappingAdd(1, ordering: .relaxed)
                beginning.finish()
                try await Task.sleep(for: .seconds(600))
                return ""
            }
            Read.self <~ .fallback(.init("one", timeout: 900), "one")
        } operation: {
            let call = Task { try await action(Read.self, 1) }
            for await _ in begun {}
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(asked.load(ordering: .relaxed) == 1)
    }

    // MARK: Decorators

    struct Loud: PlugDecorator {
        func perform<I, O>(_ action: String, _ input: I, next: NextPlug<I, O>) async throws -> O {
            let output = try await next(input)
            return (output as? String).map { "\(action): \($0)!" } as? O ?? output
        }
    }

    @Test("a decorator of five lines stands before any implementation")
    func decorator() async throws {
        Actions.decorator("loud", Loud())
        try await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ .decorate("one", with: "loud")
        } operation: {
            let told = try await action(Tell.self, 1)
            #expect(told == "Tell: one 1!")
        }
    }

    @Test("a decorator that nobody knows is refused, not left out")
    func unknownDecorator() async throws {
        await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ .decorate("one", with: "quiet")
        } operation: {
            let error = await #expect(throws: InvalidPlan.self) { try await action(Tell.self, 1) }
            #expect(error?.faults.map(\.pointer) == ["/decorate/with"])
        }
    }
}
