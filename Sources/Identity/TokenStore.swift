package import AdministrationStore
import Digests
import Glibc
package import HTTPSyntax
import Locking
package import PlugHTTP
package import Storage
import System

/// The bearer tokens of a store.
///
/// Requests read an immutable snapshot in memory. A local store is loaded with the first request; a
/// remote one by ``begin()`` or ``refresh()``, because a request must not wait for it. If the store
/// is lost, the last known tokens stay valid.
package final class TokenStore: Sendable {
    /// The maximum number of valid tokens, and of revoked ones.
    package static let maximumCount = 10_000

    let backend: any AdministrationBackend
    let now: @Sendable () -> Int
    /// The scopes that others imply.
    let implied: ImpliedScopes
    let state = Locked(State())
    /// Serialises loads that block.
    let loading = Locked(())
    /// Serialises loads that wait.
    let refreshing = AsyncQueue<SingleKey>()

    /// The minimum time between two reads because of unknown tokens, in milliseconds.
    ///
    /// A client that guesses tokens can't cause more reads.
    private static let minimumPause = 500

    struct State {
        /// Nil until the first load.
        var snapshot: TokenSnapshot?
        /// The time of the last read because of an unknown token, on a millisecond clock.
        fileprivate var looked = Int.min
    }

    /// The result of a token's verification.
    package enum Verdict: Sendable, Equatable {
        case valid(Caller)
        case expired
        /// The token never existed, was revoked, or is wrong.
        case unknown
    }

    /// Creates the tokens of a store, with a clock of seconds since 1970.
    ///
    /// Its callers also have the scopes that theirs imply by `implied`.
    package init(
        _ backend: any AdministrationBackend,
        implied: ImpliedScopes = ImpliedScopes(),
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.backend = backend
        self.implied = implied
        self.now = now
    }

    /// Creates the tokens of a data folder.
    package convenience init(
        _ storage: Storage,
        implied: ImpliedScopes = ImpliedScopes(),
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.init(SQLiteAdministration(storage), implied: implied, now: now)
    }

    /// Whether all servers that share documents share these tokens, too.
    package var isShared: Bool { backend.isRemote }

    // MARK: Asking

    /// Verifies a token and returns its caller.
    ///
    /// The first call reads a local database and blocks the calling thread.
    ///
    /// - Throws: an error if the tokens aren't loaded.
    package func verify(_ text: ByteSpan) throws -> Verdict {
        guard let token = TokenText(text) else { return .unknown }
        return try verify(token)
    }

    /// Verifies a token that was shown earlier, by its digest.
    ///
    /// - Throws: an error if the tokens aren't loaded.
    package func verify(_ token: TokenText) throws -> Verdict {
        let entry = try entry(token.number)
        // Also compares without an entry, so that the duration reveals nothing.
        let digest = entry?.record.digest ?? Self.nobody
        guard Digest.areEqual(token.digest, digest), let entry else { return .unknown }
        let now = now()
        if entry.record.isExpired(at: now) { return .expired }
        entry.lastUse.note(now)
        return .valid(entry.caller)
    }

    private static let nobody = [UInt8](repeating: 0, count: Digest.length)

    private func entry(_ number: UInt64) throws -> TokenSnapshot.Entry? {
        func known() -> (isLoaded: Bool, entry: TokenSnapshot.Entry?) {
            state.withLock { ($0.snapshot != nil, $0.snapshot?.entries[number]) }
        }
        let (isLoaded, entry) = known()
        if isLoaded {
            guard entry == nil, !backend.isRemote, mayRead() else { return entry }
            // Another process may just have created it. If the read fails, the known tokens stay
            // valid and this one stays unknown.
            try? refreshNow()
        } else {
            guard !backend.isRemote else {
                throw AdministrationError.unavailable(backend.loss ?? "they aren't loaded yet")
            }
            // Concurrent callers wait for one load.
            try loading.withLock { _ in
                if state.withLock({ $0.snapshot == nil }) { try loadNow() }
            }
        }
        return known().entry
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
}
