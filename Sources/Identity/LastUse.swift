import Synchronization

/// The time of a token's last use, which requests set without a lock.
final class LastUse: Sendable {
    /// Seconds since 1970; 0 before the first use.
    private let latest = Atomic<Int>(0)

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
}
