/// The name for one of several implementations of an action: `LikePhoto.named("network")`.
public struct NamedPlug<A: ActionProtocol>: Sendable {
    /// The implementation's name.
    public let name: String
}

/// A named implementation, for generic code; ``NamedPlug`` is the only one.
///
/// The operators take it instead of ``NamedPlug``. Otherwise the compiler would report an error in
/// any closure, such as a misspelled member, as an action that isn't a ``NamedPlug``.
public protocol NamedPlugProtocol: Sendable {
    /// The action.
    associatedtype Contract: ActionProtocol

    /// The implementation's name.
    var name: String { get }
}

extension NamedPlug: NamedPlugProtocol {
    /// The action.
    public typealias Contract = A
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
public func <~ <P: NamedPlugProtocol>(
    plug: P,
    implementation: @autoclosure @escaping @Sendable () -> P.Contract
) {
    plug.wire(to: Wiring(implementation))
}

/// Plugs a synchronous closure under a name.
public func <~ <P: NamedPlugProtocol>(
    plug: P,
    perform: @escaping @Sendable (P.Contract.Input) throws -> P.Contract.Output
) {
    plug.wire(to: Wiring(performNow: perform))
}

/// Plugs an async closure under a name.
public func <~ <P: NamedPlugProtocol>(
    plug: P,
    perform:
        nonisolated(nonsending) @escaping @Sendable (P.Contract.Input) async throws ->
        P.Contract.Output
) {
    plug.wire(to: Wiring(perform: perform))
}

extension NamedPlugProtocol {
    fileprivate func wire(to wiring: Wiring<Contract.Input, Contract.Output>?) {
        PlugCell.book(Contract.self).plug(wiring, as: name)
    }
}
