import Locking
import Logging
import System

/// Serves the live revisions of a store, and follows the changes of other processes.
final class StoreFollower: Sendable {
    private let backend: any BehaviorBackend
    private let environment: String
    private let served: LiveDocuments
    private let head: KnownHead
    private let timer: ScheduleTimer
    private let logger: Logger
    private let unread = UnreadChanges()
    private let waiting = Locked<String?>(nil)
    /// The problems that the last look logged.
    private let logged = Locked<Set<String>>([])

    init(
        _ backend: any BehaviorBackend,
        serving environment: String,
        as served: LiveDocuments,
        _ head: KnownHead,
        _ timer: ScheduleTimer,
        _ logger: Logger
    ) {
        self.backend = backend
        self.environment = environment
        self.served = served
        self.head = head
        self.timer = timer
        self.logger = logger
    }

    /// Increases when another store replaces the previous one.
    var epoch: Int { served.epoch }

    /// The reason why the live revisions aren't loaded yet; nil once they are.
    var waitReason: String? { waiting.withLock { $0 } }

    /// The number of problems that the last look found.
    var problemCount: Int { logged.withLock { $0.count } }

    /// Loads all live revisions; blocks the calling thread.
    ///
    /// If a remote store is unavailable, no document is served until ``run()`` has loaded them.
    func begin() throws {
        do {
            try load()
        } catch BehaviorStoreError.unavailable(let reason) where backend.isRemote {
            waiting.withLock { $0 = reason }
            served.withhold()
            markBehind()
            logger.error(
                "behaviors: the store is unavailable; documents are 503 until it is available: \(reason)"
            )
        }
    }

    private func load() throws {
        let epoch = served.epoch
        for (state, revision) in try backend.liveNow(in: environment) {
            guard let revision else {
                served.markUnservable(state.key.name)
                continue
            }
            do {
                try take(LiveRevision(revision, state), of: epoch)
            } catch {
                served.markUnservable(state.key.name)
            }
        }
    }

    // MARK: Changes of other processes

    /// Follows the store until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { [self] in await backend.watch { [self] in await look() } }
            group.addTask { [self] in await unread.retry { await look() } }
        }
    }

    /// Has the store read again soon: a change may be unread.
    func markBehind() { unread.mark() }

    private func look() async {
        unread.clear()
        var problems: [String] = []
        do {
            problems = try await refresh().map { "\($0)" }
        } catch is CancellationError {
            return
        } catch BehaviorStoreError.unavailable where backend.loss != nil {
            // The store has logged it.
            markBehind()
            return
        } catch {
            problems = ["\(error)"]
        }
        if !problems.isEmpty { markBehind() }
        let known = logged.withLock { logged in
            defer { logged = Set(problems) }
            return logged
        }
        // Each problem is logged once, however long it lasts.
        for problem in problems where !known.contains(problem) {
            logger.error("behaviors: the live revisions are unchanged: \(problem)")
        }
    }

    /// Makes revisions live that other processes published.
    ///
    /// - Returns: the errors of those that can't be read or served; all others are served.
    func refresh() async throws -> [any Error] {
        let isWaiting = waitReason != nil
        if isWaiting { try await backend.check() }
        let last = try await head.readLast()
        let before = head.current
        guard last != before || isWaiting else { return [] }
        let row = try await backend.audit(after: before.sequence - 1, limit: 1).first
        let states = try await backend.documents().filter { $0.key.environment == environment }
        // If the last known row is missing, another store has replaced the previous one.
        if before != .none && row?.hash != before.hash {
            logger.notice("behaviors: another history has replaced the served one")
            served.beginAnew(with: Set(states.filter { $0.live != nil }.map(\.key.name)))
            head.reset()
        }
        let epoch = served.epoch
        var problems: [any Error] = []
        for state in states {
            do {
                try await takeLive(state, of: epoch)
            } catch {
                if isWaiting { served.markUnservable(state.key.name) }
                problems.append(error)
            }
        }
        if isWaiting { endWait() }
        try await timer.look()
        guard problems.isEmpty else { return problems }
        head.advance(to: last) { served.epoch == epoch }
        return []
    }

    private func endWait() {
        guard waiting.withLock({ $0.take() }) != nil else { return }
        served.release()
        logger.notice("behaviors: the store is available, and its documents are served")
    }

    // MARK: Serving

    /// Serves the revisions that a change of this process has made live.
    func serve(_ change: PendingChange, of epoch: Int) {
        for live in change.live where live.revision.info.key.environment == environment {
            do {
                try take(live, of: epoch)
            } catch {
                logger.error("behaviors: \(error)")
            }
        }
        head.advance(from: change.base, to: change.head)
        if served.epoch != epoch { markBehind() }
    }

    private func takeLive(_ state: DocumentState, of epoch: Int) async throws {
        guard let number = state.live, served.number(of: state.key.name) < number else { return }
        guard let revision = try await backend.revision(number, of: state.key) else {
            throw BehaviorStoreError.unavailable(
                "the live revision \(number) of \(state.key) is missing"
            )
        }
        try take(LiveRevision(revision, state), of: epoch)
    }

    private func take(_ live: LiveRevision, of epoch: Int) throws {
        let info = live.revision.info
        do {
            guard try served.take(live, of: epoch) else { return }
        } catch {
            throw Unservable(info: info, reason: error)
        }
        logger.notice(
            "behaviors: revision \(info.number) of \(info.key) is live, by \(info.maker.shown)"
        )
    }

    private struct Unservable: Error, CustomStringConvertible {
        let info: RevisionInfo
        let reason: any Error
        var description: String {
            "revision \(info.number) of \(info.key) can't be served: \(reason)"
        }
    }
}
