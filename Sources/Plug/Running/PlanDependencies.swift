import Synchronization

/// A plan's clock and source of random numbers.
///
/// A plan uses the tools of the task that sets it, so that its tests need no real time.
package struct PlanDependencies: Sendable {
    /// The time since some point in the past; it never goes backwards.
    package var now: @Sendable () -> Duration
    /// Waits, unless the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 up to 1.
    package var random: @Sendable () -> Double

    /// Creates tools from closures.
    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The tools for plans that this task sets.
    @TaskLocal package static var current = PlanDependencies(
        now: { origin.duration(to: .now) },
        sleep: { try await Task.sleep(for: $0, clock: .continuous) },
        random: draw
    )

    /// SplitMix64: no secret depends on these numbers, and the system's generator takes a system
    /// call.
    private static func draw() -> Double {
        var mixed = drawn.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53 as UInt64)
    }

    private static let drawn = Atomic(UInt64.random(in: 0 ... .max))

    private static let origin = ContinuousClock.now
}
