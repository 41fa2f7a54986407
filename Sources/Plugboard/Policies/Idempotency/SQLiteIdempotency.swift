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
        let counts = try claim.origins.map { origin in
            let count = try Int.fetchOne(
                database,
                sql: """
                    SELECT count FROM idempotency_counts
                    WHERE caller = ? AND action = ? AND origin = ?
                    """,
                arguments: [claim.key.caller, claim.key.action, origin]
            )
            return min(count ?? 0, .max - 1) + 1
        }
        return room.isExceeded(by: counts, claim)
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
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "the record of an idempotency key has an invalid value"
            )
        }
        return known
    }

    func finish(_ key: IdempotencyKey, _ answer: StoredResponse, for run: String) async throws {
        try await storage.write(.idempotency) { database in
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

extension KeyRecord {
    /// Reads a row; nil if a column has an invalid value, as only another program can have written
    /// it.
    fileprivate init?(_ row: Row, at now: Int) {
        func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
            Value.fromDatabaseValue(row.storedValue(column))
        }
        guard let fingerprint: Data = value("fingerprint"), let run: String = value("run"),
            let lease: Int = value("lease"), let isKept: Bool = value("kept")
        else { return nil }
        var answer: StoredResponse?
        if !row.storedValue("status").isNull {
            guard let status: Int = value("status"), (100...599).contains(status) else {
                return nil
            }
            let (fields, body): (Data?, Data?) = (value("fields"), value("body"))
            answer = StoredResponse(
                status: status,
                fields: fields.map(Array.init),
                body: body.map(Array.init),
                isKept: isKept
            )
        }
        self.init(
            fingerprint: Array(fingerprint),
            run: run,
            isAlive: lease > now,
            answer: answer
        )
    }
}

extension Schema {
    /// The keys, and their counts by caller and action: all keys (origin ''), and those of each
    /// origin.
    static let idempotency = Schema(
        "idempotency",
        sql: """
            CREATE TABLE idempotency (
                position INTEGER PRIMARY KEY AUTOINCREMENT,
                caller TEXT NOT NULL, action TEXT NOT NULL, key TEXT NOT NULL,
                origin TEXT NOT NULL, fingerprint BLOB NOT NULL,
                run TEXT NOT NULL, created INTEGER NOT NULL, lease INTEGER NOT NULL,
                status INTEGER, fields BLOB, body BLOB, kept BOOLEAN NOT NULL DEFAULT TRUE,
                UNIQUE (caller, action, key));
            CREATE INDEX idempotency_created ON idempotency (created);
            CREATE INDEX idempotency_running ON idempotency (run) WHERE status IS NULL;
            CREATE TABLE idempotency_counts (
                caller TEXT NOT NULL, action TEXT NOT NULL, origin TEXT NOT NULL,
                count INTEGER NOT NULL,
                PRIMARY KEY (caller, action, origin)) WITHOUT ROWID;
            CREATE TRIGGER idempotency_added AFTER INSERT ON idempotency BEGIN
                INSERT INTO idempotency_counts VALUES (NEW.caller, NEW.action, '', 1)
                ON CONFLICT (caller, action, origin) DO UPDATE SET count = count + 1;
                INSERT INTO idempotency_counts
                SELECT NEW.caller, NEW.action, NEW.origin, 1 WHERE NEW.origin <> ''
                ON CONFLICT (caller, action, origin) DO UPDATE SET count = count + 1;
            END;
            CREATE TRIGGER idempotency_removed AFTER DELETE ON idempotency BEGIN
                UPDATE idempotency_counts SET count = count - 1
                WHERE caller = OLD.caller AND action = OLD.action
                    AND origin IN ('', OLD.origin);
                DELETE FROM idempotency_counts
                WHERE caller = OLD.caller AND action = OLD.action
                    AND origin IN ('', OLD.origin) AND count <= 0;
            END
            """
    )
}
