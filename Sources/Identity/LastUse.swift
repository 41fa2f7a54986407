import Synchronization

/// The time of a token's last use, which requests set without a lock.
final class LastUse: Sendable {
    /// Seconds since 1970; 0 before the first use.
    private let latest = Atomic<Int>(0)
    /// The latest time that this process has stored; 0 before the first one.
    private let recorded = Atomic<Int>(0)

    /// The time of the last use in this process; nil if there is none.
    var time: Int? {
        let time = latest.load(ordering: .relaxed)
        return time == 0 ? nil : time
    }

    /// Notes a use.
    ///
    /// Of two concurrent uses either may win: they are in the same second.
    func note(_ now: Int) {
        guard latest.load(ordering: .relaxed) != now else { return }
        latest.store(now, ordering: .relaxed)
    }

    /// Notes a time that is stored.
    func noteRecorded(_ time: Int) { recorded.store(time, ordering: .relaxed) }

    /// Returns the time of the last use if it is later than the recorded one by an interval.
    func unrecorded(after interval: Int, stored: Int?) -> Int? {
        let known = max(recorded.load(ordering: .relaxed), stored ?? 0)
        guard let time, time - known >= interval else { return nil }
        return time
    }
}
