import Locking

/// The first of several results wins.
final class Race<Output: Sendable>: Sendable {
    private enum State {
        case open(CheckedContinuation<Output, any Error>?)
        case ended(Result<Output, any Error>)
    }

    private let state = Locked(State.open(nil))

    /// The first result, for one reader.
    var value: Output {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Output, any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .open(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }

    func end(_ result: Result<Output, any Error>) {
        let waiting: CheckedContinuation<Output, any Error>? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .ended(result)
            return waiting
        }
        waiting?.resume(with: result)
    }
}
