@testable import Plug
import Synchronization
import Testing

/// Changes of an action's named implementations and plan.
@Suite("PlugBook")
struct PlugBookTests {
    @Test("a live plan can't name an implementation that was unplugged")
    func takenOut() async throws {
        class Gone: Action<Int, String> {}
        Gone.self <~ { "plain \($0)" }
        Gone.named("one") <~ { "one \($0)" }
        Actions.unplug(Gone.named("one"))
        let book = PlugCell.liveBook(of: Gone.self)
        #expect(book.state.implementations.map(\.name) == ["closure"])
        for name in ["one", "never", ""] {
            #expect(throws: InvalidPlan.self) { try book.setLive(.plug(name)) }
        }
        #expect(try await action(Gone.self, 1) == "plain 1")
    }

    @Test("calls fail while the live plan's implementation is unplugged, until one is plugged")
    func takenFromPlan() async throws {
        class Taken: Action<Int, String> {}
        Taken.self <~ { "plain \($0)" }
        Taken.named("one") <~ { "one \($0)" }
        let book = PlugCell.liveBook(of: Taken.self)
        try book.setLive("one")
        Actions.unplug(Taken.named("one"))
        await #expect(throws: NotPlugged(action: "Taken", name: "one")) {
            try await action(Taken.self, 1)
        }
        Taken.named("one") <~ { "another \($0)" }
        #expect(try await action(Taken.self, 1) == "another 1")
        #expect(book.state.isLive)
    }

    @Test("a later plug, plan or unplug in code ends a live plan")
    func laterCode() async throws {
        class Later: Action<Int, String> {}
        Later.self <~ { "plain \($0)" }
        Later.named("one") <~ { "one \($0)" }
        let book = PlugCell.liveBook(of: Later.self)
        try book.setLive("one")
        Later.self <~ { "again \($0)" }
        #expect(!book.state.isLive)
        #expect(try await action(Later.self, 1) == "again 1")
        try book.setLive("closure")
        Later.self <~ .fallback("one", "closure")
        #expect(!book.state.isLive)
        #expect(book.state.plan == .fallback("one", "closure"))
        #expect(try await action(Later.self, 1) == "one 1")
        try book.setLive("closure")
        Actions.unplug(Later.self)
        #expect(!book.state.isLive)
        #expect(book.state.plan == nil)
        await #expect(throws: NotPlugged(action: "Later")) { try await action(Later.self, 1) }
    }

    @Test("removing the live plan restores the code's plan")
    func backToCode() async throws {
        class Back: Action<Int, String> {}
        Back.named("one") <~ { "one \($0)" }
        Back.named("two") <~ { "two \($0)" }
        Back.self <~ .fallback("two", "one")
        let book = PlugCell.liveBook(of: Back.self)
        try book.setLive("one")
        #expect(book.state.standard == .fallback("two", "one"))
        #expect(try await action(Back.self, 1) == "one 1")
        for _ in 0..<2 {
            try book.setLive(nil)
            #expect(book.state.plan == .fallback("two", "one"))
            #expect(try await action(Back.self, 1) == "two 1")
        }
    }

    @Test("the first named plug is the default, unless a live plan was set")
    func firstName() async throws {
        class First: Action<Int, String> {}
        let book = PlugCell.liveBook(of: First.self)
        #expect(book.state.plan == nil && book.state.implementations.isEmpty)
        #expect(throws: InvalidPlan.self) { try book.setLive("closure") }
        First.named("one") <~ { "one \($0)" }
        First.named("two") <~ { "two \($0)" }
        Actions.unplug(First.self)
        try book.setLive("two")
        First.named("three") <~ { "three \($0)" }
        #expect(try await action(First.self, 1) == "two 1")
        try book.setLive(nil)
        await #expect(throws: NotPlugged(action: "First")) { try await action(First.self, 1) }
        First.named("three") <~ { "three again \($0)" }
        #expect(try await action(First.self, 1) == "three again 1")
    }

    @Test("a task's plugs start with the live plan, and their changes stay in the task")
    func copies() async throws {
        class Copied: Action<Int, String> {}
        Copied.self <~ { "plain \($0)" }
        Copied.named("one") <~ { "one \($0)" }
        let book = PlugCell.liveBook(of: Copied.self)
        try book.setLive("one")
        try await Actions.withPlugs {
            Copied.named("two") <~ { "two \($0)" }
        } operation: {
            let told = try await action(Copied.self, 1)
            #expect(told == "one 1")
            // Of this task alone, as the live plan is of all others.
            try await Actions.withPlugs {
                Copied.self <~ "two"
            } operation: {
                let told = try await action(Copied.self, 1)
                #expect(told == "two 1")
            }
            #expect(throws: InvalidPlan.self) { try book.setLive("two") }
        }
        #expect(book.state.isLive && book.state.plan == "one")
        #expect(book.state.implementations.map(\.name) == ["closure", "one"])
        #expect(try await action(Copied.self, 1) == "one 1")
    }

    @Test("an implementation's deinit can plug implementations without a deadlock")
    func plugsWhileGoing() async throws {
        class Heir: Action<Int, String> {}
        final class Testator: Sendable {
            let heir: Int
            init(_ heir: Int) { self.heir = heir }
            deinit { Heir.named("two") <~ { [heir] in "heir \(heir) of \($0)" } }
        }
        func plug(_ number: Int) -> @Sendable (Int) -> String {
            let testator = Testator(number)
            return { "\($0) of \(testator.heir)" }
        }
        Heir.self <~ plug(1)
        Heir.named("one") <~ plug(2)
        #expect(try await action(Heir.self, 1) == "1 of 1")
        // Each of these lets one go.
        Heir.self <~ { "plain \($0)" }
        Heir.self <~ "two"
        #expect(try await action(Heir.self, 1) == "heir 1 of 1")
        Heir.named("one") <~ { "one \($0)" }
        #expect(try await action(Heir.self, 1) == "heir 2 of 1")
        Heir.self <~ "one"
        #expect(try await action(Heir.self, 1) == "one 1")
    }
}
