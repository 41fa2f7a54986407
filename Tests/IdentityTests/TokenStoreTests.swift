import Foundation
import HTTPSyntax
import Identity
import Locking
import PlugHTTP
import Storage
import Testing

@Suite("Bearer tokens")
struct TokenStoreTests {
    private let folder = NSTemporaryDirectory() + "plugboard-tokens-\(UUID().uuidString)"
    private let clock = Locked(1_700_000_000)
    private let tokens: TokenStore

    init() {
        let clock = clock
        tokens = TokenStore(Storage.of(folder)) { clock.withLock { $0 } }
    }

    private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

    private func verify(_ text: String, in tokens: TokenStore? = nil) throws -> TokenStore.Verdict {
        try Array(text.utf8).withUnsafeBufferPointer { try (tokens ?? self.tokens).verify($0) }
    }

    @Test("a token identifies its caller, and tokens are unique")
    func valid() async throws {
        defer { removeFolder() }
        let made = try await tokens.create(name: "ada", scopes: ["admin", "photos:write"])
        let other = try await tokens.create(name: "bob", scopes: ["photos:read"])
        let caller = Caller(id: made.record.id, name: "ada", scopes: ["photos:write", "admin"])
        #expect(try verify(made.text) == .valid(caller))
        #expect(made.text != other.text)
        #expect(made.text.hasPrefix("plug_\(made.record.id)_"))
        #expect(made.text.utf8.count == 82)
    }

    @Test("a token with any character changed is unknown")
    func wrong() async throws {
        defer { removeFolder() }
        let made = try await tokens.create(name: "", scopes: ["a"])
        for index in 0..<made.text.utf8.count {
            var bytes = Array(made.text.utf8)
            bytes[index] = bytes[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            #expect(try verify(String(decoding: bytes, as: UTF8.self)) == .unknown)
        }
        #expect(try verify("") == .unknown)
        #expect(try verify(String(made.text.dropLast())) == .unknown)
        #expect(try verify(made.text + "0") == .unknown)
        #expect(try verify(made.text.uppercased()) == .unknown)
    }

    @Test("the folder contains a token's digest, not its secret")
    func hashed() async throws {
        defer { removeFolder() }
        let made = try await tokens.create(name: "ada", scopes: ["admin"])
        let secret = try #require(made.text.split(separator: "_").last)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            #expect(data.range(of: Data(secret.utf8)) == nil)
        }
    }

    @Test("a token expires at the exact second")
    func expiry() async throws {
        defer { removeFolder() }
        let made = try await tokens.create(name: "", scopes: ["a"], lifetime: .seconds(60))
        clock.withLock { $0 += 59 }
        let caller = Caller(id: made.record.id, scopes: ["a"])
        #expect(try verify(made.text) == .valid(caller))
        clock.withLock { $0 += 1 }
        #expect(try verify(made.text) == .expired)
    }

    @Test("without a file every token is unknown, and no file is created")
    func none() async throws {
        let token = "plug_0123456789ab_" + String(repeating: "0", count: 64)
        #expect(try verify(token) == .unknown)
        #expect(try await tokens.list().isEmpty)
        #expect(try await !tokens.revoke("0123456789ab"))
        try tokens.refresh()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("tokens that another process creates and revokes are known after a refresh")
    func changes() async throws {
        defer { removeFolder() }
        let server = TokenStore(Storage.of(folder + "/.")) { 0 }
        let never = "plug_0123456789ab_" + String(repeating: "0", count: 64)
        #expect(try verify(never, in: server) == .unknown)
        let made = try await tokens.create(name: "", scopes: ["a"])
        try server.refresh()
        let caller = Caller(id: made.record.id, scopes: ["a"])
        #expect(try verify(made.text, in: server) == .valid(caller))
        #expect(try await tokens.revoke(made.record.id))
        try server.refresh()
        #expect(try verify(made.text, in: server) == .unknown)
    }

    @Test("a token that another process just created is accepted at its first use")
    func justMade() async throws {
        defer { removeFolder() }
        let server = TokenStore(Storage.of(folder + "/.")) { 0 }
        let first = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(first.text, in: server) != .unknown)
        let second = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(second.text, in: server) != .unknown)
    }

    @Test("this process's own changes take effect at once")
    func ownChanges() async throws {
        defer { removeFolder() }
        let first = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(first.text) != .unknown)
        let second = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(second.text) != .unknown)
        #expect(try await tokens.revoke(first.record.id))
        #expect(try verify(first.text) == .unknown)
        #expect(try await !tokens.revoke(first.record.id))
        #expect(try await tokens.list().map(\.id) == [second.record.id])
    }

    @Test(
        "an invalid name, scope or lifetime is rejected, and no file is created",
        arguments: [
            ("", [], nil), ("", ["a b"], nil), ("", ["a\"b"], nil), ("", ["é"], nil),
            ("a\nb", ["a"], nil), (String(repeating: "a", count: 201), ["a"], nil),
            ("", ["a"], 0), ("", ["a"], .max), ("", (0...64).map { "s\($0)" }, nil),
        ] as [(String, [String], Int?)]
    )
    func refused(_ name: String, _ scopes: [String], _ lifetime: Int?) async throws {
        await #expect(throws: TokenError.self) {
            try await tokens.create(
                name: name,
                scopes: Scopes(scopes),
                lifetime: lifetime.map { .seconds($0) } ?? .standard
            )
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
