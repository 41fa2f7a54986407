import GRDB
import Glibc
import HTTPSyntax
import HTTPServer
import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The responses for keys in a data folder's database, for the processes of one machine.
struct SQLiteIdempotency: IdempotencyRecords {
    private let storage: Storage
    private let room: IdempotencyLimits
    private let later: @Sendable () -> Int

    /// The limit on expired records that a new record removes.
    private static let maximumRemoval = 256

    /// Creates the records of a data folder; `later` shifts the machine's clock by seconds.
    init(
        _ storage: Storage,
        room: IdempotencyLimits = IdempotencyLimits(),
        later: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.storage = storage
        self.room = room
        self.later = later
    }

    private var now: Int { time(nil) + later() }

    func begin(
        _ claim: IdempotencyClaim,
        for run: String
    ) async throws -> IdempotencyKeyState {
        let (now, room) = (now, room)
        let known = try await storage.read(.idempotency) { database -> IdempotencyKeyState? in
            if let known = try Self.record(of: claim.key, at: now, in: database) {
                return known.standing(for: claim, run)
            }
            guard let exceeded = try Self.exceeded(room, by: claim, in: database) else {
                return nil
            }
            // An expired record leaves room once it is removed.
            let seconds = try Self.timeToRoom(at: now, in: database)
            return seconds > 0 ? .full(exceeded, seconds: seconds) : nil
        }
        if let known = known.flatMap(\.self) { return known }
        return try await storage.write(.idempotency) { database in
            // Another process may have been faster.
            if let known = try Self.record(of: claim.key, at: now, in: database) {
                return known.standing(for: claim, run)
            }
            try database.execute(
                sql: """
                    DELETE FROM idempotency WHERE position IN (
                        SELECT position FROM idempotency WHERE created <= ?
                        ORDER BY created LIMIT ?)
                    """,
                arguments: [now - Self.age, Self.maximumRemoval]
            )
            try Self.remove(claim.key, in: database)
            if let exceeded = try Self.exceeded(room, by: claim, in: database) {
                let seconds = try Self.timeToRoom(at: now, in: database)
                return .full(exceeded, seconds: max(1, seconds))
            }
            try database.execute(
                sql: """
                    INSERT INTO idempotency
                        (caller, action, key, origin, fingerprint, created, run, lease)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    claim.key.caller, claim.key.action, claim.key.key, claim.origin,
                    Data(claim.fingerprint), now, run, now + Self.lease,
                ]
            )
            return .reserved
        }
    }

    /// Returns the limit that a claim exceeds; nil if it exceeds none.
    private static func exceeded(
        _ room: IdempotencyLimits,
        by claim: IdempotencyClaim,
        in database: Database
    ) throws -> IdempotencyKeyState.Room? {
        let stored = try claim.origins.map { origin in
            var stored = try Self.stored(claim.key, from: origin, in: database)
            stored.count += 1
            return stored
        }
        return room.isExceeded(by: stored, claim)
    }

    /// Returns the stored keys of an origin, of a key's caller and action.
    private static func stored(
        _ key: IdempotencyKey,
        from origin: String,
        in database: Database
    ) throws -> StoredKeys {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count, bytes FROM idempotency_counts
                WHERE caller = ? AND action = ? AND origin = ?
                """,
            arguments: [key.caller, key.action, origin]
        )
        guard let row else { return StoredKeys(count: 0, bytes: 0) }
        guard let count = Int.fromDatabaseValue(row.storedValue("count")),
            let bytes = Int.fromDatabaseValue(row.storedValue("bytes"))
        else { throw corrupt("the count of idempotency keys has an invalid value") }
        return StoredKeys(count: count, bytes: bytes)
    }

    private static func corrupt(_ message: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
    }

    /// Returns the seconds until the oldest record expires.
    private static func timeToRoom(at now: Int, in database: Database) throws -> Int {
        let first = try Int.fetchOne(database, sql: "SELECT min(created) FROM idempotency")
        return min(max(first ?? now, now - age), now) + age - now
    }

    private static func remove(_ key: IdempotencyKey, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM idempotency WHERE caller = ? AND action = ? AND key = ?",
            arguments: [key.caller, key.action, key.key]
        )
    }

    private static func record(
        of key: IdempotencyKey,
        at now: Int,
        in database: Database
    ) throws -> KeyRecord? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT fingerprint, run, lease, status, fields, body, kept FROM idempotency
                WHERE caller = ? AND action = ? AND key = ? AND created > ?
                """,
            arguments: [key.caller, key.action, key.key, now - age]
        )
        guard let row else { return nil }
        guard let known = KeyRecord(row, at: now) else {
            throw corrupt("the record of an idempotency key has an invalid value")
        }
        return known
    }

    func finish(_ key: IdempotencyKey, _ answer: StoredResponse, for run: String) async throws {
        let room = room
        try await storage.write(.idempotency) { database in
            var answer = answer
            if answer.byteCount > 0,
                let stored = try Self.stored(beside: key, for: run, in: database),
                !room.hasRoom(for: answer.byteCount, beside: stored)
            {
                answer.removeContent()
            }
            try database.execute(
                sql: """
                    UPDATE idempotency SET status = ?, fields = ?, body = ?, kept = ?
                    WHERE caller = ? AND action = ? AND key = ? AND run = ? AND status IS NULL
                    """,
                arguments: [
                    answer.status, answer.fields.map { Data($0) }, answer.body.map { Data($0) },
                    answer.isKept, key.caller, key.action, key.key, run,
                ]
            )
        }
    }

    /// Returns the stored keys of a reservation's origins; nil if the run hasn't reserved the key.
    private static func stored(
        beside key: IdempotencyKey,
        for run: String,
        in database: Database
    ) throws -> [StoredKeys]? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT origin FROM idempotency
                WHERE caller = ? AND action = ? AND key = ? AND run = ? AND status IS NULL
                """,
            arguments: [key.caller, key.action, key.key, run]
        )
        guard let row else { return nil }
        guard let origin = String.fromDatabaseValue(row.storedValue("origin")) else {
            throw corrupt("the record of an idempotency key has an invalid origin")
        }
        return try IdempotencyClaim.origins(of: origin).map {
            try stored(key, from: $0, in: database)
        }
    }

    func forget(_ key: IdempotencyKey, for run: String) async throws {
        try await storage.write(.idempotency) { database in
            try database.execute(
                sql: """
                    DELETE FROM idempotency
                    WHERE caller = ? AND action = ? AND key = ? AND run = ? AND status IS NULL
                    """,
                arguments: [key.caller, key.action, key.key, run]
            )
        }
    }

    func renew(_ run: String) async throws {
        let lease = now + Self.lease
        try await storage.write(.idempotency) { database in
            try database.execute(
                sql: "UPDATE idempotency SET lease = ? WHERE run = ? AND status IS NULL",
                arguments: [lease, run]
            )
        }
    }
}
