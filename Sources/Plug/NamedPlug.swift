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
    /// Removes the implementation of a name; calls that a plan sends to it fail from then on.
    public static func unplug<A: ActionProtocol>(_ plug: NamedPlug<A>) { plug.wire(to: nil) }
}

/// Plugs an implementation, created for each call, under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    implementation: @autoclosure @escaping @Sendable () -> A
) {
    plug.wire(to: Wiring(implementation))
}

/// Plugs a synchronous closure under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: @escaping @Sendable (A.Input) throws -> A.Output
) {
    plug.wire(to: Wiring(performNow: perform))
}

/// Plugs an async closure under a name.
public func <~ <A: ActionProtocol>(
    plug: NamedPlug<A>,
    perform: nonisolated(nonsending) @escaping @Sendable (A.Input) async throws -> A.Output
) {
    plug.wire(to: Wiring(perform: perform))
}

extension NamedPlug {
    fileprivate func wire(to wiring: Wiring<A.Input, A.Output>?) {
        PlugCell.book(A.self).plug(wiring, as: name)
    }
}
