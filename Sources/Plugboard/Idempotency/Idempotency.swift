import HTTPServer
import Locking
import Logging
import PlugHTTP

/// Has what comes several times with one key done once, and answers all of it alike.
///
/// Within a server the first request does the work, and the others wait for its answer; of several
/// servers with the same records one has the key reserved, and the others look for its answer.
final class Idempotency: Sendable {
    private let records: any IdempotencyRecords
    /// How often it is said that the server lives, while it has keys reserved.
    private let beat: Duration
    /// Tells what this server has reserved from what others have, and what it had before a restart.
    private let run = String(UInt64.random(in: .min ... .max), radix: 36)
    private let state = Locked(State())

    private struct State {
        var running: [IdempotencyKey: Run] = [:]
        /// How many runs and waiters there were: each has a number of its own.
        var count = 0
        /// How many keys are reserved.
        var reserved = 0
        /// How many of them may be, for all that is known.
        var doubtful = 0
        var isBeating = false
        /// Whether it was told that the records can't be reached.
        var isTold = false
    }

    /// A request that is being answered, and those that wait for its answer.
    private struct Run {
        let number: Int
        let fingerprint: [UInt8]
        var waiters: [Int: CheckedContinuation<Response?, Never>] = [:]
        /// What is answered while what came of it can't be written down.
        var unwritten: Response?
    }

    private enum Entry {
        case first, mismatch
        /// A repetition of the run of that number.
        case repetition(Int)
        case unwritten(Response)
    }

    /// What came of a request that was the first.
    private struct Outcome {
        let response: Response
        /// Whether it is for those who wait, too.
        var isShared = false
        /// What couldn't be written down.
        var unwritten: Unwritten?
    }

    private struct Unwritten {
        /// What repetitions are answered meanwhile.
        let response: Response
        /// Whether there may be nothing to write.
        var isDoubtful = false
        let write: @Sendable () async throws -> Void
    }

    /// How many keys at most are freed later that may have been reserved.
    private static let greatestDoubtful = 1_000

    init(_ records: any IdempotencyRecords, beat: Duration = .seconds(5)) {
        self.records = records
        self.beat = beat
    }

    /// Checks, at a server's start, that the records are of this version.
    ///
    /// Blocks the calling thread.
    func check() throws { try records.check() }

