/// An output to come, for code that is not async.
///
/// ```swift
/// action(LikePhoto.self, .init(id: 42))
///     .then { likes in print(likes) }
///     .onError { error in print(error) }
///     .finally { print("done") }
/// ```
/// The work runs whether or not anybody waits for it, with the task-local values of the code that
/// began it. A closure written in code of an actor (the main actor's, say) runs on that actor.
public final class Promise<Output: Sendable>: Sendable {
    private let task: Task<Output, any Error>
    private let upstream: (@Sendable () -> Void)?

    /// Begins an operation and promises its output.
    public convenience init(
        @_inheritActorContext _ operation: @escaping @Sendable () async throws -> Output
    ) {
        self.init(Task(operation: operation), upstream: nil)
    }

    private init(_ task: Task<Output, any Error>, upstream: (@Sendable () -> Void)?) {
        self.task = task
        self.upstream = upstream
    }

    /// The output, once it is there.
    ///
    /// - Throws: what the operation threw.
    public var value: Output {
        get async throws { try await task.value }
    }

    /// Cancels the work, with the work it follows from.
    public func cancel() {
        upstream?()
        task.cancel()
    }

    /// Goes on with the output once it is there, and promises what the closure returns.
    ///
    /// An error before it skips the closure and is promised on.
    @discardableResult
    public func then<Next: Sendable>(
        @_inheritActorContext _ next: @escaping @Sendable (Output) async throws -> Next
    ) -> Promise<Next> {
        following { try await next($0.get()) }
    }

    /// Goes on with the output once it is there, and promises the end of that.
    @discardableResult
    public func then(
        @_inheritActorContext _ next: @escaping @Sendable (Output) async throws -> Void
    ) -> Promise<Void> {
        following { try await next($0.get()) }
    }

    /// Goes on with the output once it is there, and promises what the closure's promise promises.
    @discardableResult
    public func then<Next: Sendable>(
        @_inheritActorContext _ next: @escaping @Sendable (Output) async throws -> Promise<Next>
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

    /// Calls the closure with the error if there is one, and promises the same output or error.
    @discardableResult
    public func onError(
        @_inheritActorContext _ handle: @escaping @Sendable (any Error) async -> Void
    ) -> Promise<Output> {
        following { result in
            if case .failure(let error) = result { await handle(error) }
            return try result.get()
        }
    }

    /// Calls the closure at the end either way, and promises the same output or error.
    @discardableResult
    public func finally(
        @_inheritActorContext _ conclude: @escaping @Sendable () async -> Void
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
