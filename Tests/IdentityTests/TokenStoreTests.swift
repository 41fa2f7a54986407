import AdministrationStore
import Foundation
import HTTPSyntax
import Identity
import Locking
import PlugHTTP
import TestDatabase
import Testing

@Suite("Bearer tokens")
struct TokenStoreTests {
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

    @Test(
        "a token identifies its caller, and tokens are unique",
        arguments: AdministrationKind.allCases
    )
    func valid(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let made = try await tokens.create(name: "ada", scopes: ["admin", "photos:write"])
        let other = try await tokens.create(name: "bob", scopes: ["photos:read"])
        let caller = Caller(id: made.record.id, name: "ada", scopes: ["photos:write", "admin"])
        #expect(try verify(made.text, in: tokens) == .valid(caller))
        #expect(made.text != other.text)
        #expect(made.text.hasPrefix("plug_\(made.record.id)_"))
        #expect(made.text.utf8.count == 82)
    }

    @Test("a token with any character changed is unknown", arguments: AdministrationKind.allCases)
    func wrong(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let made = try await tokens.create(name: "", scopes: ["a"])
        for index in 0..<made.text.utf8.count {
            var bytes = Array(made.text.utf8)
            bytes[index] = bytes[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            #expect(try verify(String(decoding: bytes, as: UTF8.self), in: tokens) == .unknown)
        }
        #expect(try verify("", in: tokens) == .unknown)
        #expect(try verify(String(made.text.dropLast()), in: tokens) == .unknown)
        #expect(try verify(made.text + "0", in: tokens) == .unknown)
        #expect(try verify(made.text.uppercased(), in: tokens) == .unknown)
    }

    @Test("the folder contains a token's digest, not its secret")
    func hashed() async throws {
        let place = try AdministrationPlace(.sqlite)
        let (folder, tokens) = (place.folder, try tokens(place))
        let made = try await tokens.create(name: "ada", scopes: ["admin"])
        let secret = try #require(made.text.split(separator: "_").last)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            #expect(data.range(of: Data(secret.utf8)) == nil)
        }
    }

    @Test("a token expires at the exact second", arguments: AdministrationKind.allCases)
    func expiry(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let made = try await tokens.create(name: "", scopes: ["a"], lifetime: .seconds(60))
        clock.withLock { $0 += 59 }
        let caller = Caller(id: made.record.id, scopes: ["a"])
        #expect(try verify(made.text, in: tokens) == .valid(caller))
        clock.withLock { $0 += 1 }
        #expect(try verify(made.text, in: tokens) == .expired)
    }

    @Test(
        "without a file every token is unknown, and no file is created",
        arguments: AdministrationKind.allCases
    )
    func none(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let token = "plug_0123456789ab_" + String(repeating: "0", count: 64)
        #expect(try verify(token, in: tokens) == .unknown)
        #expect(try await tokens.list().isEmpty)
        #expect(try await !tokens.revoke("0123456789ab"))
        try await tokens.refresh()
        #expect(try await !place.backend().hasTables())
        #expect(!FileManager.default.fileExists(atPath: place.folder))
    }

    @Test(
        "tokens that another process creates and revokes are known after a refresh",
        arguments: AdministrationKind.allCases
    )
    func changes(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let server = try self.tokens(place)
        let never = "plug_0123456789ab_" + String(repeating: "0", count: 64)
        #expect(try verify(never, in: server) == .unknown)
        let made = try await tokens.create(name: "", scopes: ["a"])
        try await server.refresh()
        let caller = Caller(id: made.record.id, scopes: ["a"])
        #expect(try verify(made.text, in: server) == .valid(caller))
        #expect(try await tokens.revoke(made.record.id))
        try await server.refresh()
        #expect(try verify(made.text, in: server) == .unknown)
    }

    @Test("a token that another process just created is accepted at its first use")
    func justMade() async throws {
        let place = try AdministrationPlace(.sqlite)
        let (tokens, server) = (try tokens(place), try tokens(place))
        let first = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(first.text, in: server) != .unknown)
        let second = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(second.text, in: server) != .unknown)
    }

    @Test("this process's own changes take effect at once", arguments: AdministrationKind.allCases)
    func ownChanges(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = try tokens(place)
        let first = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(first.text, in: tokens) != .unknown)
        let second = try await tokens.create(name: "", scopes: ["a"])
        #expect(try verify(second.text, in: tokens) != .unknown)
        #expect(try await tokens.revoke(first.record.id))
        #expect(try verify(first.text, in: tokens) == .unknown)
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
        let place = try AdministrationPlace(.sqlite)
        let tokens = try tokens(place)
        await #expect(throws: TokenError.self) {
            try await tokens.create(
                name: name,
                scopes: Scopes(scopes),
                lifetime: lifetime.map { .seconds($0) } ?? .standard
            )
        }
        #expect(!FileManager.default.fileExists(atPath: place.folder))
    }
}