    /// The answer to a request with a key: that of the first one, which alone does the work.
    ///
    /// The key is reserved on the disk before the work begins, and the answer is there before anybody
    /// gets it. Where it says that nothing was done it isn't kept, and the key is free again.
    /// One that is confidential is for the first alone, and isn't written down.
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
                // The first one's client has gone, or this one's has.
                guard !Task.isCancelled else { return ProblemAnswer.make(503, nil) }
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
            tellOnce(nil, logger)
            switch standing {
            case .reserved: break
            case .held: return Outcome(response: ProblemAnswer.make(503, nil))
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
            tellOnce(error, logger)
            let unwritten = await free(claim.key, logger)
            return Outcome(
                response: Self.unavailable,
                isShared: !Task.isCancelled,
                unwritten: unwritten
            )
        }
        beginBeating(logger)
        guard !Task.isCancelled else {
            let unwritten = await write(claim.key, nil, logger, else: Self.unavailable)
            return Outcome(response: ProblemAnswer.make(503, nil), unwritten: unwritten)
        }
        let response = await work()
        guard Self.isKept(response) else {
            let unwritten = await write(claim.key, nil, logger, else: Self.unavailable)
            // Who waits mayn't be refused for what another has shown or expects; what failed fails for
            // all.
            let isShared = response.status >= 500 && !Task.isCancelled
            return Outcome(response: response, isShared: isShared, unwritten: unwritten)
        }
        let isSecret = isConfidential && response.status < 400
        let answer = KeptAnswer(response, isSecret: isSecret)
        let again =
            answer.isKept ? answer.response : isConfidential ? Self.confidential : Self.unkept
        let unwritten = await write(claim.key, answer, logger, else: again)
        var isShared = !isSecret
        if case .stream = response.body { isShared = false }
        return Outcome(response: response, isShared: isShared, unwritten: unwritten)
    }

    /// Tells once that the records can't be reached, however many ask meanwhile, and once that they can
    /// again.
    private func tellOnce(_ error: (any Error)?, _ logger: Logger) {
        let isNews = state.withLock { state in
            defer { state.isTold = error != nil }
            return state.isTold != (error != nil)
        }
        guard isNews else { return }
        if let error {
            logger.error("idempotency keys: \(error)")
        } else {
            logger.info("idempotency keys: they can be reached again")
        }
    }

    /// Reserves a key, or tells what came of it, as soon as that is known; `held` only where the client
    /// has gone.
    private func reserve(_ claim: IdempotencyClaim) async throws -> IdempotencyStanding {
        var pause = Duration.milliseconds(20)
        while true {
            // In a task of its own, which isn't cancelled when the client goes: a key that was
            // reserved and that nobody knows of would stay so.
            let begun = Task { [records, run] in try await records.begin(claim, for: run) }
            let standing = try await begun.value
            guard case .held = standing, !Task.isCancelled else { return standing }
            // Polled: what another server does takes as long as it takes, and few wait for it.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(400))
        }
    }

    /// Frees a key that may have been reserved, though that was told as an error.
    ///
    /// A database's answer may be lost behind a change that was made. Nil once that is done, and where
    /// too many are to be freed.
    private func free(_ key: IdempotencyKey, _ logger: Logger) async -> Unwritten? {
        let forget: @Sendable () async throws -> Void = { [records, run] in
            try await records.forget(key, for: run)
        }
        guard (try? await Task { try await forget() }.value) == nil else { return nil }
        let isKept = state.withLock { state in
            guard state.doubtful < Self.greatestDoubtful else { return false }
            state.doubtful += 1
            return true
        }
        guard isKept else { return nil }
        beginBeating(logger)
        return Unwritten(response: Self.unavailable, isDoubtful: true, write: forget)
    }

    /// Writes down what came of a key, or that nothing did; nil once that is done.
    private func write(
        _ key: IdempotencyKey,
        _ answer: KeptAnswer?,
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
            // In a task of its own, which isn't cancelled when the client goes.
            try await Task { try await write() }.value
            endBeating()
            return nil
        } catch {
            logger.error("idempotency keys: what came of one isn't kept yet: \(error)")
            return Unwritten(response: response, write: write)
        }
    }

    /// Whether an answer is that of the work: below 500, and no refusal to begin it, which may be
    /// another as soon as who asks, what they expect or the time is.
    private static func isKept(_ response: Response) -> Bool {
        switch response.status {
        case 401, 403, 407, 408, 412, 421, 423, 425, 428, 429: false
        default: response.status < 500
        }
    }

    // MARK: Repetitions

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
        // Only this server knows it: it is written as soon as it can be.
        Task.detached { [self] in
            var pause = Duration.milliseconds(100)
            while true {
                try? await Task.sleep(for: pause)
                guard (try? await unwritten.write()) == nil else { break }
                pause = min(pause * 2, .seconds(5))
            }
            if !unwritten.isDoubtful {
                logger.info("idempotency keys: what came of one is kept now")
            }
            state.withLock { state in
                state.running[key] = nil
                if unwritten.isDoubtful { state.doubtful -= 1 }
            }
            endBeating()
        }
    }

    /// The answer of the one that does the work; nil where there is none for others, or that run is
    /// over: another one's may be another request.
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

    // MARK: Being alive

    /// Says that the server lives, for as long as it has a key reserved.
    private func beginBeating(_ logger: Logger) {
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
                    tellOnce(nil, logger)
                } catch {
                    tellOnce(error, logger)
                }
            }
        }
    }

    /// A key less is reserved.
    private func endBeating() { state.withLock { $0.reserved -= 1 } }
}
