#if canImport(Glibc) || canImport(Musl)
import Locking

/// The lookup or the connection that an exchange uses, which any thread may end.
final class HeldConnection: Sendable {
    private struct State {
        /// It is still open, since it is retained.
        var connection: SocketConnection?
        var lookup: Lookup?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// Registers a connection for ``cancel()``; returns false if the exchange is already cancelled.
    func hold(_ connection: SocketConnection) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.connection = connection }
            return !state.isCancelled
        }
    }

    /// Registers a lookup for ``cancel()``; returns false if the exchange is already cancelled.
    func hold(_ lookup: Lookup) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.lookup = lookup }
            return !state.isCancelled
        }
    }

    /// Releases the connection, so that another exchange may use it.
    func release() {
        let connection = state.withLock { state in
            defer { (state.connection, state.lookup) = (nil, nil) }
            return state.connection
        }
        withExtendedLifetime(connection) {}
    }

    /// Ends the lookup and shuts the connection down, which wakes the thread that waits for them.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.lookup?.end(.failure(CancellationError()))
            state.connection?.shutDown()
        }
    }

    /// - Throws: `CancellationError` after ``cancel()``.
    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }
}
#endif
