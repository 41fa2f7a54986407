package import AdministrationStore
import Locking
import PostgreSQL
import System

extension TokenStore {
    /// Whether no token is known yet, because a remote store was never read.
    package var isWaiting: Bool { backend.isRemote && !isLoaded }

    private var isLoaded: Bool { state.withLock { $0.snapshot != nil } }

    /// Loads the tokens of a remote store; blocks the calling thread.
    package func begin() throws {
        if isWaiting { try refreshNow(isFirst: true) }
    }

    /// Applies the changes of other processes.
    ///
    /// A local store that no request has used yet isn't opened. After an error the previous tokens
    /// stay: an unreadable store revokes nothing.
    package func refresh() async throws {
        guard isLoaded || backend.isRemote else { return }
        try await load()
    }

    /// Applies the changes of other processes; loads all tokens if none is known.
    ///
    /// It completes even if its caller is cancelled.
    package func load() async throws {
        try await Task.detached { [self] in
            try await refreshing.run(in: .only) {
                while true {
                    let known = state.withLock { $0.snapshot }
                    var load = TokenLoad(known, backend.tables, implied)
                    while let queries = load.queries { load.take(try await backend.read(queries)) }
                    if publish(load.snapshot, after: known) { return }
                }
            }
        }.value
    }

    /// Applies the changes of other processes; blocks the calling thread.
    func refreshNow(isFirst: Bool = false) throws {
        guard isFirst || isLoaded else { return }
        try loading.withLock { _ in try loadNow() }
    }

    /// Loads within ``loading``.
    func loadNow() throws {
        while true {
            let known = state.withLock { $0.snapshot }
            var load = TokenLoad(known, backend.tables, implied)
            while let queries = load.queries { load.take(try backend.readNow(queries)) }
            if publish(load.snapshot, after: known) { return }
        }
    }

    /// Replaces a known snapshot, unless a concurrent load has replaced it: the loaded one may be
    /// older.
    private func publish(_ snapshot: TokenSnapshot, after known: TokenSnapshot?) -> Bool {
        state.withLock { state in
            guard state.snapshot?.head == known?.head else { return false }
            state.snapshot = snapshot
            return true
        }
    }

    /// Makes this process's own change visible at once.
    ///
    /// The change is stored, so an error isn't the caller's: the next refresh applies it.
    func applyOwnChange() async { try? await refresh() }

    /// Returns the number of valid tokens in a store; blocks the calling thread.
    package static func countNow(in backend: any AdministrationBackend) throws -> Int {
        try backend.readNow([backend.tables.tokenCount])?[0].first?.get("count") ?? 0
    }
}
