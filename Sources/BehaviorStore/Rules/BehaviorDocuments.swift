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
    private let line = ChangeLine()
    /// When the next schedule is due; nil where there is none.
    private let nextDue = Locked<Int?>(nil)
    /// The last row that is known to be served.
    private let known = Locked(AuditHead.none)
    /// Whether there is news that couldn't be read.
    private let isBehind = Locked(false)

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
    package func begin() throws {
        for revision in try keeping.liveNow(in: environment) { serve(revision) }
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
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let time = now()
            guard let next = nextDue.withLock({ $0 }), next <= time else { continue }
            do {
                try await fire(at: time)
                try await lookAtSchedules()
            } catch is CancellationError {
                return
            } catch {
                logger.error("behaviors: what is due can't go live: \(error)")
                nextDue.withLock { $0 = time + 5 }
            }
        }
    }

    private func lookAtSchedules() async throws {
        let next = try await nextTime()
        nextDue.withLock { $0 = next }
    }

    /// Says what people should know.
    func tell(_ text: String) { logger.error("behaviors: \(text)") }

    /// Says what was done.
    func note(_ text: String) { logger.notice("behaviors: \(text)") }

    private func follow() async { await keeping.watch { [self] in await look() } }

    /// Looks again at what couldn't be read when it was news: a lock, a checkout that was half done.
    private func lookAgain() async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            if isBehind.withLock({ $0 }) { await look() }
        }
    }

    private func look() async {
        // Whoever looks meanwhile and can't read it says so itself.
        let wasBehind = isBehind.withLock { isBehind in
            defer { isBehind = false }
            return isBehind
        }
        do {
            try await refresh()
        } catch {
            isBehind.withLock { $0 = true }
            if !wasBehind { logger.error("behaviors: what is live stays: \(error)") }
        }
    }

    /// Makes live what others have made live.
    ///
    /// - Throws: where something of it can't be read or served; the rest is served.
    package func refresh() async throws {
        let head = try await keeping.head()
        let before = known.withLock { $0 }
        guard head != before else { return }
        let last = try await keeping.audit(after: before.sequence - 1, limit: 1).first
        let states = try await keeping.documents().filter { $0.key.environment == environment }
        // Without the last row that is known, another store has taken the place of the one before.
        if before != .none && last?.hash != before.hash {
            served.beginAnew(with: Set(states.filter { $0.live != nil }.map(\.key.name)))
            known.withLock { $0 = .none }
        }
        var problem: (any Error)?
        for state in states {
            guard let number = state.live, served.number(of: state.key.name) < number else {
                continue
            }
            do {
                guard let revision = try await keeping.revision(number, of: state.key) else {
                    continue
                }
                try take(LiveRevision(revision, since: state.since ?? revision.info.created))
            } catch {
                problem = problem ?? error
            }
        }
        try await lookAtSchedules()
        if let problem { throw problem }
        known.withLock { if $0.sequence < head.sequence { $0 = head } }
    }

    private func take(_ revision: LiveRevision) throws {
        let info = revision.revision.info
        do {
            guard try served.take(revision) else { return }
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

    private func serve(_ revision: LiveRevision) {
        do { try take(revision) } catch { logger.error("behaviors: \(error)") }
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
            try await line.wait { try await changeInTurn(author, make) }
        }.value
    }

    private func changeInTurn<Value>(
        _ author: Author,
        _ make: (inout Ledger) async throws -> Value
    ) async throws -> Value {
        for _ in 0..<Self.attempts {
            var ledger = try Ledger(upon: try await keeping.head(), at: now(), by: author)
            let value = try await make(&ledger)
            guard !ledger.change.audit.isEmpty else { return value }
            guard try await keeping.commit(ledger.change) else { continue }
            if ledger.change.records.contains(where: { $0.key.kind == .schedule }) {
                try? await lookAtSchedules()
            }
            for revision in ledger.live where revision.revision.info.key.environment == environment
            {
                serve(revision)
            }
            // What others have changed before it is still to be looked at, unless it is known.
            known.withLock { if $0 == ledger.base { $0 = ledger.head } }
            return value
        }
        throw BehaviorStoreError.busy
    }
}
