import System
import Glibc
import Locking
package import Logging

/// The behavior documents of a store, with all rules: how revisions are numbered, what may go live,
/// what is written down.
///
/// Wherever the documents are kept (``BehaviorKeeping``), the rules are these. What goes live in the
/// environment that is served is served when the change returns.
package final class BehaviorDocuments: Sendable {
    /// The most documents of a store, over all environments.
    package static let greatestCount = 10_000
    /// How often a change is tried where others change something at the same time.
    static let attempts = 100

    /// Where they are kept.
    package let keeping: any BehaviorKeeping
    /// The environment that is served, and meant where none is named.
    package let environment: String
    private let served: ServedRevisions
    private let logger: Logger
    private let now: @Sendable () -> Int
    private let changes = AsyncQueue<OnlyLine>()
    private let nextDue = Locked(NextDue())
    /// The last row that is known to be served.
    private let known = Locked(AuditHead.none)
    /// Whether nothing is kept any more, though something was.
    private let isEmptied = Locked(false)
    /// Whether there is news that couldn't be read, or may be.
    private let isBehind = Locked(false)
    /// What was said of the last news that couldn't be read.
    private let told = Locked<Set<String>>([])

    /// When the next schedule is due, by the look that began last.
    private struct NextDue {
        /// Nil where there is none.
        var time: Int?
        /// How many looks have begun, and which of them has told the time.
        var (begun, ended) = (0, 0)
    }

    /// The documents of a store, by a clock of seconds since 1970; nothing is read yet.
    ///
    /// What is live of them is found in `live`; what a file says there is what is live of `default`
    /// until the store has that document.
    package init(
        _ keeping: any BehaviorKeeping,
        serving environment: String = DocumentKey.defaultEnvironment,
        as live: LiveBehaviors = LiveBehaviors(),
        insteadOf file: BehaviorFile? = nil,
        logger: Logger = Logger(label: "plugboard"),
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.keeping = keeping
        self.environment = environment
        served = ServedRevisions(live, insteadOf: file)
        self.logger = logger
        self.now = now
    }

    // MARK: What is served

    /// Makes live what is, and holds the calling thread up meanwhile.
    ///
    /// What can't be served is told when it is looked at again, and nothing is served in its place.
    package func begin() throws {
        let epoch = served.epoch
        for (state, revision) in try keeping.liveNow(in: environment) {
            guard let revision else {
                served.lack(state.key.name)
                continue
            }
            do {
                try take(LiveRevision(revision, state), of: epoch)
            } catch {
                served.lack(state.key.name)
            }
        }
    }

    /// Follows what other processes change, and has what is scheduled go live, until the task is
    /// cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { [self] in await follow() }
            group.addTask { [self] in await lookAgain() }
            group.addTask { [self] in await fireSchedules() }
        }
    }

    /// How often it is looked whether a schedule is due, or what couldn't be read can be.
    private static let interval = Duration.milliseconds(400)

    private func fireSchedules() async {
        // What was due while no server was there is done now.
        do {
            try await lookAtSchedules()
        } catch {
            logger.error("behaviors: the schedules can't be read: \(error)")
        }
        var told: String?
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let time = now()
            guard let next = nextDue.withLock({ $0.time }), next <= time else { continue }
            do {
                try await fire(at: time)
                try await lookAtSchedules()
                told = nil
            } catch is CancellationError {
                return
            } catch {
                let text = "\(error)"
                if text != told { logger.error("behaviors: what is due can't go live: \(text)") }
                told = text
                // What comes due meanwhile doesn't wait for it.
                let next = try? await nextTime(after: time)
                nextDue.withLock { $0.time = min(time + 5, next ?? .max) }
            }
        }
    }

    /// Sees when the next schedule is due; where it can't, somebody looks again at once.
    private func lookAtSchedules() async throws {
        let look = nextDue.withLock { next in
            next.begun += 1
            return next.begun
        }
        var time: Int? = now()
        defer {
            nextDue.withLock { next in
                // A look that began later has seen what is newer.
                if look > next.ended { (next.time, next.ended) = (time, look) }
            }
        }
        // Of an emptied store nothing is due, until what was there is again.
        try await lastRow()
        time = try await nextTime()
    }

    /// Says what people should know.
    func tell(_ text: String) { logger.error("behaviors: \(text)") }

    /// Says what was done.
    func note(_ text: String) { logger.notice("behaviors: \(text)") }

    private func follow() async { await keeping.watch { [self] in await look() } }

    /// Looks again at what couldn't be read when it was news: a lock, a checkout that was half done.
    private func lookAgain() async {
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
        let known = told.withLock { told in
            defer { told = Set(problems) }
            return told
        }
        // Each once, however long it lasts.
        for problem in problems where !known.contains(problem) {
            logger.error("behaviors: what is live stays: \(problem)")
        }
    }

    /// Why what is kept can't be reached, or can't be what was kept; nil where it is there.
    package var loss: String? { isEmptied.withLock { $0 } ? Self.emptied : keeping.loss }

    private static let emptied = "nothing is kept there any more"

    /// The last audit row.
    ///
    /// - Throws: also where there is none any more, though there was: what keeps the documents was emptied, or
    ///   what is mounted there isn't. That is no other history; who means it starts the server anew.
    @discardableResult
    func lastRow() async throws -> AuditHead {
        // Asked before: what is known by the time that nothing is found there may have come since.
        let wasKnown = known.withLock { $0 != .none }
        let head = try await keeping.head()
        let isEmptied = head == .none && wasKnown
        self.isEmptied.withLock { $0 = isEmptied }
        guard !isEmptied else { throw BehaviorStoreError.unavailable(Self.emptied) }
        return head
    }

    /// Makes live what others have made live.
    ///
    /// - Returns: what of it can't be read or served; the rest is served.
    @discardableResult
    package func refresh() async throws -> [any Error] {
        let head = try await lastRow()
        let before = known.withLock { $0 }
        guard head != before else { return [] }
        let last = try await keeping.audit(after: before.sequence - 1, limit: 1).first
        let states = try await keeping.documents().filter { $0.key.environment == environment }
        // Without the last row that is known, another store has taken the place of the one before.
        if before != .none && last?.hash != before.hash {
            note("another history has taken the place of the one that was served")
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
                guard let revision = try await keeping.revision(number, of: state.key) else {
                    throw BehaviorStoreError.unavailable(
                        "revision \(number) of \(state.key), which is live, is missing"
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

    /// Makes a change: `make` reads what it depends on, and notes what is to be.
    ///
    /// `make` is called anew where somebody else was faster. A change is made whole even where nobody
    /// waits for it any more: what is kept is served.
    func change<Value: Sendable>(
        by author: Author,
        _ make: @escaping @Sendable (inout Ledger) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard author.canBeKept else {
            throw BehaviorStoreError.forbidden(
                "who makes the change can't be written down: their name is no line, or too long"
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
                guard try await keeping.commit(ledger.change) else { continue }
            } catch {
                // It may be kept all the same: the answer was lost.
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

    /// Serves what a change has made live.
    private func serve(_ change: Ledger, of epoch: Int) {
        for live in change.live where live.revision.info.key.environment == environment {
            do {
                try take(live, of: epoch)
            } catch {
                logger.error("behaviors: \(error)")
            }
        }
        // What others have changed before it is still to be looked at, unless it is known.
        known.withLock { if $0 == change.base { $0 = change.head } }
        if served.epoch != epoch { isBehind.withLock { $0 = true } }
    }
}
