import Synchronization

/// The depth of nested calls, which ends endless rounds of plugs.
///
/// `Ping.self <~ { try await action(Ping.self) }` would otherwise run until memory is exhausted.
/// One of ``interval`` calls is measured, because a task-local value would double the cost of each
/// call.
final class CallDepth: Sendable {
    @TaskLocal static var current: CallDepth?

    /// The number of calls of which one is measured, on average.
    private static let interval: UInt64 = 16
    /// The maximum number of measured calls around a call: about 260,000 calls.
    ///
    /// Finite recursion may be 100,000 calls deep. The measured share of a deep recursion is within
    /// a few percent of its average.
    static let limit = 16_384
    /// The number of measured calls around a call from which a cancelled task makes no further one.
    static let cancellationDepth = 64

    /// The number of measured calls, from the outermost to this one.
    let count: Int
    private let hasEnded = Atomic(false)

    /// Creates the depth of a call within the calls of another depth.
    ///
    /// A task that was started by a call and outlives it isn't nested in it. So a chain of tasks,
    /// each of which starts the next one, may be endless.
    init(within outer: CallDepth?) {
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
        let depth = CallDepth(within: current)
        guard depth.count <= limit else { throw EndlessCall(action: action.name) }
        if depth.count > cancellationDepth { try Task.checkCancellation() }
        defer { depth.end() }
        return try await $current.withValue(depth, operation: call)
    }
}
