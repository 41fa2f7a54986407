import CLinux
import HTTPServer
import HTTPSyntax
import HTTPTypes
import Locking
import PlugHTTP
import Synchronization
import System

/// Work that may take more than 1 ms of CPU, on other threads than the loops'.
///
/// A limited number of works runs at a time, and a limited number waits. Without the limits, a flood
/// would fill the queue of the global executor, which also runs timeouts, signals and watchers.
final class WorkQueue: Sendable {
    /// Computations: decoding, compressing, evaluating.
    static let computing = WorkQueue(workers: 2 * max(1, Int(clinux_usable_cores())))
    /// The server's own actions, which may wait for a database.
    static let administration = WorkQueue(workers: 16)
    /// The server's own actions that compute for long: reports over all documents or the audit.
    ///
    /// They leave a thread of the global executor free, so that a token can be revoked meanwhile.
    static let reports = WorkQueue(workers: max(1, Int(clinux_usable_cores()) - 1))
    /// The largest number of works that wait in a queue.
    static let maximumLength = 1024

    /// The error of a work that finds the queue full; its response is 503.
    struct Full: ProblemConvertible {
        var problem: Problem {
            Problem(status: .serviceUnavailable, detail: "the server is busy; try again")
        }
    }

    private struct State: Sendable {
        var running = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
        /// The number of continuations at the start of `waiting` that have run.
        var served = 0
    }

    private let workers: Int
    private let state = Locked(State())

    init(workers: Int) { self.workers = workers }

    /// Runs work on another thread, when it is its turn.
    ///
    /// - Throws: ``Full``, the work's error, or `CancellationError` if the client has gone by then.
    func run<Result: Sendable>(
        _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard await enter() else { throw Full() }
        defer { leave() }
        try Task.checkCancellation()
        return try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
    }

    /// Runs work whose result is a response.
    func respond(_ work: @Sendable () async -> Response) async -> Response {
        do {
            return try await run(work)
        } catch {
            return Self.busy
        }
    }

    /// The response of a request for which there is no room.
    static var busy: Response {
        ProblemResponse.make(Full().problem, fields: [("Retry-After", "1")])
    }

    private func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let isRunning: Bool? = state.withLock { state in
                if state.running < workers {
                    state.running += 1
                    return true
                }
                guard state.waiting.count - state.served < Self.maximumLength else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let isRunning { continuation.resume(returning: isRunning) }
        }
    }

    private func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard state.served < state.waiting.count else {
                state.running -= 1
                return nil
            }
            let next = state.waiting[state.served]
            state.served += 1
            if state.served == state.waiting.count || state.served > 1024 {
                state.waiting.removeFirst(state.served)
                state.served = 0
            }
            return next
        }
        next?.resume(returning: true)
    }
}

/// A copy of a large body that waits to be decoded.
///
/// All of them together have a limit of 64 MiB, or of a quarter of the memory limit if that is less.
final class HeldBody: Sendable {
    private static let limit = MemoryBudget.standard(64 << 20)
    private static let held = Atomic<Int>(0)

    /// The bytes of all such bodies, and their limit.
    static var usage: (bytes: Int, limit: Int) { (held.load(ordering: .relaxed), limit) }

    let bytes: [UInt8]

    /// Copies a body; nil if the limit is reached.
    init?(_ body: ByteSpan) {
        let count = body.count
        guard Self.held.add(count, ordering: .relaxed).newValue <= Self.limit else {
            Self.held.subtract(count, ordering: .relaxed)
            return nil
        }
        bytes = Array(body)
    }

    deinit { Self.held.subtract(bytes.count, ordering: .relaxed) }
}
