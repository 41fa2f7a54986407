import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads columns of any type without a trap: an edited file need not follow the schema, and no edit
/// may crash the process that checks it.
extension Row: BehaviorRow {
    func integer(_ column: String) -> Int? {
        Int.fromDatabaseValue(self[column] as DatabaseValue)
    }

    func text(_ column: String) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: String) -> String? {
        String.fromDatabaseValue(self[column] as DatabaseValue)
    }

    func bytes(_ column: String) -> [UInt8] {
        [UInt8](Data.fromDatabaseValue(self[column] as DatabaseValue) ?? Data())
    }
}

extension DocumentState {
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

extension StoredRevision {
    func insert(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO behaviorRevision (environment, name, number, author, author_name, message,
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

extension AuditRow {
    func insert(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO behaviorAudit (sequence, at, author, author_name, address, change,
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
