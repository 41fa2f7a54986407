#if canImport(Glibc) || canImport(Musl)
import Locking

/// The idle connections for reuse.
final class ConnectionPool: Sendable {
    private struct Idle {
        let connection: SocketConnection
        let since: ContinuousClock.Instant
    }

    private let idle = Locked<[Origin: [Idle]]>([:])
    private let maximumIdle: Int
    private let idleTimeout: Duration

    init(maximumIdle: Int, idleTimeout: Duration) {
        self.maximumIdle = maximumIdle
        self.idleTimeout = idleTimeout
    }

    /// Removes and returns the most recently used connection to an origin that is still usable.
    func take(_ origin: Origin) -> SocketConnection? {
        while let connection = takeLast(origin) {
            if connection.isQuiet { return connection }
        }
        return nil
    }

    /// Stores a connection for reuse; the oldest is dropped if there are too many.
    func keep(_ connection: SocketConnection, for origin: Origin) {
        let now = ContinuousClock.now
        let oldest = now - idleTimeout
        // Released after the lock, since that closes them.
        let dropped: [Idle] = idle.withLock { idle in
            var dropped: [Idle] = []
            for (origin, connections) in idle {
                let kept = connections.filter { $0.since > oldest }
                guard kept.count < connections.count else { continue }
                dropped += connections.filter { $0.since <= oldest }
                idle[origin] = kept.isEmpty ? nil : kept
            }
            idle[origin, default: []].append(Idle(connection: connection, since: now))
            let excess = (idle[origin]?.count ?? 0) - maximumIdle
            if excess > 0 {
                dropped += idle[origin]?.prefix(excess) ?? []
                idle[origin]?.removeFirst(excess)
            }
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }

    private func takeLast(_ origin: Origin) -> SocketConnection? {
        let oldest = ContinuousClock.now - idleTimeout
        let taken = idle.withLock { $0[origin]?.popLast() }
        guard let taken, taken.since > oldest else { return nil }
        return taken.connection
    }
}
#endif
