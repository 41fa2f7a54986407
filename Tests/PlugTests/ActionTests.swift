import Plug
import Testing

@Suite("Action")
struct ActionTests {
    class Count: Action<Int, Int> {}

    final class CountCalls: Count {
        private var calls = 0
        override func perform(_ input: Int) async throws -> Int {
            calls += 1
            return calls
        }
    }

    class Renamed: Action<Void, Void> {
        override class var name: String { "old-name" }
    }

    class Generic<Element: Sendable>: Action<Element, Void> {}

    @Test("its name is the class's name without the enclosing types")
    func name() {
        #expect(Count.name == "Count")
        #expect(CountCalls.name == "CountCalls")
        #expect(Generic<Int>.name == "Generic<Int>")
    }

    @Test("a class can override its name")
    func otherName() async {
        #expect(Renamed.name == "old-name")
        await #expect(throws: NotPlugged(action: "old-name")) { try await action(Renamed.self) }
    }

    @Test("an implementation that doesn't override perform throws an error that names it")
    func notImplemented() async {
        final class Forgetful: Count {}
        await Actions.withPlugs {
            Count.self <~ Forgetful()
        } operation: {
            let error = await #expect(throws: NotImplemented.self) {
                try await action(Count.self, 1)
            }
            #expect(error?.action == "Forgetful")
            #expect(error?.description.contains("Forgetful") == true)
        }
    }

    @Test("each call gets its own copy of the implementation")
    func fresh() async throws {
        try await Actions.withPlugs {
            Count.self <~ CountCalls()
        } operation: {
            let calls = try await [action(Count.self, 0), action(Count.self, 0)]
            #expect(calls == [1, 1])
        }
    }

    @Test("a synchronous implementation overrides only performNow")
    func now() async throws {
        final class CountNow: Count {
            override func performNow(_ input: Int) throws -> Int { input + 1 }
        }
        try await Actions.withPlugs {
            Count.self <~ CountNow()
        } operation: { () async throws in
            #expect(try await action(Count.self, 1) == 2)
            #expect(try await CountNow().perform(2) == 3)
        }
    }

    @Test("nil is a valid output")
    func nilOutput() async throws {
        class Find: Action<Int, String?> {}
        final class FindNothing: Find {
            override func performNow(_ input: Int) throws -> String?? { .some(nil) }
        }
        try await Actions.withPlugs {
            Find.self <~ FindNothing()
        } operation: { () async throws in
            #expect(try await action(Find.self, 1) == nil)
        }
        try await Actions.withPlugs {
            Find.self <~ { _ in nil }
        } operation: { () async throws in
            #expect(try await action(Find.self, 1) == nil)
        }
    }

    @Test("an implementation runs on no actor by default, even if the main actor calls it")
    @MainActor func isolation() async throws {
        class Where: Action<Void, Bool> {}
        final class Anywhere: Where {
            override func perform(_ input: Void) async throws -> Bool { !isOnActor() }
        }
        final class Elsewhere: Where {
            @concurrent override func perform(_ input: Void) async throws -> Bool { true }
        }
        final class OnMain: Where {
            @MainActor override func perform(_ input: Void) async throws -> Bool {
                #isolation === MainActor.shared
            }
        }
        try await Actions.withPlugs {
            Where.self <~ Anywhere()
        } operation: { () async throws in
            #expect(try await action(Where.self))
            #expect(try await Promise { try await action(Where.self, ()) }.value)
        }
        try await Actions.withPlugs {
            Where.self <~ Elsewhere()
        } operation: { () async throws in
            #expect(try await action(Where.self))
        }
        try await Actions.withPlugs {
            Where.self <~ OnMain()
        } operation: { () async throws in
            #expect(try await action(Where.self))
        }
        try await Actions.withPlugs {
            Where.self <~ { () async in !isOnActor() }
        } operation: { () async throws in
            #expect(try await action(Where.self))
        }
    }

    @Test("an action that doesn't inherit from Action can be plugged")
    func noSubclass() async throws {
        struct Twice: ActionProtocol {
            static var name: String { "Twice" }
            func perform(_ input: Int) async throws -> Int { input * 2 }
        }
        try await Actions.withPlugs {
            Twice.self <~ Twice()
        } operation: { () async throws in
            #expect(try await action(Twice.self, 21) == 42)
        }
    }
}

private func isOnActor(_ isolation: isolated (any Actor)? = #isolation) -> Bool {
    isolation != nil
}
