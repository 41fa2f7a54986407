import Synchronization

/// The depth of nested calls, whose limit ends endless recursion between plugs.
///
/// `Ping.self <~ { try await action(Ping.self) }` would otherwise run until memory is exhausted.
/// One of ``interval`` calls is measured, because a task-local value would double the cost of each
/// call.
final class CallDepth: Sendable {
    @TaskLocal static var current: CallDepth?

    /// The number of calls of which one is measured, on average.
    ///
    /// Each measured call adds a task-local value, and reading any other one walks over all of
    /// them. With one of 16 calls, a round took minutes to reach the limit.
    private static let interval: UInt64 = 1024
    /// The maximum number of measured calls around a call: about 260,000 calls.
    ///
    /// Finite recursion may be 100,000 calls deep. The measured share of a deep recursion is within
    /// a few percent of its average.
    static let limit = 256
    /// The number of measured calls around a call from which a cancelled task makes no further one.
    private static let cancellationDepth = 2

    private let action: any ActionProtocol.Type
    /// The number of measured calls, from the outermost to this one.
    let count: Int
    private let hasEnded = Atomic(false)

    /// Creates the depth of an action's call within the calls of another depth.
    ///
    /// A task that was started by a call and outlives it isn't nested in it. So a chain of tasks,
    /// each of which starts the next one, may be endless.
    init(of action: any ActionProtocol.Type, within outer: CallDepth?) {
        self.action = action
        let outer = outer?.hasEnded.load(ordering: .relaxed) == true ? nil : outer
        count = (outer?.count ?? 0) + 1
    }

    /// Marks the end of the call.
    func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Returns whether the depth of an action's n-th call is measured.
    ///
    /// The hash makes the choice independent of any pattern in the calls, such as one call of two
    /// that nests further.
    @inline(__always)
    static func isMeasured(_ number: UInt64) -> Bool {
        number &* 0x9E37_79B9_7F4A_7C15 < .max / interval
    }

    /// Performs a call one level deeper.
    ///
    /// - Throws: ``EndlessCall`` beyond the limit, and `CancellationError` in a cancelled task that
    ///   is already deep.
    static func measure<Output>(
        _ action: any ActionProtocol.Type,
        _ call: () async throws -> Output
    ) async throws -> Output {
        let outer = current
        let depth = CallDepth(of: action, within: outer)
        guard depth.count <= limit else {
            // The call around is surely part of the round; this one may only be made beside it.
            throw EndlessCall(action: (outer?.action ?? action).name)
        }
        if depth.count > cancellationDepth { try Task.checkCancellation() }
        defer { depth.end() }
        return try await $current.withValue(depth, operation: call)
    }
}
