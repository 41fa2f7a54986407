/// Where a plan takes time and chance from.
///
/// A plan keeps those of the task that it is set in, so that a test of one waits for no time.
package struct PlanTools: Sendable {
    /// The time since some point in the past; never steps back.
    package var now: @Sendable () -> Duration
    /// Waits, unless the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 up to 1.
    package var random: @Sendable () -> Double

    /// Tools of one's own.
    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The tools of plans that are set by this task.
    @TaskLocal package static var current = PlanTools(
        now: { origin.duration(to: .now) },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) },
        random: { Double.random(in: 0..<1) }
    )

    private static let origin = ContinuousClock.now
}
