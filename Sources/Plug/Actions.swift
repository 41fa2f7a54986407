/// The switchboard: which implementation each action is wired to.
///
/// Wiring may change at any time, from any thread. A call that has begun keeps the implementation
/// it began with.
public enum Actions {
    /// Wires an action to an implementation that is made afresh for each call.
    ///
    /// `implementation` is evaluated at each call, in the task that calls.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to implementation: @autoclosure @escaping @Sendable () -> A
    ) {
        wire(action, to: Wiring(implementation))
    }

    /// Wires an action to a closure that waits for nothing.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to perform: @escaping @Sendable (A.Input) throws -> A.Output
    ) {
        wire(action, to: Wiring(performNow: perform))
    }

    /// Wires an action that takes nothing to a closure that takes and waits for nothing.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to perform: @escaping @Sendable () throws -> A.Output
    ) where A.Input == Void {
        wire(action, to: Wiring(performNow: { _ in try perform() }))
    }

    /// Wires an action to an async closure.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        wire(action, to: Wiring(perform: perform))
    }

    /// Wires an action that takes nothing to an async closure that takes nothing.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to perform: nonisolated(nonsending) @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void {
        wire(action, to: Wiring(perform: { _ in try await perform() }))
    }

    /// Takes away what an action is wired to; calls throw ``NotPlugged`` from then on.
    public static func unplug(_ action: any ActionProtocol.Type) {
        if let collector = PlugOverrides.collector {
            collector.collect(nil, for: action)
        } else {
            PlugCell.of(action).wire(to: nil)
        }
    }

    /// Whether a call of the action would find an implementation, here and now.
    public static func isPlugged(_ action: any ActionProtocol.Type) -> Bool {
        PlugCell.of(action).isPlugged
    }

    /// Runs an operation in which some actions are wired otherwise, for its task and the tasks made
    /// within it only.
    ///
    /// ```swift
    /// try await Actions.withPlugs {
    ///     LikePhoto.self <~ MockLikePhoto()
    ///     Actions.unplug(Ping.self)
    /// } operation: {
    ///     try await action(LikePhoto.self, .init(id: 42))
    /// }
    /// ```
    /// Nested uses stack: the innermost wiring of an action counts. A detached task sees the global
    /// wiring.
    public static func withPlugs<Result>(
        _ plugs: () throws -> Void,
        operation: () async throws -> Result,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> Result {
        let overrides = try PlugOverrides.collecting(plugs)
        return try await PlugOverrides.$ofTask.withValue(overrides, operation: operation)
    }

    /// Runs a synchronous operation in which some actions are wired otherwise.
    public static func withPlugs<Result>(
        _ plugs: () throws -> Void,
        operation: () throws -> Result
    ) rethrows -> Result {
        let overrides = try PlugOverrides.collecting(plugs)
        return try PlugOverrides.$ofTask.withValue(overrides, operation: operation)
    }

    private static func wire<A: ActionProtocol>(
        _ action: A.Type,
        to wiring: Wiring<A.Input, A.Output>
    ) {
        if let collector = PlugOverrides.collector {
            collector.collect(wiring, for: action)
        } else {
            PlugCell.of(action).wire(to: wiring)
        }
    }
}
