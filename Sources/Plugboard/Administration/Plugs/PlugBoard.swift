import HTTPServer
import JSONCodec
import Locking
import Plug
import PlugHTTP
import Telemetry

/// The live figures of a server's actions and their implementations over the last minute, or since
/// their plan changed.
///
/// While somebody listens, it reads all counters once a second and sends one event to all listeners.
/// Otherwise it does nothing. Calls don't notice it.
final class PlugBoard: Sendable {
    /// The period of the figures, in nanoseconds.
    static let period = 60_000_000_000

    private struct State {
        var listeners: [Int: AsyncStream<ServerSentEvent>.Continuation] = [:]
        var next = 0
        /// The samples of the last minute, the oldest first.
        var samples: [BoardSample] = []
        var latest: ServerSentEvent?
        var isTicking = false
    }

    private let actions: [ExposedAction]
    private let observations: LoopObservations
    /// The nanoseconds of a monotonic clock.
    private let now: @Sendable () -> Int
    /// Waits for the time between two events.
    private let pause: @Sendable () async -> Void
    private let state = Locked(State())

    /// Creates the figures of several actions, whose requests `observations` counts.
    init(
        _ actions: [ExposedAction],
        _ observations: LoopObservations,
        now: @escaping @Sendable () -> Int = { RequestSubject.now() },
        pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
    ) {
        self.actions = actions
        self.observations = observations
        self.now = now
        self.pause = pause
    }

    /// The number of listeners.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Returns an event now and then one each second.
    ///
    /// A slow reader gets the newest event and misses the ones before it.
    func events() -> EventStream {
        let (events, continuation) = AsyncStream.makeStream(
            of: ServerSentEvent.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let (number, latest, begins) = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            defer { state.isTicking = true }
            return (state.next, state.latest, !state.isTicking)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        if begins {
            tick()
            Task { [weak self] in
                while await self?.waits() == true { self?.tick() }
            }
        } else if let latest {
            continuation.yield(latest)
        }
        return EventStream(events)
    }

    /// Waits for the next event's time; returns false if nobody listens any more.
    private func waits() async -> Bool {
        await pause()
        return state.withLock { state in
            if state.listeners.isEmpty {
                state.isTicking = false
                // The next listener gets its first event from new counts, and figures of its own minute.
                state.latest = nil
                state.samples = []
            }
            return state.isTicking
        }
    }

    private func tick() {
        let sample = BoardSample(at: now(), of: actions, observations.all)
        let (samples, listeners) = state.withLock { state in
            state.samples.append(sample)
            // One sample at the period's start or before it is the base of the figures.
            let start = sample.at - Self.period
            while state.samples.count > 1, state.samples[1].at <= start {
                state.samples.removeFirst()
            }
            return (state.samples, state.listeners.values)
        }
        let event = ServerSentEvent(
            data: String(
                decoding: Self.board(of: actions, samples, at: Self.date()).encoded(),
                as: UTF8.self
            ),
            event: "board"
        )
        let others = Array(listeners)
        state.withLock { $0.latest = event }
        for listener in others { listener.yield(event) }
    }
}
