import Locking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who watches which order.
final class OrderWatchers: Sendable {
    private struct Watcher {
        let continuation: AsyncThrowingStream<WatchOrder.Event, any Error>.Continuation
        /// The states that were told; nil before it is known what has happened until now.
        var told: Set<Order.State>?
        /// What came before that was known.
        var early: [WatchOrder.Event] = []

        /// Tells what wasn't told; a state comes once.
        mutating func tell(_ events: [WatchOrder.Event]) {
            guard var told else {
                early += events
                return
            }
            for event in events where told.insert(event.state).inserted {
                continuation.yield(event)
            }
            self.told = told
        }

        /// All is told.
        var isDone: Bool { told?.contains(where: \.isLast) ?? false }
    }

    private struct State {
        var watchers: [UUID: [Int: Watcher]] = [:]
        var made = 0
    }

    private let state = Locked(State())

    /// A stream of what has happened, which `past` reads, and of what happens from now on; it ends
    /// when the order is closed.
    func watch(
        _ id: UUID,
        past: () async throws -> [WatchOrder.Event]
    ) async throws -> AsyncThrowingStream<WatchOrder.Event, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: WatchOrder.Event.self,
            throwing: (any Error).self
        )
        let number = state.withLock { state in
            state.made += 1
            state.watchers[id, default: [:]][state.made] = Watcher(continuation: continuation)
            return state.made
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number, of: id) }
        do {
            let events = try await past()
            let isDone = state.withLock { state in
                guard var watcher = state.watchers[id]?[number] else { return false }
                watcher.told = []
                watcher.tell(events + watcher.early)
                state.watchers[id]?[number] = watcher
                return watcher.isDone
            }
            // Not under the lock, which is taken when a stream ends.
            if isDone { continuation.finish() }
        } catch {
            continuation.finish()
            throw error
        }
        return stream
    }

    /// Tells those who watch an order.
    func tell(_ event: WatchOrder.Event, of id: UUID) {
        let watchers = state.withLock { state in
            for number in (state.watchers[id] ?? [:]).keys {
                state.watchers[id]?[number]?.tell([event])
            }
            return state.watchers[id] ?? [:]
        }
        for watcher in watchers.values where watcher.isDone { watcher.continuation.finish() }
    }

    /// How many watch an order.
    func count(of id: UUID) -> Int { state.withLock { $0.watchers[id]?.count ?? 0 } }

    private func forget(_ number: Int, of id: UUID) {
        state.withLock { state in
            state.watchers[id]?[number] = nil
            if state.watchers[id]?.isEmpty ?? false { state.watchers[id] = nil }
        }
    }
}

extension Order.State {
    /// Nothing comes after it.
    var isLast: Bool { self != .placed }
}
