import HTTPSyntax
import Locking
import PlugHTTP
import Storage
import Testing

@testable import Identity

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Lifetime of bearer tokens")
final class TokenLifecycleTests {
    private let folder =
        FileManager.default.temporaryDirectory.path
        + "/plugboard-life-\(UInt64.random(in: 0...UInt64.max))"
    private let clock = Locked(1_700_000_000)
    private let tokens: TokenStore

    init() {
        let clock = clock
        tokens = TokenStore(Storage.of(folder)) { clock.withLock { $0 } }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func verify(_ text: String) throws -> TokenStore.Verdict {
        try Array(text.utf8).withUnsafeBufferPointer { try tokens.verify($0) }
    }

    private func isValid(_ text: String) throws -> Bool {
        if case .valid = try verify(text) { true } else { false }
    }

    @Test("a token expires after 90 days, unless its lifetime is unlimited")
    func standardLifetime() async throws {
        let usual = try await tokens.create(name: "", scopes: ["a"])
        let endless = try await tokens.create(name: "", scopes: ["a"], lifetime: .unlimited)
        #expect(usual.record.expires == 1_700_000_000 + 90 * 86_400)
        #expect(endless.record.expires == nil)
        clock.withLock { $0 += 90 * 86_400 }
        #expect(try verify(usual.text) == .expired)
        #expect(try isValid(endless.text))
    }

    @Test("a rotated token has a new secret, and the same number, name, scopes and lifetime")
    func rotation() async throws {
        let old = try await tokens.create(name: "ada", scopes: ["a", "b"], lifetime: .seconds(100))
        #expect(try isValid(old.text))
        clock.withLock { $0 += 60 }
        let new = try #require(try await tokens.rotate(old.record.id))
        #expect(new.text != old.text)
        #expect(new.record.id == old.record.id)
        #expect(new.record.name == "ada")
        #expect(new.record.scopes == ["a", "b"])
        #expect(new.record.expires == 1_700_000_160)
        #expect(try verify(old.text) == .unknown)
        #expect(try isValid(new.text))
        let endless = try await tokens.rotate(old.record.id, lifetime: .unlimited)
        #expect(endless?.record.expires == nil)
        #expect(try await tokens.list().map(\.id) == [old.record.id])
    }

    @Test("only an existing token can be rotated")
    func wrongRotation() async throws {
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

    @Test("the last use is listed at once and stored once a minute")
    func lastUse() async throws {
        let made = try await tokens.create(name: "", scopes: ["a"])
        func listed() async throws -> Int? { try await tokens.list().first?.used }
        func written() async throws -> Int? {
            // Another process's store has only the database.
            try await TokenStore(Storage.of(folder + "/.")).list().first?.used
        }
        #expect(try await listed() == nil)
        #expect(try isValid(made.text))
        #expect(try await listed() == 1_700_000_000)
        #expect(try await written() == nil)
        try await tokens.recordUses()
        #expect(try await written() == 1_700_000_000)
        clock.withLock { $0 += 59 }
        #expect(try isValid(made.text))
        try await tokens.recordUses()
        #expect(try await written() == 1_700_000_000)
        #expect(try await listed() == 1_700_000_059)
        clock.withLock { $0 += 1 }
        #expect(try isValid(made.text))
        try await tokens.recordUses()
        #expect(try await written() == 1_700_000_060)
    }

    @Test("a rejected token has no use recorded")
    func unused() async throws {
        let made = try await tokens.create(name: "", scopes: ["a"], lifetime: .seconds(1))
        #expect(try verify(String(made.text.dropLast()) + "x") == .unknown)
        clock.withLock { $0 += 1 }
        #expect(try verify(made.text) == .expired)
        #expect(try await tokens.list().first?.used == nil)
    }

    @Test("a token's status is available after its end")
    func standing() async throws {
        let made = try await tokens.create(name: "", scopes: ["a"], lifetime: .seconds(10))
        let other = try await tokens.create(name: "", scopes: ["b"])
        #expect(try tokens.standing(of: made.record.id) == .valid(["a"]))
        clock.withLock { $0 += 10 }
        #expect(try tokens.standing(of: made.record.id) == .expired)
        // Revoked by another process, a moment ago.
        let elsewhere = TokenStore(Storage.of(folder + "/."))
        #expect(try await elsewhere.revoke(other.record.id))
        #expect(try tokens.standing(of: other.record.id) == .revoked)
        #expect(try verify(other.text) == .unknown)
        #expect(try await tokens.list().map(\.id) == [made.record.id])
        #expect(try tokens.standing(of: "000000000000") == .unknown)
        #expect(try tokens.standing(of: "certificate CN=ada") == nil)
    }
}
