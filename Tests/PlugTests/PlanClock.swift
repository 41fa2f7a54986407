import Locking

@testable import Plug

/// A clock that stands until a test turns it, and notes what is waited for.
final class PlanClock: Sendable {
    private let state = Locked((now: Duration.zero, slept: [Duration]()))

    var slept: [Duration] { state.withLock { $0.slept } }

    func advance(_ time: Duration) { state.withLock { $0.now += time } }

    /// A wait is over at once, or it lasts to the task's end.
    func tools(sleeps: Bool = true) -> PlanDependencies {
        PlanDependencies(
            now: { self.state.withLock { $0.now } },
            sleep: { time in
                self.state.withLock { $0.slept.append(time) }
                if sleeps { return }
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                throw CancellationError()
            },
            random: { 0.5 }
        )
    }
}

/// Runs an operation with plugs and a clock of its own.
func planning(
    _ tools: PlanDependencies,
    _ plugs: () -> Void,
    _ operation: () async throws -> Void
) async throws {
    try await PlanDependencies.$current.withValue(tools) {
        try await Actions.withPlugs(plugs, operation: operation)
    }
}
