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
    /// The most keys that are kept: beyond that the oldest go.
    static let greatestCount = 16_384
    /// The most bytes of an answer that is kept.
    static let greatestAnswer = 64 * 1024

    let storage: Storage
    /// Seconds since 1970.
    let now: @Sendable () -> Int

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
    }

    /// Looks for a key, and reserves it where nobody has.
    func begin(_ key: IdempotencyKey, _ fingerprint: [UInt8]) async throws -> Standing {
        let oldest = now() - Self.age
        let known = try await storage.read(.idempotency) {
            try Self.standing(of: key, fingerprint, since: oldest, in: $0)
        }
        if let known = known.flatMap(\.self) { return known }
        return try await storage.write(.idempotency) { database in
            // Another process may have been faster.
            if let known = try Self.standing(of: key, fingerprint, since: oldest, in: database) {
                return known
            }
            try database.execute(
                sql: """
                    DELETE FROM idempotency WHERE created <= :oldest OR position <=
                        (SELECT max(position) FROM idempotency) - :count
                    """,
                arguments: ["oldest": oldest, "count": Self.greatestCount - 1]
            )
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

    /// Keeps what came of a key.
    func finish(_ key: IdempotencyKey, _ response: Response) async throws {
        var body: Data?
        var isKept = true
        switch response.body {
        case .none: break
        case .bytes(let bytes):
            isKept = bytes.count + response.fields.count <= Self.greatestAnswer
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
            try database.execute(
                sql: "DELETE FROM idempotency WHERE caller = ? AND action = ? AND key = ?",
                arguments: [key.caller, key.action, key.key]
            )
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
            )
        ]
    )
}
