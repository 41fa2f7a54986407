import AdministrationStore
import Eventually
import Identity
import Locking
import Plug
import PlugHTTP
import PostgreSQL
import TestDatabase
import TestLog
import Testing

@testable import Plugboard

/// Each test has an action of its own, since plugs belong to the process.
@Suite("Following other processes' tokens and plugs", .serialized)
struct AdministrationFollowerTests {
    private let journal = Journal()

    private func isValid(_ text: String, _ tokens: TokenStore) -> Bool {
        let verdict = Array(text.utf8).withUnsafeBufferPointer { try? tokens.verify($0) }
        if case .valid = verdict { return true }
        return false
    }

    @Test("applies changes of both while it runs", arguments: AdministrationKind.allCases)
    func running(kind: AdministrationKind) async throws {
        class Pursued: Action<Void, String> {}
        Pursued.named("one") <~ { "one" }
        Pursued.named("two") <~ { "two" }
        Pursued.self <~ "one"
        let place = try AdministrationPlace(kind)
        let administration = Administration(try place.backend())
        let plugs = PlugAdministration([Pursued.self], administration.plugs, journal.logger)
        let follower = AdministrationFollower(administration, plugs, journal.logger)
        let other = Administration(try place.backend())
        let first = try await other.tokens.create(name: "a", scopes: ["a"])
        try follower.begin()
        #expect(isValid(first.text, administration.tokens))
        let task = Task { await follower.run() }
        let second = try await other.tokens.create(name: "b", scopes: ["b"])
        try await eventually("the token is valid") {
            isValid(second.text, administration.tokens)
        }
        #expect(try await other.tokens.revoke(first.record.id))
        try await eventually("the revocation is known") {
            !isValid(first.text, administration.tokens)
        }
        try await other.plugs.store("two", of: "Pursued", by: .server)
        try await eventually("the plan is live") {
            PlugCell.liveBook(of: Pursued.self).state.plan == "two"
        }
        try await other.plugs.store(nil, of: "Pursued", by: .server)
        try await eventually("the plan is reset") {
            !PlugCell.liveBook(of: Pursued.self).state.isLive
        }
        task.cancel()
        await task.value
        #expect(!journal.lines.contains { $0.hasPrefix("error") }, "\(journal.lines)")
    }

    @Test(
        "a start without the database has no tokens, and logs the reason once",
        arguments: AdministrationKind.remote
    )
    func waiting(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let made = try await TokenStore(place.backend()).create(name: "a", scopes: ["a"])
        let address = try PostgreSQLAddress("postgres://ada:secret@127.0.0.1:1/none")
        let lost = Administration(
            PostgreSQLAdministration(try PostgreSQLClient(address), logger: journal.logger)
        )
        let follower = AdministrationFollower(lost, nil, journal.logger)
        try follower.begin()
        #expect(lost.tokens.isWaiting)
        #expect(!isValid(made.text, lost.tokens))
        let checks = ReadinessCheck.of(lost)
        #expect(checks.map(\.name) == ["tokens", "tokens:write"])
        #expect(journal.lines.count { $0.contains("the store is unavailable") } == 1)
        #expect(!journal.lines.contains { $0.contains("secret") })
    }

    @Test("an unreadable file is logged once, and the known tokens stay valid")
    func unreadable() async throws {
        let place = try AdministrationPlace(.sqlite)
        let administration = Administration(try place.backend())
        let other = Administration(try place.backend())
        let made = try await other.tokens.create(name: "a", scopes: ["a"])
        let follower = AdministrationFollower(administration, nil, journal.logger)
        try follower.begin()
        #expect(isValid(made.text, administration.tokens))
        let task = Task { await follower.run() }
        try place.run("ALTER TABLE administrationAudit RENAME TO away")
        try await eventually("the error is logged") {
            journal.lines.contains { $0.contains("the previous ones stay valid") }
        }
        #expect(isValid(made.text, administration.tokens))
        try place.run("ALTER TABLE away RENAME TO administrationAudit")
        let next = try await other.tokens.create(name: "b", scopes: ["b"])
        try await eventually("the next token is known") {
            isValid(next.text, administration.tokens)
        }
        task.cancel()
        await task.value
        #expect(journal.lines.count { $0.contains("the previous ones stay valid") } == 1)
    }
}
