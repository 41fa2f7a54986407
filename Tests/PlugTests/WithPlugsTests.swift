import Plug
import Testing

@Suite("Actions.withPlugs")
struct WithPlugsTests {
    struct Refused: Error {}

    @Test("child tasks see the plugs, a detached task doesn't")
    func children() async throws {
        class Where: Action<Void, String> {}
        Where.self <~ { "global" }
        try await Actions.withPlugs {
            Where.self <~ { "local" }
        } operation: {
            async let child = action(Where.self)
            let task = Task { try await action(Where.self) }
            let detached = Task.detached { try await action(Where.self) }
            let answers = try await [child, task.value, detached.value]
            #expect(answers == ["local", "local", "global"])
        }
        #expect(try await action(Where.self) == "global")
    }

    @Test("several statements plug several actions, only for this task")
    func severalStatements() async throws {
        class First: Action<Int, Int> {}
        class Second: Action<Int, Int> {}
        let sum = try await Actions.withPlugs {
            let factor = 2
            First.self <~ { $0 * factor }
            Second.self <~ { $0 * 3 }
        } operation: {
            try await action(First.self, 1) + action(Second.self, 1)
        }
        #expect(sum == 5)
        #expect(!Actions.isPlugged(First.self))
        #expect(!Actions.isPlugged(Second.self))
    }

    @Test("nested plugs stack: the innermost plug applies, other actions retain theirs")
    func nested() async throws {
        class Inner: Action<Void, String> {}
        class Outer: Action<Void, String> {}
        try await Actions.withPlugs {
            Inner.self <~ { "outer" }
            Outer.self <~ { "outer" }
        } operation: {
            try await Actions.withPlugs {
                Inner.self <~ { "inner" }
            } operation: {
                let answers = try await [action(Inner.self), action(Outer.self)]
                #expect(answers == ["inner", "outer"])
            }
            let answer = try await action(Inner.self)
            #expect(answer == "outer")
        }
    }

    @Test("an action can be unplugged for one task")
    func unplug() async throws {
        class Optional: Action<Void, String> {}
        Optional.self <~ { "global" }
        await Actions.withPlugs {
            Actions.unplug(Optional.self)
        } operation: {
            #expect(!Actions.isPlugged(Optional.self))
            await #expect(throws: NotPlugged.self) { try await action(Optional.self) }
        }
        #expect(Actions.isPlugged(Optional.self))
    }

    @Test("a plug made within the operation applies to all tasks")
    func plugWithin() async throws {
        class Late: Action<Void, String> {}
        await Actions.withPlugs {
        } operation: {
            await Task.yield()
            Late.self <~ { "late" }
        }
        #expect(try await action(Late.self) == "late")
    }

    @Test("a cell sees the plugs of its task")
    func cell() async throws {
        class Routed: Action<Void, String> {}
        let cell = PlugCell.of(Routed.self)
        try await Actions.withPlugs {
            Routed.self <~ { "local" }
        } operation: {
            let answer = try await cell.perform(Routed.self, ())
            #expect(answer == "local")
        }
        #expect(!cell.isPlugged)
    }

    @Test("a synchronous operation and the tasks that it starts have its plugs")
    func synchronous() async throws {
        class Sync: Action<Void, String> {}
        func begin() -> Promise<String> {
            Actions.withPlugs {
                Sync.self <~ { "local" }
            } operation: {
                action(Sync.self)
            }
        }
        #expect(try await begin().value == "local")
    }

    @Test("errors of both closures are thrown, and the plugs are removed")
    func errors() async {
        class Failing: Action<Void, String> {}
        await #expect(throws: Refused.self) {
            try await Actions.withPlugs {
                throw Refused()
            } operation: {
                await Task.yield()
            }
        }
        await #expect(throws: Refused.self) {
            try await Actions.withPlugs {
                Failing.self <~ { "local" }
            } operation: {
                await Task.yield()
                throw Refused()
            }
        }
        #expect(!Actions.isPlugged(Failing.self))
    }

    @Test("parallel tests have separate plugs", arguments: 0..<20)
    func parallel(number: Int) async throws {
        try await Actions.withPlugs {
            Parallel.self <~ { number }
        } operation: {
            for _ in 0..<100 {
                await Task.yield()
                let answer = try await action(Parallel.self)
                #expect(answer == number)
            }
        }
    }

    class Parallel: Action<Void, Int> {}
}
