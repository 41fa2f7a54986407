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
