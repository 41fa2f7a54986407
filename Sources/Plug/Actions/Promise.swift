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
    private let upstream: (@Sendable () -> Void)?

    /// Starts an operation and promises its output.
    public convenience init(
        _ operation: @escaping @Sendable () async throws -> Output
    ) {
        self.init(Task(operation: operation), upstream: nil)
    }

    private init(_ task: Task<Output, any Error>, upstream: (@Sendable () -> Void)?) {
        self.task = task
        self.upstream = upstream
    }

    /// Waits for the operation and returns its output.
    ///
    /// - Throws: The operation's error.
    public var value: Output {
        get async throws { try await task.value }
    }

    /// Cancels the work and the work that it follows.
    public func cancel() {
        upstream?()
        task.cancel()
    }

    /// Runs the closure with the output, and promises the closure's result.
    ///
    /// An earlier error skips the closure and becomes the new promise's error.
    @discardableResult
    public func then<Next: Sendable>(
        _ next: @escaping @Sendable (Output) async throws -> Next
    ) -> Promise<Next> {
        following { try await next($0.get()) }
    }

    /// Runs the closure with the output, and promises its completion.
    @discardableResult
    public func then(
        _ next: @escaping @Sendable (Output) async throws -> Void
    ) -> Promise<Void> {
        following { try await next($0.get()) }
    }

    /// Runs the closure with the output, and promises the output of the closure's own promise.
    @discardableResult
    public func then<Next: Sendable>(
        _ next: @escaping @Sendable (Output) async throws -> Promise<Next>
    ) -> Promise<Next> {
        following { result in
            let inner = try await next(result.get())
            return try await withTaskCancellationHandler {
                try await inner.value
            } onCancel: {
                inner.cancel()
            }
        }
    }

    /// Calls the closure with the error, if there is one, and promises the same result.
    @discardableResult
    public func onError(
        _ handle: @escaping @Sendable (any Error) async -> Void
    ) -> Promise<Output> {
        following { result in
            if case .failure(let error) = result { await handle(error) }
            return try result.get()
        }
    }

    /// Calls the closure after success or failure, and promises the same result.
    @discardableResult
    public func finally(
        _ conclude: @escaping @Sendable () async -> Void
    ) -> Promise<Output> {
        following { result in
            await conclude()
            return try result.get()
        }
    }

    private func following<Next: Sendable>(
        _ next: @escaping @Sendable (Result<Output, any Error>) async throws -> Next
    ) -> Promise<Next> {
        Promise<Next>(
            Task { [task] in try await next(task.result) },
            upstream: { self.cancel() }
        )
    }
}
