/// An action, for generic code; derive your own actions from ``Action``.
public protocol ActionProtocol: SendableMetatype {
    /// The input's type; `Void` for an action without input.
    associatedtype Input: Sendable
    /// The output's type; `Void` for an action without output.
    associatedtype Output: Sendable

    /// The name in lists and logs, and in the route of an action that declares no path.
    static var name: String { get }

    /// Performs the action, on the caller's actor if it has one.
    nonisolated(nonsending) func perform(_ input: Input) async throws -> Output
}

/// A use case: its input and output types, independent of any implementation.
///
/// A direct subclass is the contract; a subclass of that one is an implementation:
/// ```swift
/// class LikePhoto: Action<LikePhoto.Like, Likes> {
///     struct Like: Codable, Sendable { var id: Int; var user: String? }
/// }
/// final class LikePhotoInMemory: LikePhoto {
///     override func perform(_ like: Like) async throws -> Likes { … }
/// }
/// ```
/// Each call creates an instance in the calling task and shares it with no other task. So an
/// implementation may have plain mutable state and needs no lock.
open class Action<Input: Sendable, Output: Sendable>: ActionProtocol {
    /// The unqualified name of the class.
    ///
    /// Override it to rename the class without changing its path.
    // String(describing:) returns the same, but first searches the whole program for five
    // conformances of each new metatype. That costs 0.1 ms per action at server start. The
    // interpolation of an `Any.Type` searches nothing.
    open class var name: String { "\(self as Any.Type)" }

    /// Creates an implementation for one call.
    public init() {}

    /// Performs the action; a subclass overrides it.
    ///
    /// It runs on the caller's executor, and `action(…)` calls it without an actor. So a long
    /// computation never blocks the main thread, and a short one needs no executor hop. An override
    /// may be `@concurrent` or isolated to an actor.
    ///
    /// - Throws: ``NotImplemented`` if neither it nor ``performNow(_:)`` is overridden.
    open nonisolated(nonsending) func perform(_ input: Input) async throws -> Output {
        guard let output = try performNow(input) else { throw NotImplemented(action: Self.name) }
        return output
    }

    /// Performs the action if it needn't wait; otherwise does nothing and returns nil.
    ///
    /// An implementation that never waits overrides this method instead of ``perform(_:)``:
    /// ```swift
    /// override func performNow(_ like: Like) throws -> Likes { … }
    /// ```
    /// The server calls this method first. With an output from it, the server creates no task. That
    /// saves a third of the cost of a small request.
    open func performNow(_ input: Input) throws -> Output? { nil }
}
