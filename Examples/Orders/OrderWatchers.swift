import Locking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The open streams of orders' events.
final class OrderWatchers: Sendable {
    private struct Watcher {
        let continuation: AsyncThrowingStream<WatchOrder.Event, any Error>.Continuation
        /// The states that were sent; nil until the past events are read.
        var told: Set<Order.State>?
        /// The events that arrived before the past events were read.
        var early: [WatchOrder.Event] = []

        /// Sends the events whose state is new.
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

        /// Whether the last event was sent.
        var isDone: Bool { told?.contains(where: \.isLast) ?? false }
    }

    private struct State {
        var watchers: [UUID: [Int: Watcher]] = [:]
        var made = 0
    }

    private let state = Locked(State())

    /// Returns a stream of an order's past events, which `past` reads, and of its later ones.
    ///
    /// The stream ends when the order is closed.
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
            // Outside the lock: the termination handler of `finish()` acquires it.
            if isDone { continuation.finish() }
        } catch {
            continuation.finish()
            throw error
        }
        return stream
    }

    /// Sends an event to the order's streams.
    func tell(_ event: WatchOrder.Event, of id: UUID) {
        let watchers = state.withLock { state in
            for number in (state.watchers[id] ?? [:]).keys {
                state.watchers[id]?[number]?.tell([event])
            }
            return state.watchers[id] ?? [:]
        }
        for watcher in watchers.values where watcher.isDone { watcher.continuation.finish() }
    }

    /// Returns the number of an order's streams.
    func count(of id: UUID) -> Int { state.withLock { $0.watchers[id]?.count ?? 0 } }

    private func forget(_ number: Int, of id: UUID) {
        state.withLock { state in
            state.watchers[id]?[number] = nil
            if state.watchers[id]?.isEmpty ?? false { state.watchers[id] = nil }
        }
    }
}

extension Order.State {
    /// Whether no event follows this state.
    var isLast: Bool { self != .placed }
}
