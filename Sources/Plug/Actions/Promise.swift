/// A future output, for code that isn't async.
///
/// ```swift
/// action(LikePhoto.self, .init(id: 42))
///     .then { likes in print(likes) }
///     .onError { error in print(error) }
///     .finally { print("done") }
/// ```
/// The work runs even if no one awaits it, with the task-local values of the code that started it.
/// A closure that names a global actor runs there: `{ @MainActor likes in label.text = "\(likes)" }`.
public final class Promise<Output: Sendable>: Sendable {
    private let task: Task<Output, any Error>
    private let step: PromiseStep

    /// Starts an operation and promises its output.
    public convenience init(
        _ operation: @escaping @Sendable () async throws -> Output
    ) {
        self.init(after: nil) { _ in try await operation() }
    }

    /// Starts an operation that waits for another step, if any.
    private init(
        after earlier: PromiseStep?,
        _ operation: @escaping @Sendable (PromiseStep) async throws -> Output
    ) {
        let step = PromiseStep(after: earlier)
        let task = Task {
            defer { step.end() }
            return try await operation(step)
        }
        step.begin(cancelling: { task.cancel() })
        self.task = task
        self.step = step
    }

    /// Waits for the operation and returns its output.
    ///
    /// - Throws: The operation's error.
    public var value: Output {
        get async throws { try await task.value }
    }

    /// Cancels the work and the work that it follows.
    public func cancel() { step.cancel() }

    // An overload for closures that aren't async precedes each async one. Without all of them, the
    // compiler would take any closure that isn't async for one that returns a promise.

    /// Runs the closure with the output, and promises the closure's result.
    ///
    /// An earlier error skips the closure and becomes the new promise's error.
    @discardableResult
    public func then<Next: Sendable>(
        _ next: @escaping @isolated(any) @Sendable (Output) throws -> Next
    ) -> Promise<Next> {
        following { _, result in try await next(result.get()) }
    }

    /// Runs the async closure with the output, and promises the closure's result.
    ///
    /// An earlier error skips the closure and becomes the new promise's error.
    @discardableResult
    public func then<Next: Sendable>(
        _ next: @escaping @Sendable (Output) async throws -> Next
    ) -> Promise<Next> {
        following { _, result in try await next(result.get()) }
    }

    /// Runs the closure with the output, and promises its completion.
    @discardableResult
    public func then(
        _ next: @escaping @isolated(any) @Sendable (Output) throws -> Void
    ) -> Promise<Void> {
        following { _, result in try await next(result.get()) }
    }

    /// Runs the async closure with the output, and promises its completion.
    @discardableResult
    public func then(
        _ next: @escaping @Sendable (Output) async throws -> Void
    ) -> Promise<Void> {
        following { _, result in try await next(result.get()) }
    }

    /// Runs the closure with the output, and promises the output of the closure's own promise.
    ///
    /// The closure isn't async: an async one returns the output itself, with
    /// `try await action(…)`.
    @discardableResult
    public func then<Next: Sendable>(
        _ next: @escaping @isolated(any) @Sendable (Output) throws -> Promise<Next>
    ) -> Promise<Next> {
        following { step, result in
            let inner = try await next(result.get())
            step.wait(for: inner.step)
            return try await inner.value
        }
    }

    /// Calls the closure with the error, if there is one, and promises the same result.
    @discardableResult
    public func onError(
        _ handle: @escaping @Sendable (any Error) async -> Void
    ) -> Promise<Output> {
        following { _, result in
            if case .failure(let error) = result { await handle(error) }
            return try result.get()
        }
    }

    /// Calls the closure after success or failure, and promises the same result.
    @discardableResult
    public func finally(
        _ conclude: @escaping @Sendable () async -> Void
    ) -> Promise<Output> {
        following { _, result in
            await conclude()
            return try result.get()
        }
    }

    private func following<Next: Sendable>(
        _ next:
            @escaping @Sendable (PromiseStep, Result<Output, any Error>) async throws -> Next
    ) -> Promise<Next> {
        Promise<Next>(after: step) { [task] step in try await next(step, task.result) }
    }
}
