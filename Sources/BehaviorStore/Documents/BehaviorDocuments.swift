import System
import Glibc
package import Logging

/// The behavior documents of a store with all rules: numbering, permission to go live, the audit.
///
/// The rules are the same for every store (``BehaviorBackend``). When a change returns, its live
/// revisions in the served environment are served.
package final class BehaviorDocuments: Sendable {
    /// The store.
    package let backend: any BehaviorBackend
    /// The served environment, and the default one.
    package let environment: String
    let logger: Logger
    /// The store's clock; nil until the store has been reached.
    let clock: @Sendable () -> Int?
    let head: KnownHead
    let timer: ScheduleTimer
    /// The permissions of authors, checked again when a change takes effect later.
    let standing: AuthorStanding
    let quotas: DocumentQuotas
    /// The parts of live revisions that overviews have.
    let summaries = RevisionMemory<LiveSummary?> { $0?.size ?? 0 }
    /// The file that is served until the store has `default`; nil without one.
    let file: BehaviorFile?
    private let follower: StoreFollower
    private let changes = AsyncQueue<SingleKey>()
    private let budgets = AuthorBudgets()

    /// Makes the documents of a store without reading it.
    ///
    /// The clock is the store's, or `now`. Live revisions go to `live`. A file's revision is the live
    /// one of `default` until the store has that document, and becomes its first revision.
    package init(
        _ backend: any BehaviorBackend,
        serving environment: String = DocumentKey.defaultEnvironment,
        as live: LiveBehaviors = LiveBehaviors(),
        insteadOf file: BehaviorFile? = nil,
        standing: AuthorStanding = .unchecked,
        quotas: DocumentQuotas = DocumentQuotas(),
        logger: Logger = Logger(label: "plugboard"),
        now: (@Sendable () -> Int)? = nil
    ) {
        self.backend = backend
        self.environment = environment
        self.standing = standing
        self.quotas = quotas
        self.file = file
        self.logger = logger
        clock = now ?? { backend.currentTime }
        head = KnownHead(backend)
        timer = ScheduleTimer(backend, head)
        follower = StoreFollower(
            backend,
            serving: environment,
            as: LiveDocuments(live, insteadOf: file),
            head,
            timer,
            logger
        )
    }

    /// The reason why the store is unavailable or was emptied; nil if it is healthy.
    package var loss: String? { follower.waitReason ?? head.loss }

    /// Whether the store was unavailable at the start and its documents aren't loaded yet.
    package var isWaiting: Bool { follower.waitReason != nil }

    /// The number of problems that the last look at the store found: live revisions that can't be
    /// read or served, or a store that can't be read.
    package var problemCount: Int { follower.problemCount }

    // MARK: Serving

    /// Loads all live revisions; blocks the calling thread.
    ///
    /// A document that can't be served is logged at the next check, and nothing is served in its
    /// place. If a remote store is unavailable, that holds for all documents until ``run()`` has
    /// loaded them.
    package func begin() throws { try follower.begin() }

    /// Follows changes of other processes and runs due schedules, until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { [self] in await follower.run() }
            group.addTask { [self] in await runSchedules() }
        }
    }

    /// Makes revisions live that other processes published.
    ///
    /// - Returns: the errors of those that can't be read or served; all others are served.
    @discardableResult
    package func refresh() async throws -> [any Error] { try await follower.refresh() }

    // MARK: Changing

    /// Makes a change: `make` reads what it depends on and adds its rows to the pending.
    ///
    /// `make` runs again if a concurrent change was faster. A change completes even if its caller
    /// is cancelled, so that a stored revision is served.
    ///
    /// Without `isLimited` the change may have any size.
    func change<Value: Sendable>(
        by author: Author,
        isLimited: Bool = true,
        _ make: @escaping @Sendable (inout PendingChange) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard author.canBeKept else {
            throw BehaviorStoreError.forbidden(
                "the author can't be recorded: their name is too long, or has control characters, "
                    + "line separators or bidirectional controls; use a token with another name"
            )
        }
        return try await Task.detached { [self] in
            try await changes.run(in: .only) { try await changeInTurn(author, isLimited, make) }
        }.value
    }

    private func changeInTurn<Value>(
        _ author: Author,
        _ isLimited: Bool,
        _ make: (inout PendingChange) async throws -> Value
    ) async throws -> Value {
        for _ in 0..<StoreLimits.attempts {
            let epoch = follower.epoch
            let last = try await head.readLast()
            var pending = try PendingChange(upon: last, at: clock() ?? time(nil), by: author)
            let value = try await make(&pending)
            guard !pending.change.audit.isEmpty else { return value }
            // A schedule was accepted within the limit.
            let isLimited = isLimited && pending.schedule == nil
            let size = pending.change.size
            if isLimited {
                try budgets.check(size, of: author, limit: quotas.bytes, at: pending.now)
            }
            do {
                guard try await backend.commit(pending.change) else { continue }
                if isLimited { budgets.count(size, of: author, at: pending.now) }
            } catch {
                // The change may be stored even so: only the response was lost.
                follower.markBehind()
                throw error
            }
            if pending.change.records.contains(where: { $0.key.kind == .schedule }) {
                try? await timer.look()
            }
            follower.serve(pending, of: epoch)
            return value
        }
        throw BehaviorStoreError.busy
    }
}
