/// A loop's timers: one queue for each kind.
struct LoopTimers {
    private var queues: [TimerQueue]

    init(_ configuration: HTTPConfiguration) {
        queues = TimerKind.allCases.map { TimerQueue(milliseconds: configuration.timeout($0)) }
    }

    /// The time of the next expiry in the loop's milliseconds; `Int.max` if no timer is armed.
    var due: Int { queues.reduce(.max) { min($0, $1.due) } }

    /// Arms an entry's timer in place of the current one; nil disarms it.
    mutating func arm(_ entry: TimerEntry, _ kind: TimerKind?, now: Int) {
        guard let kind else { return disarm(entry) }
        let deadline = now + queues[kind.rawValue].milliseconds
        // The clock is coarse, so the deadline of quick requests often stays the same.
        if entry.timer == kind, entry.deadline == deadline { return }
        disarm(entry)
        entry.timer = kind
        entry.deadline = deadline
        queues[kind.rawValue].append(entry)
    }

    private mutating func disarm(_ entry: TimerEntry) {
        guard let kind = entry.timer else { return }
        queues[kind.rawValue].remove(entry)
        entry.timer = nil
    }

    /// Disarms and returns the first entry whose timer of that kind has expired; nil if there is
    /// none.
    mutating func takeExpired(_ kind: TimerKind, now: Int) -> TimerEntry? {
        guard let first = queues[kind.rawValue].first, first.deadline <= now else { return nil }
        disarm(first)
        return first
    }

    /// The entry with the oldest timer of that kind, if it was armed at `time` or earlier.
    func oldest(_ kind: TimerKind, armedBy time: Int) -> TimerEntry? {
        let queue = queues[kind.rawValue]
        guard let first = queue.first, first.deadline - queue.milliseconds <= time else {
            return nil
        }
        return first
    }
}
