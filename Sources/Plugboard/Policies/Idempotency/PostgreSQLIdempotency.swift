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

    func check() throws { try client.now { [self] in try await schema.check(client) } }

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
            // An expired record is replaced in its row, which the counts include already.
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
            var counts: [Int] = []
            for origin in claim.origins {
                let origin = StoredOrigin(Self.text(of: key.caller), key.action, origin)
                counts.append(try await transaction.count(origin, 1))
            }
            if let room = room.isExceeded(by: counts, claim) { throw Full(room: room) }
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
        try await schema.ifMade {
            try await client.run(
                """
                UPDATE plugboard_key
                SET status = \(answer.status), fields = \(answer.fields), body = \(answer.body),
                    kept = \(answer.isKept)
                WHERE caller = \(Self.text(of: key.caller)) AND action = \(key.action)
                    AND key = \(key.key) AND run = \(run) AND status IS NULL
                """
            )
        }
    }

    func forget(_ key: IdempotencyKey, for run: String) async throws {
        try await schema.ifMade {
            try await client.transaction(.readCommitted) { transaction in
                let gone = try await transaction.run(
                    """
                    DELETE FROM plugboard_key
                    WHERE caller = \(Self.text(of: key.caller)) AND action = \(key.action)
                        AND key = \(key.key) AND run = \(run) AND status IS NULL
                    RETURNING caller, action, origin
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
                RETURNING caller, action, origin
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

    private let schema = PostgreSQLSchema(
        "plugboard_key_schema",
        [
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
                PRIMARY KEY (caller, action, origin)
            )
            """,
        ]
    )
}

/// A counted group of keys; compares byte by byte, as the database does.
private struct StoredOrigin: Hashable, Comparable {
    private let texts: [[UInt8]]

    init(_ caller: String, _ action: String, _ origin: String) {
        texts = [caller, action, origin].map { Array($0.utf8) }
    }

    var caller: String { String(decoding: texts[0], as: UTF8.self) }
    var action: String { String(decoding: texts[1], as: UTF8.self) }
    var origin: String { String(decoding: texts[2], as: UTF8.self) }

    static func < (left: StoredOrigin, right: StoredOrigin) -> Bool {
        left.texts.lexicographicallyPrecedes(right.texts) { $0.lexicographicallyPrecedes($1) }
    }
}

extension PostgreSQLTransaction {
    /// Adds to a count and returns the sum.
    @discardableResult
    fileprivate func count(_ origin: StoredOrigin, _ number: Int) async throws -> Int {
        try await run(
            """
            INSERT INTO plugboard_key_count AS known (caller, action, origin, count)
            VALUES (\(origin.caller), \(origin.action), \(origin.origin), \(number))
            ON CONFLICT (caller, action, origin) DO UPDATE SET count = known.count + \(number)
            RETURNING count
            """
        ).first?.get("count") ?? 0
    }

    /// Subtracts removed records from their counts, in the common lock order.
    fileprivate func discount(_ gone: [SQLRow]) async throws {
        var numbers: [StoredOrigin: Int] = [:]
        for row in gone {
            let origin: String = try row.get("origin")
            let (caller, action): (String, String) = (try row.get("caller"), try row.get("action"))
            for origin in Set(["", origin]) {
                numbers[StoredOrigin(caller, action, origin), default: 0] += 1
            }
        }
        for (origin, number) in numbers.sorted(by: { $0.key < $1.key })
        where try await count(origin, -number) <= 0 {
            try await run(
                """
                DELETE FROM plugboard_key_count
                WHERE caller = \(origin.caller) AND action = \(origin.action)
                    AND origin = \(origin.origin) AND count <= 0
                """
            )
        }
    }
}

extension KeyRecord {
    fileprivate init(row: SQLRow) throws {
        let status: Int? = try row.get("status")
        var answer: StoredResponse?
        if let status {
            answer = StoredResponse(
                status: status,
                fields: try row.get("fields"),
                body: try row.get("body"),
                isKept: try row.get("kept")
            )
        }
        self.init(
            fingerprint: try row.get("fingerprint"),
            run: try row.get("run"),
            isAlive: try row.get("alive"),
            answer: answer
        )
    }
}
