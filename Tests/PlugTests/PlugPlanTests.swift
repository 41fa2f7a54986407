@testable import Plug
import Synchronization
import Testing

/// The plans as values: what they say, what they refuse, and how calls go through the simple ones.
@Suite("PlugPlan")
struct PlugPlanTests {
    class Tell: Action<Int, String> {}
    class Read: Action<Int, String>, SafeAction {}
    struct Refused: Error, Equatable {}

    @Test("a plan that is a name sends each call to that implementation")
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

    @Test("the first named plug is the default")
    func firstNamed() async throws {
        try await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.named("two") <~ { "two \($0)" }
        } operation: {
            let told = try await action(Tell.self, 1)
            #expect(told == "one 1")
        }
    }

    @Test("the latest plain plug or plan applies; a named plug doesn't replace it")
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

    @Test("an action counts as unplugged if its plan is a missing name")
    func missingPlug() async throws {
        await Actions.withPlugs {
            Tell.named("one") <~ { "one \($0)" }
            Tell.self <~ "two"
        } operation: {
            _ = await #expect(throws: NotPlugged(action: "Tell")) { try await action(Tell.self, 1) }
        }
    }

    @Test("the error for a missing name has the line that plugs it")
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

    @Test("a new plug of the same name replaces the old one in the running plan")
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

    @Test("a plan in a task's plugs applies only to that task, and so do its names")
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

    @Test("a live plan overrides the code's plan until it is removed")
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

    @Test("a fallback tries the next plan after a failure, and throws the last error")
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

    @Test("an error that is the caller's fault ends retries and fallbacks")
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

    @Test("cancelling the caller ends the fallback and cancels the implementation")
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

    @Test("a decorator wraps any implementation")
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

    @Test("an unknown decorator is an error")
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
