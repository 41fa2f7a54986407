import System
import Digests
import GRDB
import Glibc
package import HTTPSyntax
import Locking
package import PlugHTTP
package import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The tokens in a data folder.
///
/// Requests read an immutable snapshot in memory. It is loaded with the first request, and again
/// when the file has changed.
package final class TokenStore: Sendable {
    /// The minimum time between two reads of a database that changes all the time.
    private static let pause = Duration.milliseconds(400)
    /// The maximum number of tokens in a folder.
    package static let maximumCount = 10_000

    private let storage: Storage
    private let now: @Sendable () -> Int
    private let state = Locked(State())
    private let loading = Locked(())

    /// The minimum time between two checks of the file because of unknown tokens, in milliseconds.
    ///
    /// A client that guesses tokens can't cause more checks.
    private static let minimumPause = 500

    private struct State {
        /// Nil until the first request.
        var tokens: [UInt64: Entry]?
        var stamp: DatabaseStamp?
        /// The time of the last check because of an unknown token, on a millisecond clock.
        var looked = Int.min
    }

    private struct Entry {
        let record: TokenRecord
        let caller: Caller
    }

    /// The result of a token's verification.
    package enum Verdict: Sendable, Equatable {
        case valid(Caller)
        case expired
        /// The token never existed, was revoked, or is wrong.
        case unknown
    }

    /// Creates the store of a folder, with a clock of seconds since 1970.
    package init(_ storage: Storage, now: @escaping @Sendable () -> Int = { time(nil) }) {
        self.storage = storage
        self.now = now
    }

    // MARK: Asking

    /// Verifies a token and returns its caller.
    ///
    /// The first call reads the database and blocks the calling thread.
    package func verify(_ text: ByteSpan) throws -> Verdict {
        guard let token = TokenText(text) else { return .unknown }
        let entry = try entry(token.number)
        // Also compares without an entry, so that the duration reveals nothing.
        let digest = entry?.record.digest ?? Self.nobody
        guard Digest.areEqual(token.digest, digest), let entry else { return .unknown }
        return entry.record.isExpired(at: now()) ? .expired : .valid(entry.caller)
    }

    private static let nobody = [UInt8](repeating: 0, count: Digest.length)

    private func entry(_ number: UInt64) throws -> Entry? {
        let (isLoaded, entry) = state.withLock { ($0.tokens != nil, $0.tokens?[number]) }
        if isLoaded, entry == nil, mayRead() {
            // Another process may just have created it. If the read fails, the known tokens stay
            // valid and this one stays unknown.
            try? refresh()
            return state.withLock { $0.tokens?[number] }
        }
        if isLoaded { return entry }
        // Concurrent callers wait for one load.
        try loading.withLock { _ in
            if state.withLock({ $0.tokens == nil }) { try load() }
        }
        return state.withLock { $0.tokens?[number] }
    }

    private func mayRead() -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        let now = time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        return state.withLock { state in
            guard state.looked == .min || now - state.looked >= Self.minimumPause else {
                return false
            }
            state.looked = now
            return true
        }
    }

    // MARK: Following the file

    /// Reloads the tokens whenever the database changes, until the task is cancelled.
    package func watch(failed: (any Error) -> Void) async {
        var isNews = true
        for await _ in Watcher.shared.looks(at: [.database(storage.path)]) {
            do {
                try refresh()
                isNews = true
            } catch {
                if isNews { failed(error) }
                isNews = false
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Reloads the snapshot if it is in use and the file has changed.
    ///
    /// After an error the previous snapshot stays: an unreadable file revokes nothing.
    package func refresh() throws {
        guard let known = state.withLock({ $0.tokens == nil ? nil : $0 }) else { return }
        guard DatabaseStamp(storage.path) != known.stamp || known.stamp?.isSettled == false
        else { return }
        try loading.withLock { _ in try load() }
    }

    private func load() throws {
        // Taken before the read, so that a write during the read has another stamp.
        let stamp = DatabaseStamp(storage.path)
        let records =
            try storage.readNow(.tokens) { database in
                try Row.fetchAll(database, sql: "SELECT * FROM token").compactMap(TokenRecord.init)
            } ?? []
        let entries = records.map { ($0.number, Entry(record: $0, caller: $0.caller)) }
        let tokens = Dictionary(entries) { first, _ in first }
        state.withLock { ($0.tokens, $0.stamp) = (tokens, stamp) }
    }

    // MARK: Administration

    /// Creates a token and returns its text, which can't be retrieved later.
    ///
    /// - Throws: ``TokenError`` if a value is invalid.
    package func create(
        name: String,
        scopes: Scopes,
        lifetime: Int? = nil,
        by author: AdministrationAuthor = .server
    ) async throws -> (text: String, record: TokenRecord) {
        try TokenError.check(name: name, scopes: scopes, lifetime: lifetime)
        let created = now()
        let made = try await storage.write(.tokens) { database in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM token") ?? 0
            guard count < Self.maximumCount else { throw TokenError.tooMany }
            let text = TokenText.generate()
            guard let token = Array(text.utf8).withUnsafeBufferPointer(TokenText.init) else {
                throw TokenError.tooMany
            }
            let record = TokenRecord(
                number: token.number,
                name: name,
                scopes: scopes,
                created: created,
                expires: lifetime.map { created + $0 },
                digest: token.digest
            )
            try database.execute(
                sql: """
                    INSERT INTO token (number, digest, name, scopes, created, expires)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Int64(record.number), Data(record.digest), name, scopes.text, created,
                    record.expires,
                ]
            )
            try AdministrationLog.add(
                .createToken,
                of: record.id,
                to: record.audited,
                by: author,
                at: created,
                in: database
            )
            return (text, record)
        }
        try reload()
        return made
    }

    /// Returns all tokens, newest last.
    package func list() async throws -> [TokenRecord] {
        try await storage.read(.tokens) { database in
            try Row.fetchAll(database, sql: "SELECT * FROM token ORDER BY position")
                .compactMap(TokenRecord.init)
        } ?? []
    }

    /// Revokes a token; returns whether one with that number existed.
    package func revoke(
        _ id: String,
        by author: AdministrationAuthor = .server
    ) async throws -> Bool {
        guard let number = TokenText.number(id: id), try storage.isThere() else { return false }
        let now = now()
        let wasThere = try await storage.write(.tokens) { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM token WHERE number = ?",
                arguments: [Int64(number)]
            )
            guard let record = row.flatMap(TokenRecord.init) else { return false }
            try database.execute(
                sql: "DELETE FROM token WHERE number = ?",
                arguments: [Int64(number)]
            )
            try AdministrationLog.add(
                .revokeToken,
                of: record.id,
                from: record.audited,
                by: author,
                at: now,
                in: database
            )
            return true
        }
        try reload()
        return wasThere
    }

    /// Makes this process's own changes visible at once.
    private func reload() throws {
        guard state.withLock({ $0.tokens != nil }) else { return }
        try loading.withLock { _ in try load() }
    }
}

extension Schema {
    package static let tokens = Schema("tokens") { database in
        try database.create(table: "token") { table in
            table.autoIncrementedPrimaryKey("position")
            table.column("number", .integer).notNull().unique()
            table.column("digest", .blob).notNull()
            table.column("name", .text).notNull()
            table.column("scopes", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("expires", .integer)
        }
        try AdministrationLog.create(in: database)
    }
}
