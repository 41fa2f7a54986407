package import AdministrationStore
import Glibc
import System
import GRDB
package import PostgreSQL
package import Storage

/// Behavior documents in the SQLite database of a data folder.
package final class SQLiteBehaviors: DatabaseBehaviors {
    /// The shortest interval between two reads of a database that changes all the time.
    private static let pause = Duration.milliseconds(400)

    let storage: Storage

    /// Makes the store of a data folder.
    package init(_ storage: Storage) { self.storage = storage }

    package var loss: String? { storage.loss }

    package func shares(_ administration: any AdministrationBackend) -> Bool {
        (administration as? SQLiteAdministration)?.storage === storage
    }

    // MARK: Reading

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value? {
        do {
            return try await storage.read(.behaviors, body)
        } catch {
            throw Self.failure(error)
        }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await storage.write(.behaviors, body)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Maps a storage error to a behavior store's error.
    private static func failure(_ error: any Error) -> any Error {
        guard let error = error as? StorageError else { return error }
        return error.isBusy ? BehaviorStoreError.busy : .unavailable("\(error)")
    }

    package func rows<Value: Sendable>(
        _ statement: SQLStatement,
        _ make: @escaping @Sendable (any BehaviorRow) throws -> Value?
    ) async throws -> [Value] {
        try await read { try statement.rows($0, make) } ?? []
    }

    package func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence > ? ORDER BY sequence", after, limit)
    }

    package func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence < ? ORDER BY sequence DESC", before ?? .max, limit)
    }

    package func audit(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [AuditRow] {
        try await audit(
            "sequence < ? AND environment = ? AND name = ? ORDER BY sequence DESC",
            before ?? .max,
            limit,
            of: [key.environment, key.name]
        )
    }

    private func audit(
        _ which: String,
        _ place: Int,
        _ limit: Int,
        of names: [String] = []
    ) async throws -> [AuditRow] {
        try await read { database in
            var page = AuditPage(limit)
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT * FROM plugboard_audit WHERE \(which) LIMIT ?",
                arguments: [place] + StatementArguments(names) + [limit]
            )
            while page.isOpen, let row = try rows.next() { page.take(try AuditRow(row: row)) }
            return page.rows
        } ?? []
    }

    package func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)] {
        do {
            return try storage.readNow(.behaviors) { database in
                try SQLStatement.live(in: environment).rows(database, Self.live)
            } ?? []
        } catch {
            throw Self.failure(error)
        }
    }

    // MARK: Changing

    package func commit(_ change: BehaviorChange) async throws -> Bool {
        if change.entry != nil {
            // Creates the table if it is missing, which this transaction can't.
            _ = try await storage.write(.administration) { _ in true }
        }
        return try await write { database in
            let head = try SQLStatement.head.rows(database) { try AuditHead(row: $0) }.first
            guard change.follows(head ?? .none) else { return false }
            for revision in change.revisions { try SQLStatement.insert(revision).execute(database) }
            for document in change.documents { try SQLStatement.put(document).execute(database) }
            for (key, value) in change.records {
                try SQLStatement.put(key, value).execute(database)
            }
            for row in change.audit { try SQLStatement.insert(row).execute(database) }
            if let entry = change.entry {
                let tables = AdministrationTables.sqlite
                let head = try tables.head.rows(database).first
                for statement in try entry.statements(after: head, at: time(nil), in: tables) {
                    try statement.execute(database)
                }
            }
            return true
        }
    }

    package func watch(_ changed: @escaping @Sendable () async -> Void) async {
        var known = DatabaseStamp(storage.path)
        // Reports changes from before the first stamp.
        await changed()
        for await _ in Watcher.shared.looks(at: [.database(storage.path)]) {
            // The stamp comes first: a write during `changed()` then shows as a different stamp.
            let stamp = DatabaseStamp(storage.path)
            guard stamp != known || known?.isSettled == false else { continue }
            known = stamp
            await changed()
            try? await Task.sleep(for: Self.pause)
        }
    }
}

extension Schema {
    package static let behaviors = Schema(
        "behaviors",
        { try $0.execute(sql: tables) },
        then: [
            // The history of a document reads its rows of the audit.
            { database in
                try database.execute(
                    sql: """
                        CREATE INDEX plugboard_audit_document
                        ON plugboard_audit (environment, name, sequence)
                        """
                )
            }
        ]
    )

    private static let tables = """
        CREATE TABLE plugboard_document (
            environment TEXT NOT NULL, name TEXT NOT NULL,
            latest INTEGER NOT NULL, live INTEGER, since INTEGER,
            PRIMARY KEY (environment, name)
        ) WITHOUT ROWID;
        CREATE TABLE plugboard_revision (
            environment TEXT NOT NULL, name TEXT NOT NULL,
            number INTEGER NOT NULL,
            author TEXT NOT NULL, author_name TEXT NOT NULL,
            message TEXT NOT NULL, digest TEXT NOT NULL,
            size INTEGER NOT NULL, created INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (environment, name, number)
        );
        CREATE TABLE plugboard_record (
            kind TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL,
            item TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (kind, environment, name, item)
        ) WITHOUT ROWID;
        CREATE TABLE plugboard_audit (
            sequence INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL,
            author TEXT NOT NULL, author_name TEXT NOT NULL,
            address TEXT NOT NULL, change TEXT NOT NULL,
            environment TEXT NOT NULL, name TEXT NOT NULL,
            before TEXT, after TEXT,
            previous TEXT NOT NULL, hash TEXT NOT NULL
        );
        """
}
