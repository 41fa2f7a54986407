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

/// The tokens of a data folder.
///
/// What is asked at each request is an immutable snapshot, which is taken when it is first asked for
/// and taken anew when the file has changed: no request reads the database but the first.
package final class TokenStore: Sendable {
    /// The least time between two readings of a database that changes all the time.
    private static let pause = Duration.milliseconds(400)
    /// The most tokens of a folder.
    package static let greatestCount = 10_000

    private let storage: Storage
    private let now: @Sendable () -> Int
    private let state = Locked(State())
    private let loading = Locked(())

    /// How long after one look at the file for the sake of a token that isn't known another one may be, in
    /// milliseconds: who makes tokens up has it looked at no more often.
    private static let leastPause = 500

    private struct State {
        /// Nil before somebody asks.
        var tokens: [UInt64: Entry]?
        var stamp: DatabaseStamp?
        /// When the file was last looked at for a token that wasn't known, by a clock of milliseconds.
        var looked = Int.min
    }

    private struct Entry {
        let record: TokenRecord
        let caller: Caller
    }

    /// What a token turns out to be.
    package enum Verdict: Sendable, Equatable {
        case valid(Caller)
        case expired
        /// Nobody's: never made, revoked, or wrong.
        case unknown
    }

    /// The tokens of a folder, by a clock of seconds since 1970.
    package init(_ storage: Storage, now: @escaping @Sendable () -> Int = { time(nil) }) {
        self.storage = storage
        self.now = now
    }

    // MARK: Asking

    /// Finds out whose a token is.
    ///
    /// The first call reads the database, and holds its thread up for that.
    package func verify(_ text: ByteSpan) throws -> Verdict {
        guard let token = TokenText(text) else { return .unknown }
        let entry = try entry(token.number)
        // Without an entry something is compared, too: the time tells nothing.
        let digest = entry?.record.digest ?? Self.nobody
        guard Digest.areEqual(token.digest, digest), let entry else { return .unknown }
        return entry.record.isExpired(at: now()) ? .expired : .valid(entry.caller)
    }

    private static let nobody = [UInt8](repeating: 0, count: Digest.length)

    private func entry(_ number: UInt64) throws -> Entry? {
        let (isLoaded, entry) = state.withLock { ($0.tokens != nil, $0.tokens?[number]) }
        if isLoaded, entry == nil, mayLook() {
            // It may have been made a moment ago, by another process.
            // Where it can't be read, those known before stay, and this one isn't.
            try? refresh()
            return state.withLock { $0.tokens?[number] }
        }
        if isLoaded { return entry }
        // Whoever comes at the same moment waits for the one.
        try loading.withLock { _ in
            if state.withLock({ $0.tokens == nil }) { try load() }
        }
        return state.withLock { $0.tokens?[number] }
    }

    private func mayLook() -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        let now = time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        return state.withLock { state in
            guard state.looked == .min || now - state.looked >= Self.leastPause else {
                return false
            }
            state.looked = now
            return true
        }
    }

    // MARK: Following the file

    /// Follows the database until the task is cancelled.
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

    /// Takes the snapshot anew where somebody has asked for one and the file has changed since.
    ///
    /// Where that fails the one before stays: what can't be read can't have revoked anything.
    package func refresh() throws {
        guard let known = state.withLock({ $0.tokens == nil ? nil : $0 }) else { return }
        guard DatabaseStamp(storage.path) != known.stamp || known.stamp?.isSettled == false
        else { return }
        try loading.withLock { _ in try load() }
    }

    private func load() throws {
        // Taken first: what is written while it is read is another stamp's.
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

    /// Makes a token, and gives its text: there is no other time.
    ///
    /// - Throws: ``TokenError`` for what can't be a token's.
    package func create(
        name: String,
        scopes: Scopes,
        lifetime: Int? = nil
    ) async throws -> (text: String, record: TokenRecord) {
        try TokenError.check(name: name, scopes: scopes, lifetime: lifetime)
        let created = now()
        let made = try await storage.write(.tokens) { database in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM token") ?? 0
            guard count < Self.greatestCount else { throw TokenError.tooMany }
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
            return (text, record)
        }
        try reload()
        return made
    }

    /// The tokens there are, the newest last.
    package func list() async throws -> [TokenRecord] {
        try await storage.read(.tokens) { database in
            try Row.fetchAll(database, sql: "SELECT * FROM token ORDER BY position")
                .compactMap(TokenRecord.init)
        } ?? []
    }

    /// Takes a token back, and tells whether there was one of that number.
    package func revoke(_ id: String) async throws -> Bool {
        guard let number = TokenText.number(id: id), try storage.isThere() else { return false }
        let wasThere = try await storage.write(.tokens) { database in
            try database.execute(
                sql: "DELETE FROM token WHERE number = ?",
                arguments: [Int64(number)]
            )
            return database.changesCount > 0
        }
        try reload()
        return wasThere
    }

    /// What was changed here is seen here at once.
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
    }
}
