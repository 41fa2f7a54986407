import Locking

/// The clock of long timeouts: one task for all requests in flight.
///
/// A task and a timer for each request took more time than most actions. The clock ends a request up
/// to a tick late.
final class DeadlineClock: Sendable {
    static let shared = DeadlineClock()
    /// The time between two looks at the requests.
    static let tick = Duration.milliseconds(100)

    private struct State {
        var next = 0
        var entries: [Int: Entry] = [:]
        var isTicking = false
    }

    private struct Entry {
        let due: ContinuousClock.Instant
        let expire: @Sendable () -> Void
    }

    private let state = Locked(State())

    /// Calls `expire` after `duration`, unless the returned entry is removed before.
    func add(_ duration: Duration, _ expire: @escaping @Sendable () -> Void) -> Int {
        let entry = Entry(due: .now + duration, expire: expire)
        let (number, starts) = state.withLock { state in
            state.next += 1
            state.entries[state.next] = entry
            defer { state.isTicking = true }
            return (state.next, !state.isTicking)
        }
        if starts { Task.detached { await self.run() } }
        return number
    }

    /// Removes an entry, if it still exists.
    func remove(_ number: Int) {
        state.withLock { _ = $0.entries.removeValue(forKey: number) }
    }

    /// Ticks until no request is left.
    private func run() async {
        while true {
            try? await Task.sleep(for: Self.tick)
            let now = ContinuousClock.now
            let due: [Entry]? = state.withLock { state in
                guard !state.entries.isEmpty else {
                    state.isTicking = false
                    return nil
                }
                let due = state.entries.filter { $0.value.due <= now }
                for number in due.keys { state.entries[number] = nil }
                return Array(due.values)
            }
            guard let due else { return }
            for entry in due { entry.expire() }
        }
    }
}
