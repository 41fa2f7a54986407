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

    let storage: Storage
    let now: @Sendable () -> Int
    /// The scopes that others imply.
    private let implied: ImpliedScopes
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
        var record: TokenRecord
        let caller: Caller
        let lastUse: LastUse
    }

    /// The result of a token's verification.
    package enum Verdict: Sendable, Equatable {
        case valid(Caller)
        case expired
        /// The token never existed, was revoked, or is wrong.
        case unknown
    }

    /// Creates the store of a folder, with a clock of seconds since 1970.
    ///
    /// Its callers also have the scopes that theirs imply by `implied`.
    package init(
        _ storage: Storage,
        implied: ImpliedScopes = ImpliedScopes(),
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.storage = storage
        self.implied = implied
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
        // A revoked row has no digest; another program may have written one.
        guard Digest.areEqual(token.digest, digest), let entry, entry.record.revoked == nil else {
            return .unknown
        }
        let now = now()
        if entry.record.isExpired(at: now) { return .expired }
        entry.lastUse.note(now)
        return .valid(entry.caller)
    }

    /// Returns the token's scopes with all that they imply.
    func scopes(of record: TokenRecord) -> Scopes { implied.expand(record.scopes) }

    func isExpired(_ record: TokenRecord) -> Bool { record.isExpired(at: now()) }

    /// Returns the record of a number, also of a revoked one, as the database has it now.
    func currentRecord(_ number: UInt64) throws -> TokenRecord? {
        try refresh()
        return try entry(number, isLookup: true)?.record
    }

    private static let nobody = [UInt8](repeating: 0, count: Digest.length)

    private func entry(_ number: UInt64, isLookup: Bool = false) throws -> Entry? {
        let (isLoaded, entry) = state.withLock { ($0.tokens != nil, $0.tokens?[number]) }
        if isLoaded, entry == nil, !isLookup, mayRead() {
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
        state.withLock { state in
            let known = state.tokens ?? [:]
            let entries = records.map { record in
                let lastUse = known[record.number]?.lastUse ?? LastUse()
                let caller = implied.expand(record.caller)
                return (record.number, Entry(record: record, caller: caller, lastUse: lastUse))
            }
            state.tokens = Dictionary(entries) { first, _ in first }
            state.stamp = stamp
        }
    }

    // MARK: Last uses

    /// Returns the uses that are later than the recorded ones by an interval.
    func unrecordedUses(after interval: Int) -> [(number: UInt64, time: Int)] {
        state.withLock { state in
            (state.tokens ?? [:]).compactMap { number, entry in
                guard let time = entry.lastUse.time,
                    time - (entry.record.used ?? .min / 2) >= interval
                else { return nil }
                return (number, time)
            }
        }
    }

    /// Notes uses that the database has.
    func noteRecorded(_ uses: [(number: UInt64, time: Int)]) {
        state.withLock { state in
            for (number, time) in uses { state.tokens?[number]?.record.used = time }
        }
    }

    func lastUse(of number: UInt64) -> Int? {
        state.withLock { $0.tokens?[number]?.lastUse.time }
    }

    /// Makes this process's own changes visible at once.
    func reload() throws {
        guard state.withLock({ $0.tokens != nil }) else { return }
        try loading.withLock { _ in try load() }
    }
}
