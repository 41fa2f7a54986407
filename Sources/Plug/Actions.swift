/// The registry of each action's current implementation.
///
/// Any thread may change the wiring at any time. A running call finishes with the implementation
/// that it started with.
public enum Actions {
    /// Plugs an implementation, created for each call, into an action.
    ///
    /// `implementation` is evaluated at each call, in the calling task.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to implementation: @autoclosure @escaping @Sendable () -> A
    ) {
        wire(action, to: Wiring(implementation))
    }

    /// Plugs a synchronous closure into an action.
    ///
    /// For an action without input, the closure may have no parameter: `{ "pong" }`.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to perform: @escaping @Sendable (A.Input) throws -> A.Output
    ) {
        wire(action, to: Wiring(performNow: perform))
    }

    /// Plugs an async closure into an action.
    public static func plug<A: ActionProtocol>(
        _ action: A.Type,
        to perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        wire(action, to: Wiring(perform: perform))
    }

    /// Removes an action's wiring; later calls throw ``NotPlugged``.
    public static func unplug(_ action: any ActionProtocol.Type) {
        if let collector = PlugOverrides.collector {
            collector.collect(nil, for: action)
        } else {
            PlugCell.of(action).wire(to: nil)
        }
    }

    /// Returns whether a call of the action in the current task would find an implementation.
    public static func isPlugged(_ action: any ActionProtocol.Type) -> Bool {
        PlugCell.of(action).isPlugged
    }

    /// Runs an operation with some actions wired differently.
    ///
    /// The wirings apply only to its task and the tasks created within it.
    ///
    /// ```swift
    /// try await Actions.withPlugs {
    ///     LikePhoto.self <~ MockLikePhoto()
    ///     Actions.unplug(Ping.self)
    /// } operation: {
    ///     try await action(LikePhoto.self, .init(id: 42))
    /// }
    /// ```
    /// Uses nest: the innermost wiring of an action wins. A detached task uses the global wiring.
    public static func withPlugs<Result>(
        _ plugs: () throws -> Void,
        operation: () async throws -> Result,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> Result {
        let overrides = try PlugOverrides.collecting(plugs)
        return try await PlugOverrides.$ofTask.withValue(overrides, operation: operation)
    }

    /// Runs a synchronous operation with some actions wired differently.
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
