import System
import GRDB
package import Storage

/// Behavior documents in the SQLite database of a data folder.
package final class SQLiteBehaviors: BehaviorBackend {
    /// The shortest interval between two reads of a database that changes all the time.
    private static let pause = Duration.milliseconds(400)

    let storage: Storage

    /// Makes the store of a data folder.
    package init(_ storage: Storage) { self.storage = storage }

    package var loss: String? { storage.loss }

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

    package func head() async throws -> AuditHead {
        try await read(Self.head) ?? .none
    }

    private static func head(_ database: Database) throws -> AuditHead {
        let sql = "SELECT sequence, hash FROM behaviorAudit ORDER BY sequence DESC LIMIT 1"
        return try Row.fetchOne(database, sql: sql).map(AuditHead.init(row:)) ?? .none
    }

    package func documents() async throws -> [DocumentState] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM behaviorDocument ORDER BY environment, name"
            ).compactMap(DocumentState.init(row:))
        } ?? []
    }

    package func document(_ key: DocumentKey) async throws -> DocumentState? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM behaviorDocument WHERE environment = ? AND name = ?",
                arguments: [key.environment, key.name]
            ).flatMap(DocumentState.init(row:))
        } ?? nil
    }

    package func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT * FROM behaviorRevision
                    WHERE environment = ? AND name = ? AND number = ?
                    """,
                arguments: [key.environment, key.name, number]
            ).flatMap(StoredRevision.init(row:))
        } ?? nil
    }

    package func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT environment, name, number, author, author_name, message, digest, size, created
                    FROM behaviorRevision WHERE environment = ? AND name = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """,
                arguments: [key.environment, key.name, before ?? .max, limit]
            ).compactMap(RevisionInfo.init(row:))
        } ?? []
    }

    package func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM behaviorRecord
                    WHERE kind = ? AND environment = ifnull(?, environment) AND name = ifnull(?, name)
                    ORDER BY environment, name, item
                    """,
                arguments: [kind.rawValue, environment, name]
            ).map { try StoredRecord(kind, row: $0) }
        } ?? []
    }

    package func recordCount(_ kind: RecordKind) async throws -> Int {
        try await read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM behaviorRecord WHERE kind = ?",
                arguments: [kind.rawValue]
            ) ?? 0
        } ?? 0
    }

    package func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence > ? ORDER BY sequence", after, limit)
    }

    package func audit(before: Int?, limit: Int) async throws -> [AuditRow] {
        try await audit("sequence < ? ORDER BY sequence DESC", before ?? .max, limit)
    }

    private func audit(_ which: String, _ place: Int, _ limit: Int) async throws -> [AuditRow] {
        try await read { database in
            var page = AuditPage(limit)
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT * FROM behaviorAudit WHERE \(which) LIMIT ?",
                arguments: [place, limit]
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
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM behaviorDocument AS document
                        LEFT JOIN behaviorRevision AS revision
                        ON revision.environment = document.environment
                            AND revision.name = document.name AND number = live
                        WHERE document.environment = ? AND live IS NOT NULL
                        """,
                    arguments: [environment]
                ).compactMap { row in
                    try DocumentState(row: row).map { ($0, try StoredRevision(row: row)) }
                }
            } ?? []
        } catch {
            throw Self.failure(error)
        }
    }

    // MARK: Changing

    package func commit(_ change: BehaviorChange) async throws -> Bool {
        try await write { database in
            guard let first = change.audit.first,
                try Self.head(database)
                    == AuditHead(sequence: first.sequence - 1, hash: first.previous)
            else { return false }
            for revision in change.revisions { try revision.insert(database) }
            for document in change.documents { try document.keep(database) }
            for (key, value) in change.records { try key.keep(value, database) }
            for row in change.audit { try row.insert(database) }
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
        sql: """
            CREATE TABLE behaviorDocument (
                environment TEXT NOT NULL, name TEXT NOT NULL,
                latest INTEGER NOT NULL, live INTEGER, since INTEGER,
                PRIMARY KEY (environment, name)
            ) WITHOUT ROWID;
            CREATE TABLE behaviorRevision (
                environment TEXT NOT NULL, name TEXT NOT NULL,
                number INTEGER NOT NULL,
                author TEXT NOT NULL, author_name TEXT NOT NULL,
                message TEXT NOT NULL, digest TEXT NOT NULL,
                size INTEGER NOT NULL, created INTEGER NOT NULL,
                bytes BLOB NOT NULL,
                PRIMARY KEY (environment, name, number)
            );
            CREATE TABLE behaviorRecord (
                kind TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL,
                item TEXT NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (kind, environment, name, item)
            ) WITHOUT ROWID;
            CREATE TABLE behaviorAudit (
                sequence INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL,
                author TEXT NOT NULL, author_name TEXT NOT NULL,
                address TEXT NOT NULL, change TEXT NOT NULL,
                environment TEXT NOT NULL, name TEXT NOT NULL,
                before TEXT, after TEXT,
                previous TEXT NOT NULL, hash TEXT NOT NULL
            );
            """
    )
}
