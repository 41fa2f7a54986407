import Digests
import HTTPSyntax
import Identity
import Locking
import PostgreSQL

/// The responses for keys in a PostgreSQL database, which several servers can share.
///
/// Times are the database's, because servers' clocks may differ. To avoid deadlocks, a transaction
/// locks its keys first and skips locked ones. Then it locks the counts, always in the same order.
final class PostgreSQLIdempotency: IdempotencyRecords {
    private let client: PostgreSQLClient
    private let room: IdempotencyLimits
    private let later: @Sendable () -> Int
    private let begun = Locked(0)

    /// The number of reservations between removals of expired records.
    private static let removalInterval = 64
    /// The limit on expired records per removal.
    private static let maximumRemoval = 1024

    /// Creates the records without connecting; `later` shifts the database's clock by seconds.
    init(
        _ client: PostgreSQLClient,
        room: IdempotencyLimits = IdempotencyLimits(),
        later: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.client = client
        self.room = room
        self.later = later
    }

    private var now: SQLStatement {
        "(extract(epoch FROM clock_timestamp())::bigint + \(later()))"
    }

    func begin(
        _ claim: IdempotencyClaim,
        for run: String
    ) async throws -> IdempotencyKeyState {
        if let known = try await schema.ifMade({ try await self.record(of: claim.key) }) {
            return known.standing(for: claim, run)
        }
        return try await schema.write(client) { [self] in
            while true {
                let standing: IdempotencyKeyState?
                do {
                    standing = try await reserve(claim, for: run)
                } catch let full as Full {
                    // Expired records count against the limit until they are removed.
                    if try await removeOld() { continue }
                    return .full(full.room, seconds: try await timeToRoom())
                }
                guard let standing else { continue }
                if case .reserved = standing { removeOldNowAndThen() }
                return standing
            }
        }
    }

    private struct Full: Error { let room: IdempotencyKeyState.Room }

    /// Reserves a key if possible; returns nil if the conflicting record has just been removed.
    private func reserve(
        _ claim: IdempotencyClaim,
        for run: String
    ) async throws -> IdempotencyKeyState? {
        let (key, now) = (claim.key, now)
        return try await client.transaction(.readCommitted) { [self] transaction in
            // An expired record is replaced in its row, which the counts include already. They
            // include its response's bytes until the new response is stored.
            let rows = try await transaction.run(
                """
                INSERT INTO plugboard_key
                    (caller, action, key, origin, fingerprint, run, created, lease)
                VALUES (
                    \(Self.text(of: key.caller)), \(key.action), \(key.key), \(claim.origin),
                    \(claim.fingerprint), \(run), \(now), \(now) + \(Self.lease)
                )
                ON CONFLICT (caller, action, key) DO UPDATE
                SET fingerprint = excluded.fingerprint, run = excluded.run,
                    created = excluded.created, lease = excluded.lease,
                    status = NULL, fields = NULL, body = NULL, kept = true
                WHERE plugboard_key.created <= \(now) - \(Self.age)
                RETURNING (xmax = 0) AS added
                """
            )
            guard let row = rows.first else {
                // Another server was faster.
                return try await record(of: key, in: transaction)?.standing(for: claim, run)
            }
            guard try row.get("added") else { return .reserved }
            let origins = Self.origins(claim.origin, of: key)
            let stored = try await transaction.add(KeyChange(count: 1), to: origins)
            if let room = room.isExceeded(by: stored, claim) { throw Full(room: room) }
            return .reserved
        }
    }

    private func record(
        of key: IdempotencyKey,
        in transaction: PostgreSQLTransaction? = nil
    ) async throws -> KeyRecord? {
        let statement: SQLStatement = """
            SELECT fingerprint, run, lease > \(now) AS alive, status, fields, body, kept
            FROM plugboard_key
            WHERE caller = \(Self.text(of: key.caller)) AND action = \(key.action)
                AND key = \(key.key) AND created > \(now) - \(Self.age)
            """
        let rows =
            if let transaction { try await transaction.run(statement) } else {
                try await client.run(statement)
            }
        return try rows.first.map(KeyRecord.init(row:))
    }

    // MARK: Outcomes

    // Without tables there are no keys. Either the reservation failed before it created them, or
    // the database was replaced.

    func finish(_ key: IdempotencyKey, _ answer: StoredResponse, for run: String) async throws {
        try await schema.ifMade { [self] in
            try await client.transaction(.readCommitted) { [self] transaction in
                let rows = try await transaction.run(
                    """
                    SELECT origin, bytes FROM plugboard_key
                    WHERE caller = \(Self.text(of: key.caller)) AND action = \(key.action)
                        AND key = \(key.key) AND run = \(run) AND status IS NULL
                    FOR UPDATE
                    """
                )
                guard let row = rows.first else { return }
                let origins = Self.origins(try row.get("origin"), of: key)
                let answer = try await count(
                    answer,
                    insteadOf: try row.get("bytes"),
                    of: origins,
                    in: transaction
                )
                try await transaction.run(
                    """
                    UPDATE plugboard_key
                    SET status = \(answer.status), fields = \(answer.fields),
                        body = \(answer.body), kept = \(answer.isKept),
                        bytes = \(answer.byteCount)
                    WHERE caller = \(Self.text(of: key.caller)) AND action = \(key.action)
                        AND key = \(key.key)
                    """
                )
            }
        }
    }

