import Locking

/// A continuation that the first of a result and a cancellation resumes.
package final class Handoff<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// Creates a handoff without a task.
    package init() {}

    /// Whether the task that waits is cancelled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Suspends the task until ``end(_:)``, and returns its result.
    ///
    /// `start` starts the work that calls ``end(_:)``. `cancelled` stops it: it is called once the
    /// task is cancelled, perhaps before `start`.
    /// - Throws: `CancellationError` as soon as the task is cancelled, or the error of the work.
    package func wait(
        start: @Sendable () -> Void,
        cancelled: @escaping @Sendable () -> Void = {}
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.continuation = continuation }
                    return state.isCancelled
                }
                guard !isCancelled else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                start()
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            cancelled()
            end(.failure(CancellationError()))
        }
    }

    /// Resumes the task; only the first call has an effect.
    package func end(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            return continuation
        }
        continuation?.resume(with: result)
    }
}
