import Glibc
import HTTPServer
import Locking
import Logging
import PlugHTTP
import Storage

/// Has what comes several times with one key done once, and answers all of it alike.
final class Idempotency: Sendable {
    private let records: IdempotencyRecords
    private let running = Locked<[IdempotencyKey: Run]>([:])

    /// A request that is being answered, and those that wait for its answer.
    private struct Run {
        let fingerprint: [UInt8]
        var waiters: [Int: CheckedContinuation<Response?, Never>] = [:]
        var count = 0
    }

    private enum Entry { case first, repetition, mismatch }

    init(_ storage: Storage, now: @escaping @Sendable () -> Int = { time(nil) }) {
        records = IdempotencyRecords(storage: storage, now: now)
    }

    /// The answer to a request with a key: that of the first one, which alone does the work.
    ///
    /// The key is reserved on the disk before the work begins, and the answer is there before anybody
    /// gets it. Where it says that nothing was done it isn't kept, and the key is free again.
    /// One that is confidential is for the first alone, and isn't written down.
    func answer(
        _ key: IdempotencyKey,
        _ fingerprint: [UInt8],
        isConfidential: Bool = false,
        _ logger: Logger,
        _ work: @escaping Reply.Work
    ) async -> Response {
        while true {
            switch enter(key, fingerprint) {
            case .mismatch: return Self.mismatch
            case .first:
                let (response, isShared) = await perform(
                    key,
                    fingerprint,
                    isConfidential: isConfidential,
                    logger,
                    work
                )
                leave(key, isShared ? response : nil)
                return response
            case .repetition:
                if let response = await wait(for: key) { return response }
                // The first one's client has gone, or this one's has.
                guard !Task.isCancelled else { return ProblemAnswer.make(503, nil) }
            }
        }
    }

    private func perform(
        _ key: IdempotencyKey,
        _ fingerprint: [UInt8],
        isConfidential: Bool,
        _ logger: Logger,
        _ work: Reply.Work
    ) async -> (Response, isShared: Bool) {
        do {
            // In a task of its own, which isn't cancelled when the client goes: a key that was reserved
            // and that nobody knows of would stay so.
            let begun = Task { [records] in try await records.begin(key, fingerprint) }
            switch try await begun.value {
            case .reserved:
                guard !Task.isCancelled else {
                    try await Task { [records] in try await records.forget(key) }.value
                    return (ProblemAnswer.make(503, nil), false)
                }
            case .mismatch: return (Self.mismatch, true)
            case .unfinished: return (Self.unfinished, true)
            case .unkept: return (isConfidential ? Self.confidential : Self.unkept, true)
            case .full(let seconds): return (Self.full(key, seconds), true)
            case .answered(let response): return (response, true)
            }
        } catch {
            logger.error("idempotency keys: \(error)")
            return (ProblemAnswer.make(503, nil), !Task.isCancelled)
        }
        let response = await work()
        let isSecret = isConfidential && response.status < 400
        do {
            // In a task of its own, which isn't cancelled when the client goes.
            try await Task { [records] in
                Self.isKept(response)
                    ? try await records.finish(key, response, isSecret: isSecret)
                    : try await records.forget(key)
            }.value
        } catch {
            // The key stays reserved: what was done isn't done again.
            logger.error("idempotency keys: what came of one isn't kept: \(error)")
        }
        if isSecret { return (response, false) }
        if case .stream = response.body { return (response, false) }
        guard !Self.isKept(response) else { return (response, true) }
        // Who waits mayn't be refused for what another has shown or expects; what failed fails for all.
        return (response, response.status >= 500 && !Task.isCancelled)
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

    private func enter(_ key: IdempotencyKey, _ fingerprint: [UInt8]) -> Entry {
        running.withLock { running in
            guard let run = running[key] else {
                running[key] = Run(fingerprint: fingerprint)
                return .first
            }
            return run.fingerprint == fingerprint ? .repetition : .mismatch
        }
    }

    private func leave(_ key: IdempotencyKey, _ response: Response?) {
        let run = running.withLock { $0.removeValue(forKey: key) }
        run?.waiters.values.forEach { $0.resume(returning: response) }
    }

    /// The answer of the one that does the work; nil where there is none for others.
    private func wait(for key: IdempotencyKey) async -> Response? {
        let number = running.withLock { running in
            running[key]?.count += 1
            return running[key]?.count
        }
        guard let number else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = running.withLock { running in
                    guard !Task.isCancelled, running[key] != nil else { return true }
                    running[key]?.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume(returning: nil) }
            }
        } onCancel: {
            let waiter = running.withLock { $0[key]?.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: nil)
        }
    }

    // MARK: Refusals

    private static var mismatch: Response {
        ProblemAnswer.make(422, "the Idempotency-Key came with another request before")
    }

    private static var unfinished: Response {
        ProblemAnswer.make(
            409,
            "a request with this Idempotency-Key has begun, and there is no answer yet: it is being "
                + "worked on, or its server has ended before it was, and then it isn't done again"
        )
    }

    private static var confidential: Response {
        ProblemAnswer.make(
            409,
            "a request with this Idempotency-Key was done, and its answer was a secret, which isn't "
                + "kept: to have another one, take another key"
        )
    }

    /// Who is known has used up what is theirs; of others nobody knows who has.
    private static func full(_ key: IdempotencyKey, _ seconds: Int) -> Response {
        ProblemAnswer.make(
            key.caller.isEmpty ? 503 : 429,
            "as many answers for Idempotency-Keys are kept as can be, and none is dropped before its "
                + "day is over: nothing was done",
            fields: [("Retry-After", String(seconds))]
        )
    }

    private static var unkept: Response {
        ProblemAnswer.make(
            409,
            "a request with this Idempotency-Key was done, and its answer is too large to be kept"
        )
    }
}
