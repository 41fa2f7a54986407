/// The place of one of several implementations of an action: `LikePhoto.named("network")`.
public struct NamedPlug<A: ActionProtocol>: Sendable {
    /// The implementation's name.
    public let name: String
}

extension ActionProtocol {
    /// The place of the implementation of that name, which plans know it by.
    ///
    /// ```swift
    /// LikePhoto.named("network") <~ NetworkLikePhoto(network: client)
    /// ```
    public static func named(_ name: String) -> NamedPlug<Self> { NamedPlug(name: name) }
}

extension Actions {
    /// Plugs an implementation that is made afresh for each call under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to implementation: @autoclosure @escaping @Sendable () -> A
    ) {
        wire(plug, to: Wiring(implementation))
    }

    /// Plugs a closure that waits for nothing under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to perform: @escaping @Sendable (A.Input) throws -> A.Output
    ) {
        wire(plug, to: Wiring(performNow: perform))
    }

    /// Plugs a closure that takes and waits for nothing under a name.
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

    /// Plugs an async closure that takes nothing under a name.
    public static func plug<A: ActionProtocol>(
        _ plug: NamedPlug<A>,
        to perform: nonisolated(nonsending) @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void {
        wire(plug, to: Wiring(perform: { _ in try await perform() }))
    }

    /// Takes away what is plugged under a name; calls that a plan sends there fail from then on.
    public static func unplug<A: ActionProtocol>(_ plug: NamedPlug<A>) { wire(plug, to: nil) }

    /// Has an action's calls go through a plan.
    ///
    /// Its names may be plugged before or after. A plan that is wrong otherwise makes each call throw
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

/// Plugs an implementation that is made afresh for each call under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    implementation: @autoclosure @escaping @Sendable () -> A
) {
    Actions.plug(plug, to: implementation())
}

/// Plugs a closure that waits for nothing under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: @escaping @Sendable (A.Input) throws -> A.Output
) {
    Actions.plug(plug, to: perform)
}

/// Plugs a closure that takes and waits for nothing under a name.
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

/// Plugs an async closure that takes nothing under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: nonisolated(nonsending) @escaping @Sendable () async throws -> A.Output
) where A.Input == Void {
    Actions.plug(plug, to: perform)
}

/// Has an action's calls go through a plan.
public func <~ <A: ActionProtocol>(action: A.Type, plan: PlugPlan) {
    Actions.plug(action, plan: plan)
}
