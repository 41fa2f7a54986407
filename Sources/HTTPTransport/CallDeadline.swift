import Synchronization

/// The end of the time in which the caller of the current task's requests waits.
///
/// A client sets it for each limited call, a server for each of its actions that has a timeout. A
/// transport of your own can read it, for example to make no further attempt after it.
public enum CallDeadline {
    /// A call with a deadline, until it returns.
    private final class Scope: Sendable {
        let deadline: ContinuousClock.Instant
        /// The scope around it.
        let outer: Scope?
        private let isOpen = Atomic(true)

        init(_ deadline: ContinuousClock.Instant, within outer: Scope?) {
            self.deadline = deadline
            self.outer = outer
        }

        /// Ends the limit of tasks that outlive the call.
        func close() { isOpen.store(false, ordering: .relaxed) }

        /// The earliest deadline of the open scopes; nil if none is open.
        var earliest: ContinuousClock.Instant? {
            let others = outer?.earliest
            guard isOpen.load(ordering: .relaxed) else { return others }
            return min(deadline, others ?? deadline)
        }
    }

    @TaskLocal private static var scope: Scope?

    /// The current task's deadline; nil for none.
    ///
    /// A task that outlives the call that started it has no deadline afterwards.
    public static var current: ContinuousClock.Instant? { scope?.earliest }

    /// The time until the deadline, at least zero; nil without a deadline.
    public static var remaining: Duration? { current.map { max(.zero, $0 - .now) } }

    /// Whether the deadline has passed.
    package static var isOver: Bool { remaining == .zero }

    /// Runs an operation with a deadline, which never extends the one of the current task.
    public static func within<Result>(
        _ timeout: Duration,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = Scope(.now + Timeout.clamped(timeout), within: scope)
        defer { scope.close() }
        return try await $scope.withValue(scope) { try await operation() }
    }
}
