import AdministrationStore
import Logging
import Plug
import PlugHTTP
import TestDatabase
import TestLog
import Testing

@testable import Plugboard

/// Each test has an action of its own, since plugs belong to the process.
@Suite("Plugs that another process sets", .serialized)
struct PlugAdministrationFollowingTests {
    private let journal = Journal()

    private func state(of action: any ActionProtocol.Type) -> PlugState {
        PlugCell.liveBook(of: action).state
    }

    private func store(_ place: AdministrationPlace) throws -> PlugStore {
        PlugStore(try place.backend())
    }

    @Test("are live after a refresh, in the stored order", arguments: AdministrationKind.allCases)
    func order(kind: AdministrationKind) async throws {
        class Followed: Action<Void, String> {}
        Followed.named("one") <~ { "one" }
        Followed.named("two") <~ { "two" }
        Followed.self <~ "one"
        let place = try AdministrationPlace(kind)
        let (server, other) = (
            PlugAdministration([Followed.self], try store(place), journal.logger),
            try store(place)
        )
        try server.restore()
        try await other.store("two", of: "Followed", by: .server)
        #expect(!state(of: Followed.self).isLive)
        try await server.refresh()
        #expect(state(of: Followed.self).plan == "two")
        try await other.store("one", of: "Followed", by: .server)
        try await server.set(
            "two",
            for: Followed.self,
            expecting: ExpectedPlan(nil, nil),
            by: .server
        )
        #expect(state(of: Followed.self).plan == "two")
        try await other.store("two", of: "Followed", by: .server)
        try await other.store(nil, of: "Followed", by: .server)
        try await server.refresh()
        #expect(!state(of: Followed.self).isLive)
        #expect(try await other.changes(of: "Followed").count == 5)
        #expect(journal.lines.contains { $0.contains(#"plug Followed: "two", by server"#) })
    }

    @Test(
        "of other actions, and unusable ones, change nothing",
        arguments: AdministrationKind.allCases
    )
    func unusable(kind: AdministrationKind) async throws {
        class Steady: Action<Void, String> {}
        Steady.self <~ { "one" }
        let place = try AdministrationPlace(kind)
        let server = PlugAdministration([Steady.self], try store(place), journal.logger)
        let other = try store(place)
        try server.restore()
        try await other.store("one", of: "Another", by: .server)
        try await other.store("missing", of: "Steady", by: .server)
        try await server.refresh()
        #expect(!state(of: Steady.self).isLive)
        #expect(journal.lines.count { $0.contains("plan of Steady can't be plugged") } == 1)
        try await server.refresh()
        #expect(journal.lines.count { $0.contains("plan of Steady can't be plugged") } == 1)
    }

    @Test(
        "replace all plans if another history replaces the known one",
        arguments: AdministrationKind.allCases
    )
    func replaced(kind: AdministrationKind) async throws {
        class First: Action<Void, String> {}
        class Second: Action<Void, String> {}
        First.named("one") <~ { "one" }
        First.named("two") <~ { "two" }
        First.self <~ "one"
        Second.named("one") <~ { "one" }
        Second.named("two") <~ { "two" }
        Second.self <~ "one"
        let place = try AdministrationPlace(kind)
        let server = PlugAdministration(
            [First.self, Second.self],
            try store(place),
            journal.logger
        )
        let other = try store(place)
        try server.restore()
        try await server.set("two", for: First.self, expecting: ExpectedPlan(nil, nil), by: .server)
        try place.run("DELETE FROM \(place.tables.plug)", "DELETE FROM \(place.tables.audit)")
        try await other.store("one", of: "Second", by: .server)
        try await other.store("two", of: "Second", by: .server)
        try await server.refresh()
        #expect(!state(of: First.self).isLive)
        #expect(state(of: Second.self).plan == "two")
        try await server.set(nil, for: Second.self, expecting: ExpectedPlan(nil, nil), by: .server)
    }

    @Test(
        "a guard's change isn't stored over another process's",
        arguments: AdministrationKind.allCases
    )
    func condition(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let store = try store(place)
        try await store.store("one", of: "Any", by: .server)
        #expect(try await !store.store("two", of: "Any", by: .server) { $0 == nil })
        #expect(try await store.plans().plans.map(\.plan) == ["one"])
        #expect(try await store.store("two", of: "Any", by: .server) { $0 == "one" })
        #expect(try await store.plans().plans.map(\.plan) == ["two"])
        #expect(try await store.changes(of: "Any").map(\.before) == ["one", nil])
    }

    @Test("an invalid plan is rejected before it is stored", arguments: AdministrationKind.allCases)
    func invalid(kind: AdministrationKind) async throws {
        class Fixed: Action<Void, String> {}
        Fixed.self <~ { "one" }
        let place = try AdministrationPlace(kind)
        let server = PlugAdministration([Fixed.self], try store(place), journal.logger)
        try server.restore()
        await #expect(throws: Problem.self) {
            try await server.set(
                "missing",
                for: Fixed.self,
                expecting: ExpectedPlan(nil, nil),
                by: .server
            )
        }
        #expect(try await store(place).plans().plans.isEmpty)
        #expect(try await store(place).changes(of: "Fixed").isEmpty)
    }
}
