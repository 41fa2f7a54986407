import Locking

/// The time of the store's next schedule.
final class ScheduleTimer: Sendable {
    private let head: KnownHead
    private let backend: any BehaviorBackend
    private let next = Locked(Next())

    /// The time of the next schedule, as the latest check has found it.
    private struct Next {
        /// Nil if there is no schedule.
        var time: Int?
        /// The number of checks begun, and the number of the check that set the time.
        var (begun, ended) = (0, 0)
    }

    init(_ backend: any BehaviorBackend, _ head: KnownHead) {
        self.backend = backend
        self.head = head
    }

    /// Whether a schedule is due at that time.
    func isDue(at time: Int) -> Bool { next.withLock { ($0.time ?? .max) <= time } }

    /// Finds the time of the next schedule; after an error it is checked again at once.
    func look() async throws {
        let look = next.withLock { next in
            next.begun += 1
            return next.begun
        }
        // Any time is after it, so that the check is repeated at once.
        var time: Int? = .min
        defer {
            next.withLock { next in
                // The check that began last has the newest data.
                if look > next.ended { (next.time, next.ended) = (time, look) }
            }
        }
        // An emptied store has no due schedules until its contents are back. The second check finds
        // a store that was emptied between the first one and the schedules.
        try await head.readLast()
        let first = try await firstTime()
        try await head.readLast()
        time = first
    }

    /// Retries the schedules that are due at that time five seconds later.
    ///
    /// Schedules that become due in the meantime don't wait for them.
    func postpone(at time: Int) async {
        let later = try? await firstTime(after: time)
        next.withLock { $0.time = min(time + 5, later ?? .max) }
    }

    private func firstTime(after time: Int = .min) async throws -> Int? {
        try await backend.records(.schedule, environment: nil, name: nil)
            .compactMap { Schedule($0)?.plan.at }.filter { $0 > time }.min()
    }
}
