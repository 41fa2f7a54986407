import Locking

/// Serial task queues, one line for each key.
///
/// Each line runs one task at a time, in the order of arrival.
package final class AsyncQueue<Key: Hashable & Sendable>: Sendable {
    /// The waiting tasks of each line in order; a line without a running task has no entry.
    private let waiting = Locked<[Key: [CheckedContinuation<Void, Never>]]>([:])

    package init() {}

    /// Runs `body` after all earlier tasks of the line.
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

    /// Runs `body` if no task runs in the line; else returns nil.
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

/// The key for a queue with a single line.
package enum SingleKey: Hashable, Sendable { case only }
