import GRDB
import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension KeyRecord {
    /// Reads a row; nil if a column has an invalid value, as only another program can have written
    /// it.
    init?(_ row: Row, at now: Int) {
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
    /// The keys, with their counts and their responses' bytes by caller and action: of all keys
    /// (origin ''), and of each origin.
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
                count INTEGER NOT NULL, bytes INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY (caller, action, origin)) WITHOUT ROWID;
            CREATE TRIGGER idempotency_added AFTER INSERT ON idempotency BEGIN
                INSERT INTO idempotency_counts VALUES (NEW.caller, NEW.action, '', 1, 0)
                ON CONFLICT (caller, action, origin) DO UPDATE SET count = count + 1;
                INSERT INTO idempotency_counts
                SELECT NEW.caller, NEW.action, NEW.origin, 1, 0 WHERE NEW.origin <> ''
                ON CONFLICT (caller, action, origin) DO UPDATE SET count = count + 1;
            END;
            CREATE TRIGGER idempotency_finished AFTER UPDATE OF fields, body ON idempotency BEGIN
                UPDATE idempotency_counts SET bytes = bytes
                    + coalesce(length(NEW.fields), 0) + coalesce(length(NEW.body), 0)
                    - coalesce(length(OLD.fields), 0) - coalesce(length(OLD.body), 0)
                WHERE caller = NEW.caller AND action = NEW.action
                    AND origin IN ('', NEW.origin);
            END;
            CREATE TRIGGER idempotency_removed AFTER DELETE ON idempotency BEGIN
                UPDATE idempotency_counts SET count = count - 1, bytes = bytes
                    - coalesce(length(OLD.fields), 0) - coalesce(length(OLD.body), 0)
                WHERE caller = OLD.caller AND action = OLD.action
                    AND origin IN ('', OLD.origin);
                DELETE FROM idempotency_counts
                WHERE caller = OLD.caller AND action = OLD.action
                    AND origin IN ('', OLD.origin) AND count <= 0;
            END
            """
    )
}
