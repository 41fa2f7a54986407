package import AdministrationStore
import Glibc
import Locking
package import Logging
package import PostgreSQL

/// Behavior documents in a PostgreSQL database, which several servers share.
///
/// A commit locks the audit table while it reads its last row and writes, so that concurrent
/// commits are serialized. Its notification reaches all listening servers when it is done. The
/// first change creates the tables; before it, all reads return nothing.
package final class PostgreSQLBehaviors: DatabaseBehaviors {
    /// The channel of the notifications; the payload names the server that changed something.
    private static let channel = "plugboard_behaviors"

    private let client: PostgreSQLClient
    private let logger: Logger
    /// Distinguishes this server's notifications from others.
    private let sender = String(UInt64.random(in: .min ... .max), radix: 36)
    private let schema = PostgreSQLBehaviors.schema()
    private let checkedSchemas: [PostgreSQLSchema]
    /// The administration's audit in the same database; nil for a store without one.
    private let administration: PostgreSQLAdministration?
    private let lost = Locked<String?>(nil)
    /// The reason why tables can't be written: they are missing or old, or a permission is.
    private let unprepared = Locked<String?>(nil)

    package let isRemote = true

    /// Makes a store without connecting.
    ///
    /// ``check()`` checks the given schemas of the database, by default the store's own.
    package init(
        _ client: PostgreSQLClient,
        checking schemas: [PostgreSQLSchema]? = nil,
        administration: PostgreSQLAdministration? = nil,
        logger: Logger
    ) {
        self.client = client
        checkedSchemas = schemas ?? [schema]
        self.administration = administration
        self.logger = logger
    }

    /// The reason why the database is unavailable or can't be written, while ``watch(_:)`` runs; nil
    /// if it is available.
    package var loss: String? { lost.withLock { $0 } ?? unprepared.withLock { $0 } }

    package var currentTime: Int? { client.clock.now.map { Int($0) } }

    // MARK: Reading

    package func rows<Value: Sendable>(
        _ statement: SQLStatement,
        _ make: @escaping @Sendable (any BehaviorRow) throws -> Value?
    ) async throws -> [Value] {
        try await read(statement).compactMap(make)
    }

    package func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence > \(after)", "sequence", limit)
    }

    package func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence < \(before ?? Int.max)", "sequence DESC", limit)
    }

    package func audit(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [AuditRow] {
        try await audit(
            """
            sequence < \(before ?? Int.max) AND environment = \(key.environment)
                AND name = \(key.name)
            """,
            "sequence DESC",
            limit
        )
    }

    /// Returns a page; the database cuts it by size, so that rows beyond it aren't sent.
    private func audit(
        _ which: SQLStatement,
        _ order: SQLStatement,
        _ limit: Int
    ) async throws -> [AuditRow] {
        let rows = try await read(
            """
            SELECT * FROM (
                SELECT *, sum(
                    coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)
                ) OVER (
                    ORDER BY \(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS above FROM (
                    SELECT * FROM plugboard_audit WHERE \(which) ORDER BY \(order) LIMIT \(limit)
                ) AS page
            ) AS sized
            WHERE above IS NULL OR above < \(AuditPage.maximumSize) ORDER BY \(order)
            """
        )
        return AuditPage(try rows.map(AuditRow.init(row:)), limit).rows
    }

    package func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)] {
        do {
            return try client.now { [self] in
                try await check()
                return try await rows(.live(in: environment), Self.live)
            }
        } catch BehaviorStoreError.unavailable(let reason) {
            // The caller logs it, so ``watch(_:)`` doesn't.
            lost.withLock { $0 = reason }
            throw BehaviorStoreError.unavailable(reason)
        }
    }

    package func check() async throws {
        do {
            var problem: String?
            try await PostgreSQLSchema.checkVersions(of: checkedSchemas, client)
            for schema in checkedSchemas {
                do {
                    try await schema.check(client)
                } catch let error as PostgreSQLError where error.isUnprepared {
                    problem = problem ?? error.message
                }
            }
            note(problem)
        } catch let error as PostgreSQLError where error.kind != .denied {
            throw Self.failure(error)
        }
    }

    /// Logs a problem of the tables that is new, and its end.
    private func note(_ problem: String?) {
        let before = unprepared.withLock { unprepared in
            defer { unprepared = problem }
            return unprepared
        }
        guard problem != before else { return }
        if let problem {
            logger.error("behaviors: changes are 503: \(problem)")
        } else {
            logger.notice("behaviors: the tables of \(client.address) can be written")
        }
    }

    /// Returns the rows; none before the first change.
    func read(_ statement: SQLStatement) async throws -> [SQLRow] {
        do {
            return try await schema.ifMade { try await client.read(statement) } ?? []
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
    }

    // MARK: Changing

    package func shares(_ administration: any AdministrationBackend) -> Bool {
        self.administration === administration
    }

    package func commit(_ change: BehaviorChange) async throws -> Bool {
        do {
            if change.entry != nil { try await administration?.prepare() }
            return try await schema.write(client) { try await write(change) }
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
    }

    private func write(_ change: BehaviorChange) async throws -> Bool {
        let (sender, administration) = (sender, administration)
        do {
            // The lock comes first, so that each statement sees all earlier commits.
            try await client.transaction(.readCommitted) { transaction in
                try await transaction.run("LOCK TABLE plugboard_audit IN EXCLUSIVE MODE")
                let head = try await transaction.run(.head).first.map(AuditHead.init(row:))
                guard change.follows(head ?? .none) else { throw ConcurrentCommit() }
                for row in change.audit { try await transaction.run(.insert(row)) }
                for revision in change.revisions { try await transaction.run(.insert(revision)) }
                for document in change.documents { try await transaction.run(.put(document)) }
                for (key, value) in change.records { try await transaction.run(.put(key, value)) }
                if let entry = change.entry {
                    try await administration?.add(entry, at: time(nil), in: transaction)
                }
                try await transaction.run("SELECT pg_notify(\(Self.channel), \(sender))")
            }
            return true
        } catch is ConcurrentCommit {
            return false
        }
    }

    /// Another commit has added audit rows.
    private struct ConcurrentCommit: Error {}

    private static func failure(_ error: PostgreSQLError) -> any Error {
        switch error.kind {
        case .unavailable, .denied, .timedOut: BehaviorStoreError.unavailable("\(error)")
        case .conflict: BehaviorStoreError.busy
        case .cancelled: CancellationError()
        case .refused, .misuse, .wrongAddress, .missingLibrary: error
        }
    }

    // MARK: Watching

    package func watch(_ changed: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { [self] in await watchNotifications(changed) }
            group.addTask { [self] in await watchClock() }
            group.addTask { [self] in await watchTables(changed) }
        }
    }

    /// Waits for the command `migrate` or for grants while the tables can't be written.
    private func watchTables(_ changed: @escaping @Sendable () async -> Void) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard unprepared.withLock({ $0 }) != nil else { continue }
            try? await check()
            if unprepared.withLock({ $0 }) == nil { await changed() }
        }
    }

    /// Logs a difference of the clocks, and its end.
    private func watchClock() async {
        var difference = ClockDifference()
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let skew = client.clock.skew else { continue }
            switch difference.update(skew) {
            case .began:
                logger.warning(
                    """
                    the clock of this machine is \(ClockDifference.text(skew)) that of \
                    \(client.address), which decides when schedules are due: set both by NTP
                    """
                )
            case .ended:
                logger.notice("the clock of this machine is that of \(client.address) again")
            case nil: break
            }
        }
    }

    private func watchNotifications(_ changed: @escaping @Sendable () async -> Void) async {
        guard let notified = try? client.notifications(on: Self.channel) else { return }
        for await notification in notified {
            switch notification {
            case .listening:
                if lost.withLock({ $0.take() }) != nil {
                    logger.info("behaviors: \(client.address) is connected again")
                    // Another database may have replaced it.
                    try? await check()
                }
                await changed()
            case .notified(let sender):
                if sender != self.sender { await changed() }
            case .lost(let reason):
                let isNews = lost.withLock { lost in
                    defer { lost = reason }
                    return lost == nil
                }
                guard isNews else { continue }
                logger.error(
                    """
                    behaviors: the live revisions are unchanged: \(client.address) is lost: \
                    \(reason)
                    """
                )
            }
        }
    }
}
