import Locking
package import Logging
package import PostgreSQL

/// Behavior documents in a PostgreSQL database, which several servers share.
///
/// A commit locks the audit table while it reads its last row and writes, so that concurrent
/// commits are serialised. Its notification reaches all listening servers when it is done. The
/// first change creates the tables; before it, all reads return nothing.
package final class PostgreSQLBehaviors: BehaviorBackend {
    /// The channel of the notifications; the payload names the server that changed something.
    private static let channel = "plugboard_behaviors"

    private let client: PostgreSQLClient
    private let logger: Logger
    /// Distinguishes this server's notifications from others.
    private let sender = String(UInt64.random(in: .min ... .max), radix: 36)
    private let schema = PostgreSQLBehaviors.schema()
    private let lost = Locked<String?>(nil)

    /// Makes a store without connecting.
    package init(_ client: PostgreSQLClient, logger: Logger) {
        self.client = client
        self.logger = logger
    }

    /// The reason why the database is unavailable, while ``watch(_:)`` runs; nil if it is
    /// available.
    package var loss: String? { lost.withLock { $0 } }

    // MARK: Reading

    package func head() async throws -> AuditHead {
        try await read(Self.head).first.map(AuditHead.init(row:)) ?? .none
    }

    private static let head: SQLStatement =
        "SELECT sequence, hash FROM plugboard_audit ORDER BY sequence DESC LIMIT 1"

    package func documents() async throws -> [DocumentState] {
        try await read("SELECT * FROM plugboard_document ORDER BY environment, name")
            .compactMap(DocumentState.init(row:))
    }

    package func document(_ key: DocumentKey) async throws -> DocumentState? {
        try await read(
            """
            SELECT * FROM plugboard_document
            WHERE environment = \(key.environment) AND name = \(key.name)
            """
        ).first.flatMap(DocumentState.init(row:))
    }

    package func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        try await read(
            """
            SELECT * FROM plugboard_revision
            WHERE environment = \(key.environment) AND name = \(key.name) AND number = \(number)
            """
        ).first.flatMap(StoredRevision.init(row:))
    }

    package func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        try await read(
            """
            SELECT environment, name, number, author, author_name, message, digest, size, created
            FROM plugboard_revision
            WHERE environment = \(key.environment) AND name = \(key.name)
                AND number < \(before ?? Int.max)
            ORDER BY number DESC LIMIT \(limit)
            """
        ).compactMap(RevisionInfo.init(row:))
    }

    package func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        try await read(
            """
            SELECT * FROM plugboard_record
            WHERE kind = \(kind.rawValue)
                AND (\(environment)::text IS NULL OR environment = \(environment))
                AND (\(name)::text IS NULL OR name = \(name))
            ORDER BY environment, name, item
            """
        ).map { try StoredRecord(kind, row: $0) }
    }

    package func recordCount(_ kind: RecordKind) async throws -> Int {
        let rows = try await read(
            "SELECT count(*) AS count FROM plugboard_record WHERE kind = \(kind.rawValue)"
        )
        let count: Int? = try rows.first?.get("count")
        return count ?? 0
    }

    package func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence > \(after)", "sequence", limit)
    }

    package func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence < \(before ?? Int.max)", "sequence DESC", limit)
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
        try client.now { [self] in
            do {
                try await schema.check(client)
            } catch let error as PostgreSQLError {
                throw Self.failure(error)
            }
            return try await read(
                """
                SELECT * FROM plugboard_document AS document
                LEFT JOIN plugboard_revision AS revision
                ON revision.environment = document.environment AND revision.name = document.name
                    AND number = live
                WHERE document.environment = \(environment) AND live IS NOT NULL
                ORDER BY document.name
                """
            ).compactMap { row in
                try DocumentState(row: row).map { ($0, try StoredRevision(row: row)) }
            }
        }
    }

    /// Returns the rows; none before the first change.
    func read(_ statement: SQLStatement) async throws -> [SQLRow] {
        do {
            return try await schema.ifMade { try await client.run(statement) } ?? []
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
    }

    // MARK: Changing

    package func commit(_ change: BehaviorChange) async throws -> Bool {
        guard let first = change.audit.first else { return false }
        do {
            return try await schema.write(client) { try await write(change, first) }
        } catch let error as PostgreSQLError {
            throw Self.failure(error)
        }
    }

    private func write(_ change: BehaviorChange, _ first: AuditRow) async throws -> Bool {
        let sender = sender
        do {
            // The lock comes first, so that each statement sees all earlier commits.
            try await client.transaction(.readCommitted) { transaction in
                try await transaction.run("LOCK TABLE plugboard_audit IN EXCLUSIVE MODE")
                let head =
                    try await transaction.run(Self.head).first.map(AuditHead.init(row:)) ?? .none
                guard first.sequence == head.sequence + 1, first.previous == head.hash else {
                    throw ConcurrentCommit()
                }
                for row in change.audit { try await transaction.insert(row) }
                for revision in change.revisions { try await transaction.insert(revision) }
                for document in change.documents { try await transaction.put(document) }
                for record in change.records {
                    try await transaction.put(record.key, record.value)
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
        case .unavailable, .timedOut, .missingLibrary: BehaviorStoreError.unavailable("\(error)")
        case .conflict: BehaviorStoreError.busy
        case .cancelled: CancellationError()
        case .refused, .misuse, .wrongAddress: error
        }
    }

    // MARK: Watching

    package func watch(_ changed: @escaping @Sendable () async -> Void) async {
        guard let notified = try? client.notifications(on: Self.channel) else { return }
        for await notification in notified {
            switch notification {
            case .listening:
                if lost.withLock({ $0.take() }) != nil {
                    logger.info("behaviors: \(client.address) is connected again")
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
