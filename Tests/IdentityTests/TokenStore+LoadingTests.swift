import AdministrationStore
import HTTPSyntax
import Locking
import PlugHTTP
import PostgreSQL
import System
import TestDatabase
import Testing

@testable import Identity

/// A store that records its queries, and that a test can make unavailable.
private final class ObservedBackend: AdministrationBackend {
    private let backend: any AdministrationBackend
    private let state = Locked((queries: [String](), isLost: false))

    init(_ backend: any AdministrationBackend) { self.backend = backend }

    var tables: AdministrationTables { backend.tables }
    var isRemote: Bool { backend.isRemote }
    var loss: String? { state.withLock { $0.isLost ? "lost" : nil } }
    var changes: AsyncQueue<SingleKey> { backend.changes }

    func lose(_ isLost: Bool) { state.withLock { $0.isLost = isLost } }

    /// Returns the queries since the last time.
    func taken() -> [String] {
        state.withLock { state in
            defer { state.queries = [] }
            return state.queries
        }
    }

    private func note(_ queries: [SQLStatement]) throws {
        try state.withLock { state in
            if state.isLost { throw AdministrationError.unavailable("lost") }
            state.queries += queries.map(\.positionalText)
        }
    }

    func read(_ queries: [SQLStatement]) async throws -> [[SQLRow]]? {
        try note(queries)
        return try await backend.read(queries)
    }

    func readNow(_ queries: [SQLStatement]) throws -> [[SQLRow]]? {
        try note(queries)
        return try backend.readNow(queries)
    }

    func commit(
        _ statements: [SQLStatement],
        after head: AdministrationHead?
    ) async throws -> Bool {
        try note([])
        return try await backend.commit(statements, after: head)
    }

    func differences() async throws -> [String] { try await backend.differences() }

    func watch(_ changed: @escaping @Sendable () async -> Void) async {
        await backend.watch(changed)
    }
}

@Suite("Loading of bearer tokens")
struct TokenStoreLoadingTests {
    private func verify(_ text: String, in tokens: TokenStore) throws -> TokenStore.Verdict {
        try Array(text.utf8).withUnsafeBufferPointer { try tokens.verify($0) }
    }

    @Test("a change reads only the changed tokens", arguments: AdministrationKind.allCases)
    func changedOnly(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = ObservedBackend(try place.backend())
        let (server, other) = (TokenStore(backend), TokenStore(try place.backend()))
        let first = try await other.create(name: "a", scopes: ["a"])
        try await server.load()
        _ = backend.taken()
        let second = try await other.create(name: "b", scopes: ["b"])
        try await server.refresh()
        let queries = backend.taken()
        #expect(queries.count { $0.contains("FROM \(place.tables.token)") } == 1)
        #expect(queries.contains { $0.contains("WHERE number IN (?)") })
        #expect(try verify(first.text, in: server) != .unknown)
        #expect(try verify(second.text, in: server) != .unknown)
        // Nothing new: one look at the audit.
        try await server.refresh()
        #expect(backend.taken().count == 1)
    }

    @Test("last uses change no other process's tokens", arguments: AdministrationKind.allCases)
    func uses(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = ObservedBackend(try place.backend())
        let (server, other) = (TokenStore(backend), TokenStore(try place.backend()))
        let made = try await other.create(name: "a", scopes: ["a"])
        try await other.load()
        try await server.load()
        #expect(try verify(made.text, in: other) != .unknown)
        try await other.recordUses()
        _ = backend.taken()
        try await server.refresh()
        #expect(backend.taken().count == 1)
        #expect(try await server.list().first?.used != nil)
    }

    @Test(
        "a rotation and a revocation by another process take effect with a refresh",
        arguments: AdministrationKind.allCases
    )
    func changes(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let (server, other) = (
            TokenStore(try place.backend()), TokenStore(try place.backend())
        )
        let first = try await other.create(name: "a", scopes: ["a"])
        let second = try await other.create(name: "b", scopes: ["b"])
        try await server.load()
        let rotated = try #require(try await other.rotate(first.record.id))
        #expect(try await other.revoke(second.record.id))
        try await server.refresh()
        #expect(try verify(first.text, in: server) == .unknown)
        #expect(try verify(rotated.text, in: server) != .unknown)
        #expect(try verify(second.text, in: server) == .unknown)
        #expect(try await server.standing(of: second.record.id) == .revoked)
    }

