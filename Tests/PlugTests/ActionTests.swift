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

    @Test("its name is the class' without what it is nested in")
    func name() {
        #expect(Count.name == "Count")
        #expect(CountCalls.name == "CountCalls")
        #expect(Generic<Int>.name == "Generic<Int>")
    }

    @Test("a class may have another name")
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

    @Test("each call gets an implementation of its own")
    func fresh() async throws {
        try await Actions.withPlugs {
            Count.self <~ CountCalls()
        } operation: {
            let calls = try await [action(Count.self, 0), action(Count.self, 0)]
            #expect(calls == [1, 1])
        }
    }
}