    /// Counts a response's bytes; returns the response, without its content if there is no room.
    private func count(
        _ answer: StoredResponse,
        insteadOf counted: Int,
        of origins: [StoredOrigin],
        in transaction: PostgreSQLTransaction
    ) async throws -> StoredResponse {
        let size = answer.byteCount
        guard size != counted else { return answer }
        let stored = try await transaction.add(KeyChange(bytes: size - counted), to: origins)
        let others = stored.map { StoredKeys(count: $0.count, bytes: $0.bytes - size) }
        guard size > 0, !room.hasRoom(for: size, beside: others) else { return answer }
        try await transaction.add(KeyChange(bytes: -size), to: origins)
        var answer = answer
        answer.removeContent()
        return answer
    }

    func forget(_ key: IdempotencyKey, for run: String) async throws {
        try await schema.ifMade {
            try await client.transaction(.readCommitted) { transaction in
                let gone = try await transaction.run(
                    """
                    DELETE FROM plugboard_key
                    WHERE caller = \(Self.text(of: key.caller)) AND action = \(key.action)
                        AND key = \(key.key) AND run = \(run) AND status IS NULL
                    RETURNING caller, action, origin, bytes
                    """
                )
                try await transaction.discount(gone)
            }
        }
    }

    func renew(_ run: String) async throws {
        try await schema.ifMade {
            try await client.run(
                """
                UPDATE plugboard_key SET lease = \(now) + \(Self.lease)
                WHERE run = \(run) AND status IS NULL
                """
            )
        }
    }

    // MARK: Limits

    private func removeOldNowAndThen() {
        let isTime = begun.withLock { begun in
            begun += 1
            return begun % Self.removalInterval == 1
        }
        // The next removal repeats a failed one.
        if isTime { Task { try? await removeOld() } }
    }

    /// Removes expired records; returns false if there are none.
    @discardableResult
    private func removeOld() async throws -> Bool {
        let now = now
        return try await client.transaction(.readCommitted) { transaction in
            let gone = try await transaction.run(
                """
                DELETE FROM plugboard_key WHERE (caller, action, key) IN (
                    SELECT caller, action, key FROM plugboard_key
                    WHERE created <= \(now) - \(Self.age)
                    ORDER BY created LIMIT \(Self.maximumRemoval) FOR UPDATE SKIP LOCKED)
                RETURNING caller, action, origin, bytes
                """
            )
            try await transaction.discount(gone)
            return !gone.isEmpty
        }
    }

    private func timeToRoom() async throws -> Int {
        let rows = try await client.run(
            "SELECT coalesce(min(created) + \(Self.age) - \(now), 1) AS left FROM plugboard_key"
        )
        return max(1, try rows.first?.get("left") ?? 1)
    }

    // MARK: Tables

    /// Returns the counted origins of a key, in the order of their locks.
    private static func origins(_ origin: String, of key: IdempotencyKey) -> [StoredOrigin] {
        IdempotencyClaim.origins(of: origin).map {
            StoredOrigin(text(of: key.caller), key.action, $0)
        }
    }

    /// Returns a caller's stored identity, a digest if the database can't store it.
    ///
    /// An issuer's identity may contain a NUL, which PostgreSQL's text can't, or exceed an index
    /// entry.
    private static func text(of caller: String) -> String {
        guard caller.utf8.count > 512 || caller.utf8.contains(0) else { return caller }
        // No other identity begins with this control character.
        let digest = Array(caller.utf8).withUnsafeBufferPointer(Digest.sha256)
        return "\u{1}" + Base64URL.encode(digest)
    }

    private let schema = PostgreSQLIdempotency.schema()

    /// The tables.
    static func schema() -> PostgreSQLSchema {
        PostgreSQLSchema("plugboard_key_schema", tables)
    }

    private static let tables: [SQLStatement] = [
        """
        CREATE TABLE plugboard_key (
            caller text COLLATE "C" NOT NULL,
            action text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            origin text COLLATE "C" NOT NULL,
            fingerprint bytea NOT NULL,
            run text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            lease bigint NOT NULL,
            status bigint,
            fields bytea,
            body bytea,
            kept boolean NOT NULL DEFAULT true,
            bytes bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (caller, action, key)
        )
        """,
        "CREATE INDEX plugboard_key_created ON plugboard_key (created)",
        "CREATE INDEX plugboard_key_running ON plugboard_key (run) WHERE status IS NULL",
        """
        CREATE TABLE plugboard_key_count (
            caller text COLLATE "C" NOT NULL,
            action text COLLATE "C" NOT NULL,
            origin text COLLATE "C" NOT NULL,
            count bigint NOT NULL,
            bytes bigint NOT NULL,
            PRIMARY KEY (caller, action, origin)
        )
        """,
    ]
}
