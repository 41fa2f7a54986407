import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// How rows become values, and values rows.

/// A row whose columns may hold anything: whoever edits the file isn't bound to the schema's types, and
/// no edit may end the process that is to find it.
extension Row {
    func integer(_ column: String) -> Int? {
        Int.fromDatabaseValue(self[column] as DatabaseValue)
    }

    func text(_ column: String) -> String {
        String.fromDatabaseValue(self[column] as DatabaseValue) ?? ""
    }

    fileprivate func optionalText(_ column: String) -> String? {
        String.fromDatabaseValue(self[column] as DatabaseValue)
    }

    fileprivate func data(_ column: String) -> Data {
        Data.fromDatabaseValue(self[column] as DatabaseValue) ?? Data()
    }

    var documentKey: DocumentKey? {
        DocumentKey(text("name"), in: text("environment"))
    }
}

extension DocumentState {
    init?(_ row: Row) {
        guard let key = row.documentKey, let latest = row.integer("latest") else { return nil }
        self.init(
            key: key,
            latest: latest,
            live: row.integer("live"),
            since: row.integer("since")
        )
    }

    func keep(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO behaviorDocument (environment, name, latest, live, since)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [key.environment, key.name, latest, live, since]
        )
    }
}

extension RevisionInfo {
    init?(_ row: Row) {
        guard let key = row.documentKey, let number = row.integer("number") else { return nil }
        self.init(
            key: key,
            number: number,
            author: row.text("author"),
            authorName: row.text("authorName"),
            message: row.text("message"),
            digest: row.text("digest"),
            size: row.integer("size") ?? 0,
            created: row.integer("created") ?? 0
        )
    }
}

extension StoredRevision {
    init?(_ row: Row) {
        guard let info = RevisionInfo(row) else { return nil }
        self.init(info: info, bytes: [UInt8](row.data("bytes")))
    }

    func insert(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO behaviorRevision (environment, name, number, author, authorName, message,
                    digest, size, created, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                info.key.environment, info.key.name, info.number, info.author, info.authorName,
                info.message, info.digest, info.size, info.created, Data(bytes),
            ]
        )
    }
}

extension RecordKey {
    func keep(_ value: String?, _ database: Database) throws {
        guard let value else {
            return try database.execute(
                sql: """
                    DELETE FROM behaviorRecord
                    WHERE kind = ? AND environment = ? AND name = ? AND item = ?
                    """,
                arguments: [kind.rawValue, environment, name, item]
            )
        }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO behaviorRecord (kind, environment, name, item, value)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [kind.rawValue, environment, name, item, value]
        )
    }
}

extension AuditHead {
    init(_ row: Row) {
        self.init(sequence: row.integer("sequence") ?? 0, hash: row.text("hash"))
    }
}

extension StoredRecord {
    init(_ kind: RecordKind, _ row: Row) {
        let key = RecordKey(kind, row.text("environment"), row.text("name"), row.text("item"))
        self.init(key, row.text("value"))
    }
}

extension AuditRow {
    init(_ row: Row) {
        self.init(
            sequence: row.integer("sequence") ?? 0,
            at: row.integer("at") ?? 0,
            author: Author(
                id: row.text("author"),
                name: row.text("authorName"),
                address: row.text("address")
            ),
            change: row.text("change"),
            environment: row.text("environment"),
            name: row.text("name"),
            before: row.optionalText("before"),
            after: row.optionalText("after"),
            previous: row.text("previous"),
            hash: row.text("hash")
        )
    }

    func insert(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO behaviorAudit (sequence, at, author, authorName, address, change,
                    environment, name, before, after, previous, hash)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                sequence, at, author.id, author.name, author.address, change, environment, name,
                before, after, previous, hash,
            ]
        )
    }
}
