import Locking

extension Task where Failure == any Error {
    /// Waits for the task; once the calling task is cancelled, for at most a limit.
    ///
    /// A server that stops must not wait for a database that doesn't respond.
    ///
    /// - Returns: the task's result; nil after the limit, and the task then continues alone.
    package func result(afterCancellation limit: Duration) async -> Result<Success, Failure>? {
        let waiting = Locked<CheckedContinuation<Result<Success, Failure>?, Never>?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0 = continuation }
                Task<Void, Never>.detached {
                    let result = await self.result
                    waiting.withLock { $0.take() }?.resume(returning: result)
                }
            }
        } onCancel: {
            Task<Void, Never>.detached {
                // The continuation is stored long before the end of the limit.
                try? await Task<Never, Never>.sleep(for: limit)
                waiting.withLock { $0.take() }?.resume(returning: nil)
            }
        }
    }
}
