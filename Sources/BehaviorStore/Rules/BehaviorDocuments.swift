import System
import Glibc
import Locking
package import Logging

/// The behavior documents of a store with all rules: numbering, permission to go live, the audit.
///
/// The rules are the same for every store (``BehaviorBackend``). When a change returns, its live
/// revisions in the served environment are served.
package final class BehaviorDocuments: Sendable {
    /// The most documents of a store, over all environments.
    package static let maximumCount = 10_000
    /// How often a change is tried while concurrent changes invalidate it.
    static let attempts = 100

    /// The store.
    package let backend: any BehaviorBackend
    /// The served environment, and the default one.
    package let environment: String
    private let served: LiveDocuments
    private let logger: Logger
    private let now: @Sendable () -> Int
    private let changes = AsyncQueue<OnlyLine>()
    private let nextDue = Locked(NextDue())
    /// The last audit row whose change is served.
    private let known = Locked(AuditHead.none)
    /// Whether the store was emptied.
    private let isEmptied = Locked(false)
    /// Whether changes may be unread.
    private let isBehind = Locked(false)
    /// The problems that the last look logged.
    private let logged = Locked<Set<String>>([])

    /// The time of the next schedule, as the latest look has found it.
    private struct NextDue {
        /// Nil if there is no schedule.
        var time: Int?
        /// The number of looks begun, and the number of the look that set the time.
        var (begun, ended) = (0, 0)
    }

    /// Makes the documents of a store without reading it.
    ///
    /// Live revisions go to `live`. A file's revision is the live one of `default` until the store
    /// has that document.
    package init(
        _ backend: any BehaviorBackend,
        serving environment: String = DocumentKey.defaultEnvironment,
        as live: LiveBehaviors = LiveBehaviors(),
        insteadOf file: BehaviorFile? = nil,
        logger: Logger = Logger(label: "plugboard"),
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.backend = backend
        self.environment = environment
        served = LiveDocuments(live, insteadOf: file)
        self.logger = logger
        self.now = now
    }

    // MARK: What is served

    /// Loads all live revisions; blocks the calling thread.
    ///
    /// A document that can't be served is logged at the next look, and nothing is served in its
    /// place.
    package func begin() throws {
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

    /// Follows changes of other processes and runs due schedules, until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { [self] in await follow() }
            group.addTask { [self] in await retryLook() }
            group.addTask { [self] in await fireSchedules() }
        }
    }

    /// The interval of checks for due schedules and unread changes.
    private static let interval = Duration.milliseconds(400)

    private func fireSchedules() async {
        // Runs the schedules that became due while no server ran.
        do {
            try await lookAtSchedules()
        } catch {
            logger.error("behaviors: the schedules can't be read: \(error)")
        }
        var logged: String?
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let time = now()
            guard let next = nextDue.withLock({ $0.time }), next <= time else { continue }
            do {
                try await fire(at: time)
                try await lookAtSchedules()
                logged = nil
            } catch is CancellationError {
                return
            } catch {
                let text = "\(error)"
                if text != logged { logger.error("behaviors: due schedules can't run: \(text)") }
                logged = text
                // Schedules that become due in the meantime don't wait for this one.
                let next = try? await nextTime(after: time)
                nextDue.withLock { $0.time = min(time + 5, next ?? .max) }
            }
        }
    }

    /// Finds the time of the next schedule; after an error it is checked again at once.
    private func lookAtSchedules() async throws {
        let look = nextDue.withLock { next in
            next.begun += 1
            return next.begun
        }
        var time: Int? = now()
        defer {
            nextDue.withLock { next in
                // The look that began last has the newest data.
                if look > next.ended { (next.time, next.ended) = (time, look) }
            }
        }
        // An emptied store has no due schedules until its contents are back.
        try await lastRow()
        time = try await nextTime()
    }

    /// Logs an error.
    func logError(_ text: String) { logger.error("behaviors: \(text)") }

    /// Logs a change.
    func note(_ text: String) { logger.notice("behaviors: \(text)") }

    private func follow() async { await backend.watch { [self] in await look() } }

    /// Looks again for changes that couldn't be read, because of a lock or an incomplete checkout.
    private func retryLook() async {
        var pause = Self.interval
        while (try? await Task.sleep(for: pause)) != nil {
            guard isBehind.withLock({ $0 }) else {
                pause = Self.interval
                continue
            }
            await look()
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func look() async {
        isBehind.withLock { $0 = false }
        var problems: [String] = []
        do {
            problems = try await refresh().map { "\($0)" }
        } catch is CancellationError {
            return
        } catch {
            problems = ["\(error)"]
        }
        if !problems.isEmpty { isBehind.withLock { $0 = true } }
        let known = logged.withLock { logged in
            defer { logged = Set(problems) }
            return logged
        }
        // Each problem is logged once, however long it lasts.
        for problem in problems where !known.contains(problem) {
            logger.error("behaviors: the live revisions are unchanged: \(problem)")
        }
    }

    /// The reason why the store is unavailable or was emptied; nil if it is healthy.
    package var loss: String? { isEmptied.withLock { $0 } ? Self.emptied : backend.loss }

    private static let emptied = "the store was emptied"

    /// Returns the last audit row.
    ///
    /// - Throws: also if the store was emptied or unmounted. To accept an emptied store, restart
    ///   the server.
    @discardableResult
    func lastRow() async throws -> AuditHead {
        // Read before the head: afterwards it may include a concurrent change.
        let wasKnown = known.withLock { $0 != .none }
        let head = try await backend.head()
        let isEmptied = head == .none && wasKnown
        self.isEmptied.withLock { $0 = isEmptied }
        guard !isEmptied else { throw BehaviorStoreError.unavailable(Self.emptied) }
        return head
    }

    /// Makes revisions live that other processes published.
    ///
    /// - Returns: the errors of those that can't be read or served; all others are served.
    @discardableResult
    package func refresh() async throws -> [any Error] {
        let head = try await lastRow()
        let before = known.withLock { $0 }
        guard head != before else { return [] }
        let last = try await backend.audit(after: before.sequence - 1, limit: 1).first
        let states = try await backend.documents().filter { $0.key.environment == environment }
        // If the last known row is missing, another store has replaced the previous one.
        if before != .none && last?.hash != before.hash {
            note("another history has replaced the served one")
            served.beginAnew(with: Set(states.filter { $0.live != nil }.map(\.key.name)))
            known.withLock { $0 = .none }
        }
        let epoch = served.epoch
        var problems: [any Error] = []
        for state in states {
            guard let number = state.live, served.number(of: state.key.name) < number else {
                continue
            }
            do {
                guard let revision = try await backend.revision(number, of: state.key) else {
                    throw BehaviorStoreError.unavailable(
                        "the live revision \(number) of \(state.key) is missing"
                    )
                }
                try take(LiveRevision(revision, state), of: epoch)
            } catch {
                problems.append(error)
            }
        }
        try await lookAtSchedules()
        guard problems.isEmpty else { return problems }
        known.withLock { known in
            if served.epoch == epoch, known.sequence < head.sequence { known = head }
        }
        return []
    }

    private func take(_ live: LiveRevision, of epoch: Int) throws {
        let info = live.revision.info
        do {
            guard try served.take(live, of: epoch) else { return }
        } catch {
            throw Unservable(info: info, reason: error)
        }
        logger.notice(
            "behaviors: revision \(info.number) of \(info.key) is live, by \(info.author)"
        )
    }

    private struct Unservable: Error, CustomStringConvertible {
        let info: RevisionInfo
        let reason: any Error
        var description: String {
            "revision \(info.number) of \(info.key) can't be served: \(reason)"
        }
    }

    // MARK: Changing

    /// Makes a change: `make` reads what it depends on and adds its rows to the ledger.
    ///
    /// `make` runs again if a concurrent change was faster. A change completes even if its caller
    /// is cancelled, so that a stored revision is served.
    func change<Value: Sendable>(
        by author: Author,
        _ make: @escaping @Sendable (inout Ledger) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard author.canBeKept else {
            throw BehaviorStoreError.forbidden(
                "the author can't be recorded: their name has control characters or is too long"
            )
        }
        return try await Task.detached { [self] in
            try await changes.run(in: .only) { try await changeInTurn(author, make) }
        }.value
    }

    private func changeInTurn<Value>(
        _ author: Author,
        _ make: (inout Ledger) async throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.attempts {
            let epoch = served.epoch
            var ledger = try Ledger(upon: try await lastRow(), at: now(), by: author)
            let value = try await make(&ledger)
            guard !ledger.change.audit.isEmpty else { return value }
            do {
                guard try await backend.commit(ledger.change) else { continue }
            } catch {
                // The change may be stored even so: only the response was lost.
                isBehind.withLock { $0 = true }
                throw error
            }
            if ledger.change.records.contains(where: { $0.key.kind == .schedule }) {
                try? await lookAtSchedules()
            }
            serve(ledger, of: epoch)
            return value
        }
        throw BehaviorStoreError.busy
    }

    /// Serves the revisions that a change has made live.
    private func serve(_ change: Ledger, of epoch: Int) {
        for live in change.live where live.revision.info.key.environment == environment {
            do {
                try take(live, of: epoch)
            } catch {
                logger.error("behaviors: \(error)")
            }
        }
        // After changes of other processes the known head stays, so that the next look reads them.
        known.withLock { if $0 == change.base { $0 = change.head } }
        if served.epoch != epoch { isBehind.withLock { $0 = true } }
    }
}
