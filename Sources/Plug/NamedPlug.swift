/// The name for one of several implementations of an action: `LikePhoto.named("network")`.
public struct NamedPlug<A: ActionProtocol>: Sendable {
    /// The implementation's name.
    public let name: String
}

extension ActionProtocol {
    /// Returns the slot of a named implementation, to which plans refer.
    ///
    /// ```swift
    /// LikePhoto.named("network") <~ NetworkLikePhoto(network: client)
    /// ```
    public static func named(_ name: String) -> NamedPlug<Self> { NamedPlug(name: name) }
}

extension Actions {
    /// Plugs an implementation, created for each call, under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to implementation: @autoclosure @escaping @Sendable () -> A
    ) {
        wire(plug, to: Wiring(implementation))
    }

    /// Plugs a synchronous closure under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to perform: @escaping @Sendable (A.Input) throws -> A.Output
    ) {
        wire(plug, to: Wiring(performNow: perform))
    }

    /// Plugs a synchronous closure without input under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to perform: @escaping @Sendable () throws -> A.Output
    ) where A.Input == Void {
        wire(plug, to: Wiring(performNow: { _ in try perform() }))
    }

    /// Plugs an async closure under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
    ) {
        wire(plug, to: Wiring(perform: perform))
    }

    /// Plugs an async closure without input under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to perform: nonisolated(nonsending) @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void {
        wire(plug, to: Wiring(perform: { _ in try await perform() }))
    }

    /// Removes the implementation of a name; calls that a plan sends to it fail from then on.
    public static func unplug<A: ActionProtocol>(_ plug: NamedPlug<A>) { wire(plug, to: nil) }

    /// Sends an action's calls through a plan.
    ///
    /// Its names may be plugged before or after. Any other fault makes each call throw
    /// ``InvalidPlan``, as an action without a plug throws ``NotPlugged``.
    public static func plug<A: ActionProtocol>(_ action: A.Type, plan: PlugPlan) {
        PlugCell.book(action).choose(plan)
    }

    private static func wire<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to wiring: Wiring<A.Input, A.Output>?
    ) {
        PlugCell.book(A.self).plug(wiring, as: plug.name)
    }
}

/// Plugs an implementation, created for each call, under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    implementation: @autoclosure @escaping @Sendable () -> A
) {
    Actions.plug(plug, to: implementation())
}

/// Plugs a synchronous closure under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: @escaping @Sendable (A.Input) throws -> A.Output
) {
    Actions.plug(plug, to: perform)
}

/// Plugs a synchronous closure without input under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: @escaping @Sendable () throws -> A.Output
) where A.Input == Void {
    Actions.plug(plug, to: perform)
}

/// Plugs an async closure under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
) {
    Actions.plug(plug, to: perform)
}

/// Plugs an async closure without input under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: nonisolated(nonsending) @escaping @Sendable () async throws -> A.Output
) where A.Input == Void {
    Actions.plug(plug, to: perform)
}

/// Sends an action's calls through a plan.
public func <~ <A: ActionProtocol>(action: A.Type, plan: PlugPlan) {
    Actions.plug(action, plan: plan)
}

extension Actions {
    /// Registers a decorator under the name that plans use.
    public static func decorator(_ name: String, _ decorator: some PlugDecorator) {
        PlugDecorators.register(decorator, as: name)
    }
}
