import HTTPServer
import Locking
import Logging
import PlugHTTP

/// Performs requests with the same key once and sends each the same response.
///
/// Within a server the first request does the work, and retries wait for its response. Of several
/// servers with the same records one reserves the key, and the others poll for its response.
final class Idempotency: Sendable {
    private let records: any IdempotencyRecords
    /// The interval between renewals of this server's reservations.
    private let beat: Duration
    /// Identifies this run of the server among all servers and restarts.
    private let run = String(UInt64.random(in: .min ... .max), radix: 36)
    private let state = Locked(State())

    private struct State {
        var running: [IdempotencyKey: Run] = [:]
        /// The number of runs and waiters so far, from which each gets its own number.
        var count = 0
        /// The number of reserved keys.
        var reserved = 0
        /// The number of keys that may be reserved after an error.
        var doubtful = 0
        var isBeating = false
        /// Whether the log says that the records are unavailable.
        var isTold = false
    }

    /// A request in progress and the retries that wait for its response.
    private struct Run {
        let number: Int
        let fingerprint: [UInt8]
        var waiters: [Int: CheckedContinuation<Response?, Never>] = [:]
        /// The response to retries while the outcome isn't stored.
        var unwritten: Response?
    }

    private enum Entry {
        case first, mismatch
        /// A retry of the run with this number.
        case repetition(Int)
        case unwritten(Response)
    }

    /// The outcome of a first request.
    private struct Outcome {
        let response: Response
        /// Whether waiting retries get the same response.
        var isShared = false
        /// The write that failed and has to be repeated.
        var unwritten: Unwritten?
    }

    private struct Unwritten {
        /// The response to retries until then.
        let response: Response
        /// Whether the key may not be reserved at all.
        var isDoubtful = false
        let write: @Sendable () async throws -> Void
    }

    /// The limit on keys that may be reserved after an error and are freed later.
    private static let maximumDoubtful = 1_000

    init(_ records: any IdempotencyRecords, beat: Duration = .seconds(5)) {
        self.records = records
        self.beat = beat
    }

    /// Responds to a request with a key; only the first request does the work.
    ///
    /// The key is reserved on disk before the work begins, and the response is stored before any
    /// client gets it. A response without effects isn't stored, and its key becomes free again. A
    /// confidential response goes to the first client only and isn't stored.
    func answer(
        _ claim: IdempotencyClaim,
        isConfidential: Bool = false,
        _ logger: Logger,
        _ work: @escaping Reply.Work
    ) async -> Response {
        while true {
            switch enter(claim) {
            case .mismatch: return Self.mismatch
            case .unwritten(let response): return response
            case .first:
                let outcome = await perform(claim, isConfidential: isConfidential, logger, work)
                leave(claim.key, outcome, logger)
                return outcome.response
            case .repetition(let run):
                if let response = await wait(for: claim.key, run) { return response }
                // The client of the first request disconnected, or this request's did.
                guard !Task.isCancelled else { return ProblemResponse.make(503, nil) }
            }
        }
    }

    private func perform(
        _ claim: IdempotencyClaim,
        isConfidential: Bool,
        _ logger: Logger,
        _ work: Reply.Work
    ) async -> Outcome {
        do {
            let standing = try await reserve(claim)
            logOnce(nil, logger)
            switch standing {
            case .reserved: break
            case .held: return Outcome(response: ProblemResponse.make(503, nil))
            case .mismatch: return Outcome(response: Self.mismatch, isShared: true)
            case .lost: return Outcome(response: Self.lost, isShared: true)
            case .unkept:
                let response = isConfidential ? Self.confidential : Self.unkept
                return Outcome(response: response, isShared: true)
            case .full(let room, let seconds):
                return Outcome(response: Self.full(room, seconds), isShared: true)
            case .answered(let response): return Outcome(response: response, isShared: true)
            }
        } catch {
            logOnce(error, logger)
            let unwritten = await free(claim.key, logger)
            return Outcome(
                response: Self.unavailable,
                isShared: !Task.isCancelled,
                unwritten: unwritten
            )
        }
        startHeartbeat(logger)
        guard !Task.isCancelled else {
            let unwritten = await write(claim.key, nil, logger, else: Self.unavailable)
            return Outcome(response: ProblemResponse.make(503, nil), unwritten: unwritten)
        }
        let response = await work()
        guard Self.isKept(response) else {
            let unwritten = await write(claim.key, nil, logger, else: Self.unavailable)
            // A rejection may depend on the first request's credentials or preconditions, so others
            // don't get it. A failure applies to all.
            let isShared = response.status >= 500 && !Task.isCancelled
            return Outcome(response: response, isShared: isShared, unwritten: unwritten)
        }
        let isSecret = isConfidential && response.status < 400
        let answer = StoredResponse(response, isSecret: isSecret)
        let again =
            answer.isKept ? answer.response : isConfidential ? Self.confidential : Self.unkept
        let unwritten = await write(claim.key, answer, logger, else: again)
        var isShared = !isSecret
        if case .stream = response.body { isShared = false }
        return Outcome(response: response, isShared: isShared, unwritten: unwritten)
    }

    /// Logs once that the records are unavailable, and once that they are available again.
    private func logOnce(_ error: (any Error)?, _ logger: Logger) {
        let isNews = state.withLock { state in
            defer { state.isTold = error != nil }
            return state.isTold != (error != nil)
        }
        guard isNews else { return }
        if let error {
            logger.error("idempotency keys: \(error)")
        } else {
            logger.info("idempotency keys: available again")
        }
    }

