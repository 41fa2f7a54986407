import Locking

@testable import HTTPServer

/// A one-time signal that resumes all its waiters.
final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Locked(State())

    var isGiven: Bool { state.withLock { $0.isGiven } }

    func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        waiting.values.forEach { $0.resume(returning: true) }
    }

    /// Waits; false if the task was cancelled meanwhile.
    @discardableResult
    func wait() async -> Bool {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = state.withLock { state in
                    if state.isGiven { return true }
                    if state.cancelled.contains(id) { return false }
                    state.waiting[id] = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiting.removeValue(forKey: id)
            }
            waiting?.resume(returning: false)
        }
    }
}
