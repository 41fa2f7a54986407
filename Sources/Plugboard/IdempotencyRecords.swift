import GRDB
import HTTPCodec
import HTTPServer
import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The answers that were given for keys, on the disk, within bounds.
struct IdempotencyRecords: Sendable {
    /// How long an answer is kept, in seconds.
    static let age = 86_400
    /// The most keys of a known caller that are kept for an action: beyond that no more are taken.
    var greatestCount = 1_048_576
    /// The most that are kept for an action of those whom nobody asked who they are, together.
    var greatestCountOfUnknown = 16_384
    /// The most bytes of an answer that is kept.
    static let greatestAnswer = 64 * 1024

    let storage: Storage
    /// Seconds since 1970.
    let now: @Sendable () -> Int

    init(storage: Storage, now: @escaping @Sendable () -> Int) {
        self.storage = storage
        self.now = now
    }

    /// What is known of a key.
    enum Standing: Sendable {
        /// Nothing: it was reserved for who asks.
        case reserved
        /// It came with another request.
        case mismatch
        /// It was reserved, and nobody has said what came of it.
        case unfinished
        /// It was answered for, and the answer wasn't kept.
        case unkept
        case answered(Response)
        /// Nothing, and there is no room for another, for so many seconds at least.
        case full(Int)
    }

    /// The most records whose time is over that go when one comes.
    private static let greatestRemoval = 256

