import Locking

/// Lines of tasks, one line for each key.
///
/// In a line one task runs at a time, in the order in which they came.
package final class AsyncQueue<Key: Hashable & Sendable>: Sendable {
    /// The tasks that wait, in their order; nothing for a line in which no task runs.
    private let waiting = Locked<[Key: [CheckedContinuation<Void, Never>]]>([:])

    package init() {}

    /// Runs `body` after all that came into the line before.
    package func run<Value>(
        in line: Key,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[line] != nil else {
                    waiting[line] = []
                    return true
                }
                waiting[line]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { leave(line) }
        return try await body()
    }

    /// Runs `body` if no task runs in the line; nil otherwise.
    package func runIfFree<Value>(
        in line: Key,
        _ body: () async throws -> Value
    ) async rethrows -> Value? {
        let isFree = waiting.withLock { waiting in
            guard waiting[line] == nil else { return false }
            waiting[line] = []
            return true
        }
        guard isFree else { return nil }
        defer { leave(line) }
        return try await body()
    }

    private func leave(_ line: Key) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[line]?.isEmpty == false else {
                waiting[line] = nil
                return nil
            }
            return waiting[line]?.removeFirst()
        }
        next?.resume()
    }
}

/// The key of a queue with one line.
package enum OnlyLine: Hashable, Sendable { case only }
