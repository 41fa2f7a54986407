/// An action as code that is generic over actions sees it: ``Action`` is the one to derive from.
public protocol ActionProtocol: SendableMetatype {
    /// The value that the action takes; `Void` for one that takes nothing.
    associatedtype Input: Sendable
    /// The value that the action gives; `Void` for one that gives nothing.
    associatedtype Output: Sendable

    /// The name under which the action is listed, logged and, without a path of its own, exposed.
    static var name: String { get }

    /// Does what the action says, where it is called from: on the caller's actor, if that has one.
    nonisolated(nonsending) func perform(_ input: Input) async throws -> Output
}

/// A use case: what it takes, what it gives, and nothing of how it is done.
///
/// A subclass is the contract; a subclass of that is one way to do it:
/// ```swift
/// class LikePhoto: Action<LikePhoto.Like, Likes> {
///     struct Like: Codable, Sendable { var id: Int; var user: String? }
/// }
/// final class LikePhotoInMemory: LikePhoto {
///     override func perform(_ like: Like) async throws -> Likes { … }
/// }
/// ```
/// An implementation is made afresh for each call, in the task that calls, and shared with no
/// other. So it may keep plain mutable state and needs no lock.
open class Action<Input: Sendable, Output: Sendable>: ActionProtocol {
    /// The unqualified name of the class.
    ///
    /// Override it to rename a class and keep its address.
    // String(describing:) gives the same, but first looks for five conformances of each metatype
    // that it meets, through all that the program has: 0.1 ms for each action at a server's start.
    open class var name: String { _typeName(self, qualified: false) }

    /// Makes an implementation for one call.
    public init() {}

    /// Does what the action says; a subclass overrides it.
    ///
    /// It runs where it is called from, and `action(…)` calls it from no actor. So an override that
    /// computes for long holds up nobody's main thread, and one that is quick hops nowhere. An
    /// override may be `@concurrent` or an actor's own.
    ///
    /// - Throws: ``NotImplemented`` unless it or ``performNow(_:)`` is overridden.
    open nonisolated(nonsending) func perform(_ input: Input) async throws -> Output {
        guard let output = try performNow(input) else { throw NotImplemented(action: Self.name) }
        return output
    }

    /// Does what the action says if nothing has to be waited for; nil, and nothing done, if
    /// something has.
    ///
    /// An implementation that never waits overrides this one in place of ``perform(_:)``:
    /// ```swift
    /// override func performNow(_ like: Like) throws -> Likes { … }
    /// ```
    /// A server asks it first, and where it gets an output it makes no task: a third of what a
    /// small request costs.
    open func performNow(_ input: Input) throws -> Output? { nil }
}