    /// Looks for a key, and reserves it where nobody has, if there is room: no other gives way before
    /// its time is over.
    func begin(_ key: IdempotencyKey, _ fingerprint: [UInt8]) async throws -> Standing {
        let oldest = now() - Self.age
        let limit = key.caller.isEmpty ? greatestCountOfUnknown : greatestCount
        let known = try await storage.read(.idempotency) { database -> Standing? in
            if let known = try Self.standing(of: key, fingerprint, since: oldest, in: database) {
                return known
            }
            let time = try Self.timeToRoom(for: key, limit, since: oldest, in: database)
            return time.flatMap { $0 > 0 ? .full($0) : nil }
        }
        if let known = known.flatMap(\.self) { return known }
        return try await storage.write(.idempotency) { database in
            // Another process may have been faster.
            if let known = try Self.standing(of: key, fingerprint, since: oldest, in: database) {
                return known
            }
            try database.execute(
                sql: """
                    DELETE FROM idempotency WHERE position IN (
                        SELECT position FROM idempotency WHERE created <= ?
                        ORDER BY created LIMIT ?)
                    """,
                arguments: [oldest, Self.greatestRemoval]
            )
            try Self.remove(key, in: database)
            if let time = try Self.timeToRoom(for: key, limit, since: oldest, in: database) {
                return .full(max(1, time))
            }
            try database.execute(
                sql: """
                    INSERT INTO idempotency (caller, action, key, fingerprint, created)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key.caller, key.action, key.key, Data(fingerprint), oldest + Self.age,
                ]
            )
            return .reserved
        }
    }

    /// The seconds to when the oldest record goes, where there is no room for another one; nil where
    /// there is.
    private static func timeToRoom(
        for key: IdempotencyKey,
        _ limit: Int,
        since oldest: Int,
        in database: Database
    ) throws -> Int? {
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count FROM idempotency_counts WHERE caller = ? AND action = ?",
            arguments: [key.caller, key.action]
        )
        guard let count, count >= limit else { return nil }
        let first = try Int.fetchOne(database, sql: "SELECT min(created) FROM idempotency")
        return (first ?? oldest) - oldest
    }

    private static func remove(_ key: IdempotencyKey, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM idempotency WHERE caller = ? AND action = ? AND key = ?",
            arguments: [key.caller, key.action, key.key]
        )
    }

    private static func standing(
        of key: IdempotencyKey,
        _ fingerprint: [UInt8],
        since oldest: Int,
        in database: Database
    ) throws -> Standing? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT fingerprint, status, fields, body, kept FROM idempotency
                WHERE caller = ? AND action = ? AND key = ? AND created > ?
                """,
            arguments: [key.caller, key.action, key.key, oldest]
        )
        guard let row else { return nil }
        guard (row["fingerprint"] as Data) == Data(fingerprint) else { return .mismatch }
        guard let status = row["status"] as Int? else { return .unfinished }
        guard row["kept"] as Bool else { return .unkept }
        let body = (row["body"] as Data?).map { Response.Body.bytes(Array($0)) }
        return .answered(
            Response(
                status: UInt16(clamping: status),
                fields: Array((row["fields"] as Data?) ?? Data()),
                body: body ?? .none
            )
        )
    }

    /// Keeps what came of a key; of a secret, that it came.
    func finish(
        _ key: IdempotencyKey,
        _ response: Response,
        isSecret: Bool = false
    ) async throws {
        var body: Data?
        var isKept = !isSecret
        switch response.body {
        case .none: break
        case .bytes(let bytes):
            isKept = isKept && bytes.count + response.fields.count <= Self.greatestAnswer
            if isKept { body = Data(bytes) }
        case .file, .stream: isKept = false
        }
        let arguments: StatementArguments = [
            "status": Int(response.status), "fields": isKept ? Data(response.fields) : nil,
            "body": body, "kept": isKept, "caller": key.caller, "action": key.action,
            "key": key.key,
        ]
        try await storage.write(.idempotency) { database in
            try database.execute(
                sql: """
                    UPDATE idempotency SET status = :status, fields = :fields, body = :body,
                        kept = :kept
                    WHERE caller = :caller AND action = :action AND key = :key
                    """,
                arguments: arguments
            )
        }
    }

    /// Gives a key free: what it was for was not done.
    func forget(_ key: IdempotencyKey) async throws {
        try await storage.write(.idempotency) { database in
            try Self.remove(key, in: database)
        }
    }
}

extension Schema {
    fileprivate static let idempotency = Schema(
        "idempotency",
        [
            (
                "keys",
                { database in
                    try database.create(table: "idempotency") { table in
                        table.autoIncrementedPrimaryKey("position")
                        table.column("caller", .text).notNull()
                        table.column("action", .text).notNull()
                        table.column("key", .text).notNull()
                        table.column("fingerprint", .blob).notNull()
                        table.column("created", .integer).notNull().indexed()
                        table.column("status", .integer)
                        table.column("fields", .blob)
                        table.column("body", .blob)
                        table.column("kept", .boolean).notNull().defaults(to: true)
                        table.uniqueKey(["caller", "action", "key"])
                    }
                }
            ),
            (
                "secrets",
                { database in
                    // What holds tokens, and is to leave no trace of them.
                    try database.execute(sql: "PRAGMA secure_delete = ON")
                    try database.execute(
                        sql: """
                            UPDATE idempotency SET fields = NULL, body = NULL, kept = FALSE
                                WHERE action = 'CreateToken';
                            DELETE FROM idempotency WHERE action = 'Batch'
                            """
                    )
                }
            ),
            (
                "counts",
                { database in
                    try database.execute(
                        sql: """
                            CREATE TABLE idempotency_counts (
                                caller TEXT NOT NULL, action TEXT NOT NULL, count INTEGER NOT NULL,
                                PRIMARY KEY (caller, action)) WITHOUT ROWID;
                            INSERT INTO idempotency_counts
                                SELECT caller, action, count(*) FROM idempotency
                                GROUP BY caller, action;
                            CREATE TRIGGER idempotency_added AFTER INSERT ON idempotency BEGIN
                                INSERT INTO idempotency_counts VALUES (NEW.caller, NEW.action, 1)
                                ON CONFLICT (caller, action) DO UPDATE SET count = count + 1;
                            END;
                            CREATE TRIGGER idempotency_removed AFTER DELETE ON idempotency BEGIN
                                UPDATE idempotency_counts SET count = count - 1
                                WHERE caller = OLD.caller AND action = OLD.action;
                            END
                            """
                    )
                }
            ),
        ]
    )
}
