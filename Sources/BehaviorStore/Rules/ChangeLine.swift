import Locking

/// A line in which whoever wants to change something waits for their turn.
final class ChangeLine: Sendable {
    /// Nil where nobody has the turn.
    private let waiting = Locked<[CheckedContinuation<Void, Never>]?>(nil)

    /// Runs `body` when it is its turn.
    func wait<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting != nil else {
                    waiting = []
                    return true
                }
                waiting?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { leave() }
        return try await body()
    }

    private func leave() {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting?.isEmpty == false else {
                waiting = nil
                return nil
            }
            return waiting?.removeFirst()
        }
        next?.resume()
    }
}