    @Test(
        "the last known tokens stay valid while the store is lost, and changes are rejected",
        arguments: AdministrationKind.allCases
    )
    func lost(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = ObservedBackend(try place.backend())
        let server = TokenStore(backend)
        let made = try await server.create(name: "a", scopes: ["a"])
        try await server.load()
        backend.lose(true)
        await #expect(throws: AdministrationError.self) { try await server.refresh() }
        #expect(try verify(made.text, in: server) != .unknown)
        await #expect(throws: AdministrationError.self) {
            try await server.revoke(made.record.id)
        }
        await #expect(throws: AdministrationError.self) {
            try await server.standing(of: made.record.id)
        }
        #expect(try verify(made.text, in: server) != .unknown)
        backend.lose(false)
        #expect(try await server.revoke(made.record.id))
        #expect(try verify(made.text, in: server) == .unknown)
    }

    @Test(
        "tokens of a remote store are an error until they are loaded",
        arguments: AdministrationKind.remote
    )
    func waiting(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let backend = ObservedBackend(try place.backend())
        let server = TokenStore(backend)
        let made = try await server.create(name: "a", scopes: ["a"])
        let waiting = TokenStore(backend)
        backend.lose(true)
        #expect(throws: AdministrationError.self) { try waiting.begin() }
        #expect(waiting.isWaiting)
        #expect(throws: AdministrationError.self) { try verify(made.text, in: waiting) }
        backend.lose(false)
        // A request doesn't wait for the database.
        #expect(throws: AdministrationError.self) { try verify(made.text, in: waiting) }
        try await waiting.refresh()
        #expect(!waiting.isWaiting)
        #expect(try verify(made.text, in: waiting) != .unknown)
    }

    @Test("another history replaces all tokens", arguments: AdministrationKind.allCases)
    func replaced(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let (server, other) = (
            TokenStore(try place.backend()), TokenStore(try place.backend())
        )
        let old = try await other.create(name: "old", scopes: ["a"])
        try await server.load()
        #expect(try verify(old.text, in: server) != .unknown)
        try place.run("DELETE FROM \(place.tables.token)", "DELETE FROM \(place.tables.audit)")
        let new = try await other.create(name: "new", scopes: ["a"])
        _ = try await other.create(name: "newer", scopes: ["a"])
        try await server.refresh()
        #expect(try verify(old.text, in: server) == .unknown)
        #expect(try verify(new.text, in: server) != .unknown)
    }

    @Test(
        "concurrent loads never publish an older snapshot",
        arguments: AdministrationKind.allCases
    )
    func concurrent(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let (server, other) = (
            TokenStore(try place.backend()), TokenStore(try place.backend())
        )
        try await server.load()
        for _ in 0..<10 {
            let made = try await other.create(name: "a", scopes: ["a"])
            async let one: Void = server.refresh()
            async let two: Void = Task.detached { try server.refreshNow() }.value
            _ = try await (one, two)
            #expect(try verify(made.text, in: server) != .unknown)
        }
    }

    @Test("more than 500 changes are read in pages", arguments: AdministrationKind.allCases)
    func manyChanges(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let (server, backend) = (TokenStore(try place.backend()), try place.backend())
        try await server.load()
        try await backend.change { update in
            for _ in 0..<1100 { try update.record(.rejectCredentials, to: "{}", by: .server) }
        }
        let made = try await TokenStore(backend).create(name: "a", scopes: ["a"])
        try await server.refresh()
        #expect(try verify(made.text, in: server) != .unknown)
    }

    @Test("the limit on tokens counts valid ones only", arguments: AdministrationKind.allCases)
    func limit(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        let tokens = TokenStore(try place.backend())
        let first = try await tokens.create(name: "a", scopes: ["a"])
        let table = place.tables.token
        try place.run(
            """
            INSERT INTO \(table) (number, digest, name, scopes, created)
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(TokenStore.maximumCount - 1)
            )
            SELECT n, \(kind == .sqlite ? "x'00'" : "'\\x00'"), '', 'a', 0 FROM numbers
            """
        )
        await #expect(throws: TokenError.tooMany) {
            try await tokens.create(name: "b", scopes: ["a"])
        }
        #expect(try await tokens.revoke(first.record.id))
        _ = try await tokens.create(name: "b", scopes: ["a"])
    }
}
