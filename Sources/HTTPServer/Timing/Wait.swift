/// The poller's interest, and the timer that runs while a connection waits.
struct Wait: Equatable {
    var timer: TimerKind?
    var interest: EpollPoller.Interest
    /// Restarts the timer if it is running.
    var isNew = false
}
