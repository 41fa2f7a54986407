import Plug
import Testing

@Suite("Actions")
struct ActionsTests {
    struct Refused: Error {}

    @Test("calling an unplugged action throws an error that shows how to plug it")
    func notPlugged() async {
        class Lonely: Action<Int, Int> {}
        let error = await #expect(throws: NotPlugged.self) { try await action(Lonely.self, 1) }
        #expect(error?.action == "Lonely")
        #expect(error?.description.contains("Lonely.self <~ MyLonely()") == true)
    }

    @Test("isPlugged follows plug and unplug")
    func isPlugged() async throws {
        class Switched: Action<Int, Int> {}
        #expect(!Actions.isPlugged(Switched.self))
        Switched.self <~ { $0 + 1 }
        #expect(Actions.isPlugged(Switched.self))
        #expect(try await action(Switched.self, 1) == 2)
        Actions.unplug(Switched.self)
        #expect(!Actions.isPlugged(Switched.self))
        await #expect(throws: NotPlugged.self) { try await action(Switched.self, 1) }
    }

    @Test("a new plug replaces the previous one")
    func replug() async throws {
        class Replugged: Action<Int, String> {}
        Replugged.self <~ { "first \($0)" }
        Replugged.self <~ { "second \($0)" }
        #expect(try await action(Replugged.self, 1) == "second 1")
    }

    @Test("a contract and its subclass are separate actions")
    func derived() async throws {
        class Base: Action<Int, String> {}
        class Special: Base {}
        Base.self <~ { _ in "base" }
        #expect(!Actions.isPlugged(Special.self))
        Special.self <~ { _ in "special" }
        #expect(try await action(Base.self, 1) == "base")
        #expect(try await action(Special.self, 1) == "special")
    }

    @Test("a closure may throw")
    func throwing() async {
        class Refusing: Action<Int, Int> {}
        Refusing.self <~ { _ in throw Refused() }
        await #expect(throws: Refused.self) { try await action(Refusing.self, 1) }
    }

    @Test("a closure may be async")
    func async() async throws {
        class Slow: Action<Int, Int> {}
        Slow.self <~ { input in
            await Task.yield()
            return input * 2
        }
        #expect(try await action(Slow.self, 21) == 42)
        Actions.plug(Slow.self, to: { $0 * 3 })
        #expect(try await action(Slow.self, 21) == 63)
    }

    @Test("an action without input is plugged and called without one")
    func voidInput() async throws {
        class Ping: Action<Void, String> {}
        final class Pong: Ping {
            override func perform(_ input: Void) async throws -> String { "a pong" }
        }
        Ping.self <~ { "pong" }
        #expect(try await action(Ping.self) == "pong")
        #expect(try await action(Ping.self).count == 4)
        Actions.plug(Ping.self) { "pong again" }
        #expect(try await action(Ping.self) == "pong again")
        Ping.self <~ { _ in "ignored" }
        #expect(try await action(Ping.self, ()) == "ignored")
        @Sendable func pong() async throws -> String { "a function" }
        Ping.self <~ pong
        #expect(try await action(Ping.self) == "a function")
        Ping.self <~ Pong()
        #expect(try await action(Ping.self) == "a pong")
    }

    @Test("an action without output is called for its effect")
    func voidOutput() async throws {
        class Log: Action<String, Void> {}
        class Flush: Action<Void, Void> {}
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Log.self <~ { line in continuation.yield(line) }
        Flush.self <~ { continuation.finish() }
        try await action(Log.self, "one")
        try await action(Flush.self)
        #expect(await Array(lines) == ["one"])
    }

    @Test("a stored cell sees each new plug of its action")
    func cell() async throws {
        class Routed: Action<Int, Int> {}
        let cell = PlugCell.of(Routed.self)
        #expect(cell.name == "Routed")
        #expect(!cell.isPlugged)
        await #expect(throws: NotPlugged.self) { try await cell.perform(Routed.self, 1) }
        Routed.self <~ { $0 + 1 }
        #expect(cell.isPlugged)
        #expect(try await cell.perform(Routed.self, 1) == 2)
        Routed.self <~ { $0 + 2 }
        #expect(try await cell.perform(Routed.self, 1) == 3)
        #expect(PlugCell.of(Routed.self) === cell)
    }

    @Test("an implementation's deinit can plug the same action")
    func reentrant() async throws {
        class Outer: Action<Void, Int> {}
        final class Replugs: Sendable {
            deinit { Outer.self <~ { 3 } }
        }
        func plugOnce() {
            let replugs = Replugs()
            Outer.self <~ { withExtendedLifetime(replugs) { 1 } }
        }
        plugOnce()
        #expect(try await action(Outer.self) == 1)
        Outer.self <~ { 2 }
        #expect(try await action(Outer.self) == 3)
    }
}