    /// Reserves a key, or returns its standing once its request has finished.
    ///
    /// Returns `held` only if the client has disconnected.
    private func reserve(_ claim: IdempotencyClaim) async throws -> IdempotencyKeyState {
        var pause = Duration.milliseconds(20)
        while true {
            // A task of its own, because the client's disconnect must not cancel it: a key whose
            // reservation nobody knows would stay reserved.
            let begun = Task { [records, run] in try await records.begin(claim, for: run) }
            let standing = try await begun.value
            guard case .held = standing, !Task.isCancelled else { return standing }
            // Polling is enough: few requests wait for another server.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(400))
        }
    }

    /// Frees a key that may be reserved despite an error.
    ///
    /// A database may commit a change and lose the response. Returns nil on success, or if too many
    /// keys have to be freed.
    private func free(_ key: IdempotencyKey, _ logger: Logger) async -> Unwritten? {
        let forget: @Sendable () async throws -> Void = { [records, run] in
            try await records.forget(key, for: run)
        }
        guard (try? await Task { try await forget() }.value) == nil else { return nil }
        let isKept = state.withLock { state in
            guard state.doubtful < Self.maximumDoubtful else { return false }
            state.doubtful += 1
            return true
        }
        guard isKept else { return nil }
        startHeartbeat(logger)
        return Unwritten(response: Self.unavailable, isDoubtful: true, write: forget)
    }

    /// Stores a key's response, or frees the key; returns nil on success.
    private func write(
        _ key: IdempotencyKey,
        _ answer: StoredResponse?,
        _ logger: Logger,
        else response: Response
    ) async -> Unwritten? {
        let write: @Sendable () async throws -> Void = { [records, run] in
            if let answer {
                try await records.finish(key, answer, for: run)
            } else {
                try await records.forget(key, for: run)
            }
        }
        do {
            // A task of its own, because the client's disconnect must not cancel it.
            try await Task { try await write() }.value
            endBeating()
            return nil
        } catch {
            logger.error("idempotency keys: a response isn't stored yet: \(error)")
            return Unwritten(response: response, write: write)
        }
    }

    /// Whether a response is the result of the work.
    ///
    /// It is below 500, and no rejection that depends on credentials, preconditions or time.
    private static func isKept(_ response: Response) -> Bool {
        switch response.status {
        case 401, 403, 407, 408, 412, 421, 423, 425, 428, 429: false
        default: response.status < 500
        }
    }

    // MARK: Retries

    private func enter(_ claim: IdempotencyClaim) -> Entry {
        state.withLock { state in
            guard let run = state.running[claim.key] else {
                state.count += 1
                state.running[claim.key] = Run(number: state.count, fingerprint: claim.fingerprint)
                return .first
            }
            guard run.fingerprint == claim.fingerprint else { return .mismatch }
            return run.unwritten.map { .unwritten($0) } ?? .repetition(run.number)
        }
    }

    private func leave(_ key: IdempotencyKey, _ outcome: Outcome, _ logger: Logger) {
        let waiters = state.withLock { state in
            defer {
                if let unwritten = outcome.unwritten {
                    state.running[key]?.waiters = [:]
                    state.running[key]?.unwritten = unwritten.response
                } else {
                    state.running[key] = nil
                }
            }
            return state.running[key]?.waiters
        }
        let shared = outcome.isShared ? outcome.response : nil
        waiters?.values.forEach { $0.resume(returning: shared) }
        guard let unwritten = outcome.unwritten else { return }
        // Only this process knows the outcome, so it repeats the write until it succeeds.
        Task.detached { [self] in
            var pause = Duration.milliseconds(100)
            while true {
                try? await Task.sleep(for: pause)
                guard (try? await unwritten.write()) == nil else { break }
                pause = min(pause * 2, .seconds(5))
            }
            if !unwritten.isDoubtful {
                logger.info("idempotency keys: the response is stored now")
            }
            state.withLock { state in
                state.running[key] = nil
                if unwritten.isDoubtful { state.doubtful -= 1 }
            }
            endBeating()
        }
    }

    /// Waits for the response of the run in progress.
    ///
    /// Returns nil if that response isn't shared or the run is over: the key may then belong to a
    /// different request.
    private func wait(for key: IdempotencyKey, _ run: Int) async -> Response? {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, let known = state.running[key], known.number == run,
                        known.unwritten == nil
                    else { return true }
                    state.running[key]?.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume(returning: nil) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.running[key]?.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: nil)
        }
    }

    // MARK: Heartbeat

    /// Renews this run's reservations while there is at least one.
    private func startHeartbeat(_ logger: Logger) {
        let isFirst = state.withLock { state in
            state.reserved += 1
            defer { state.isBeating = true }
            return !state.isBeating
        }
        guard isFirst else { return }
        Task.detached { [self] in
            while true {
                try? await Task.sleep(for: beat)
                let goesOn = state.withLock { state in
                    state.isBeating = state.reserved > 0
                    return state.isBeating
                }
                guard goesOn else { return }
                do {
                    try await records.renew(run)
                    logOnce(nil, logger)
                } catch {
                    logOnce(error, logger)
                }
            }
        }
    }

    /// Subtracts a reserved key.
    private func endBeating() { state.withLock { $0.reserved -= 1 } }
}
