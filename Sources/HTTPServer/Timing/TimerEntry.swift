/// A member of a loop's timers: its running timer, and its neighbors in that timer's queue.
///
/// Connections inherit from it, so arming a timer allocates nothing and looks nothing up. Only
/// `LoopTimers` changes the timer.
///
/// `@exclusivity(unchecked)`: see `LoopResources`.
class TimerEntry {
    /// The token that the poller returns with this member's events.
    final let token: UInt64
    /// The running timer; nil without one.
    @exclusivity(unchecked) final var timer: TimerKind?
    /// The expiry of `timer`, in the loop's milliseconds.
    @exclusivity(unchecked) final var deadline = 0
    @exclusivity(unchecked) final var previous: Unmanaged<TimerEntry>?
    @exclusivity(unchecked) final var next: Unmanaged<TimerEntry>?

    init(token: UInt64) {
        self.token = token
    }
}
