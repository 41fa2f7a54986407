import AdministrationStore
import HTTPSyntax
import Locking
import PlugHTTP
import TestDatabase
import Testing

@testable import Identity

@Suite("Lifetime of bearer tokens")
struct TokenLifecycleTests {
    private let clock = Locked(1_700_000_000)

    /// The tokens as a server has them.
    private func tokens(_ place: AdministrationPlace) throws -> TokenStore {
        let tokens = TokenStore(try place.backend()) { [clock] in clock.withLock { $0 } }
        try tokens.begin()
        return tokens
    }

    private func verify(_ text: String, in tokens: TokenStore) throws -> TokenStore.Verdict {
        try Array(text.utf8).withUnsafeBufferPointer { try tokens.verify($0) }
    }

    private func isValid(_ text: String, in tokens: TokenStore) throws -> Bool {
        if case .valid = try verify(text, in: tokens) { true } else { false }
    }

    @Test(
        "a token expires after 90 days, unless its lifetime is unlimited",
        arguments: AdministrationKind.allCases
    )
    func standardLifetime(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let usual = try await tokens.create(name: "", scopes: ["a"])
        let endless = try await tokens.create(name: "", scopes: ["a"], lifetime: .unlimited)
        #expect(usual.record.expires == 1_700_000_000 + 90 * 86_400)
        #expect(endless.record.expires == nil)
        clock.withLock { $0 += 90 * 86_400 }
        #expect(try verify(usual.text, in: tokens) == .expired)
        #expect(try isValid(endless.text, in: tokens))
    }

    @Test(
        "a rotated token has a new secret, and the same number, name, scopes and lifetime",
        arguments: AdministrationKind.allCases
    )
    func rotation(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let old = try await tokens.create(name: "ada", scopes: ["a", "b"], lifetime: .seconds(100))
        #expect(try isValid(old.text, in: tokens))
        clock.withLock { $0 += 60 }
        let new = try #require(try await tokens.rotate(old.record.id))
        #expect(new.text != old.text)
        #expect(new.record.id == old.record.id)
        #expect(new.record.name == "ada")
        #expect(new.record.scopes == ["a", "b"])
        #expect(new.record.expires == 1_700_000_160)
        #expect(try verify(old.text, in: tokens) == .unknown)
        #expect(try isValid(new.text, in: tokens))
        let endless = try await tokens.rotate(old.record.id, lifetime: .unlimited)
        #expect(endless?.record.expires == nil)
        #expect(try await tokens.list().map(\.id) == [old.record.id])
    }

    @Test("only an existing token can be rotated", arguments: AdministrationKind.allCases)
    func wrongRotation(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        #expect(try await tokens.rotate("0123456789ab") == nil)
        let made = try await tokens.create(name: "", scopes: ["a"])
        #expect(try await tokens.rotate("") == nil)
        #expect(try await tokens.rotate(made.text) == nil)
        await #expect(throws: TokenError.lifetime) {
            try await tokens.rotate(made.record.id, lifetime: .seconds(0))
        }
        #expect(try await tokens.revoke(made.record.id))
        #expect(try await tokens.rotate(made.record.id) == nil)
    }

    @Test(
        "the last use is listed at once and stored once a minute",
        arguments: AdministrationKind.allCases
    )
    func lastUse(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let made = try await tokens.create(name: "", scopes: ["a"])
        func listed() async throws -> Int? { try await tokens.list().first?.used }
        func written() async throws -> Int? {
            // Another process's store has only the database.
            try await TokenStore(place.backend()).list().first?.used
        }
        #expect(try await listed() == nil)
        #expect(try isValid(made.text, in: tokens))
        #expect(try await listed() == 1_700_000_000)
        #expect(try await written() == nil)
        try await tokens.recordUses()
        #expect(try await written() == 1_700_000_000)
        clock.withLock { $0 += 59 }
        #expect(try isValid(made.text, in: tokens))
        try await tokens.recordUses()
        #expect(try await written() == 1_700_000_000)
        #expect(try await listed() == 1_700_000_059)
        clock.withLock { $0 += 1 }
        #expect(try isValid(made.text, in: tokens))
        try await tokens.recordUses()
        #expect(try await written() == 1_700_000_060)
    }

    @Test("a rejected token has no use recorded", arguments: AdministrationKind.allCases)
    func unused(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let made = try await tokens.create(name: "", scopes: ["a"], lifetime: .seconds(1))
        #expect(try verify(String(made.text.dropLast()) + "x", in: tokens) == .unknown)
        clock.withLock { $0 += 1 }
        #expect(try verify(made.text, in: tokens) == .expired)
        #expect(try await tokens.list().first?.used == nil)
    }

    @Test("a token's status is available after its end", arguments: AdministrationKind.allCases)
    func standing(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let made = try await tokens.create(name: "", scopes: ["a"], lifetime: .seconds(10))
        let other = try await tokens.create(name: "", scopes: ["b"])
        #expect(try await tokens.standing(of: made.record.id) == .valid(["a"]))
        clock.withLock { $0 += 10 }
        #expect(try await tokens.standing(of: made.record.id) == .expired)
        // Revoked by another process, a moment ago.
        let elsewhere = TokenStore(try place.backend())
        #expect(try await elsewhere.revoke(other.record.id))
        #expect(try await tokens.standing(of: other.record.id) == .revoked)
        #expect(try verify(other.text, in: tokens) == .unknown)
        #expect(try await tokens.list().map(\.id) == [made.record.id])
        #expect(try await tokens.standing(of: "000000000000") == .unknown)
        #expect(try await tokens.standing(of: "certificate CN=ada") == nil)
    }
}
