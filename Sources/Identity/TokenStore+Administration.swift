import GRDB
package import PlugHTTP
package import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TokenStore {
    /// Creates a token and returns its text, which can't be retrieved later.
    ///
    /// It rejects scopes that `declared` doesn't have; nil accepts all.
    ///
    /// - Throws: ``TokenError`` if a value is invalid.
    package func create(
        name: String,
        scopes: Scopes,
        declared: Scopes? = nil,
        lifetime: TokenLifetime = .standard,
        by author: AdministrationAuthor = .server
    ) async throws -> (text: String, record: TokenRecord) {
        try TokenError.check(name: name, scopes: scopes, declared: declared, lifetime: lifetime)
        let created = now()
        let made = try await storage.write(.tokens) { database in
            let sql = "SELECT count(*) FROM token WHERE revoked IS NULL"
            let count = try Int.fetchOne(database, sql: sql) ?? 0
            guard count < Self.maximumCount else { throw TokenError.tooMany }
            let text = TokenText.generate()
            guard let token = Array(text.utf8).withUnsafeBufferPointer(TokenText.init) else {
                throw TokenError.tooMany
            }
            let record = TokenRecord(
                number: token.number,
                name: name,
                scopes: scopes,
                created: created,
                expires: lifetime.end(from: created),
                used: nil,
                revoked: nil,
                digest: token.digest
            )
            try database.execute(
                sql: """
                    INSERT INTO token (number, digest, name, scopes, created, expires)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Int64(record.number), Data(record.digest), name, scopes.text, created,
                    record.expires,
                ]
            )
            try AdministrationLog.add(
                .createToken,
                of: record.id,
                to: record.audited,
                by: author,
                at: created,
                in: database
            )
            return (text, record)
        }
        try reload()
        return made
    }

    /// Gives a token a new secret: the number, name and scopes stay, the old secret ends.
    ///
    /// Without a lifetime the new secret is valid for as long as the old one was.
    ///
    /// - Returns: the text, which can't be retrieved later; nil if there is no such token.
    /// - Throws: ``TokenError`` if the lifetime is invalid.
    package func rotate(
        _ id: String,
        lifetime: TokenLifetime? = nil,
        by author: AdministrationAuthor = .server
    ) async throws -> (text: String, record: TokenRecord)? {
        if let lifetime { try TokenError.check(lifetime) }
        guard let number = TokenText.number(id: id), try storage.isThere() else { return nil }
        let created = now()
        typealias Rotated = (text: String, record: TokenRecord)
        let made = try await storage.write(.tokens) { database -> Rotated? in
            let sql = "SELECT * FROM token WHERE number = ? AND revoked IS NULL"
            let row = try Row.fetchOne(database, sql: sql, arguments: [Int64(number)])
            guard let old = row.flatMap(TokenRecord.init) else {
                return nil
            }
            let text = TokenText.generate(number)
            guard let token = Array(text.utf8).withUnsafeBufferPointer(TokenText.init) else {
                return nil
            }
            let record = TokenRecord(
                number: number,
                name: old.name,
                scopes: old.scopes,
                created: created,
                expires: (lifetime ?? old.lifetime).end(from: created),
                used: old.used,
                revoked: nil,
                digest: token.digest
            )
            try database.execute(
                sql: "UPDATE token SET digest = ?, created = ?, expires = ? WHERE number = ?",
                arguments: [Data(record.digest), created, record.expires, Int64(number)]
            )
            try AdministrationLog.add(
                .rotateToken,
                of: record.id,
                from: old.audited,
                to: record.audited,
                by: author,
                at: created,
                in: database
            )
            return (text, record)
        }
        try reload()
        return made
    }

    /// Returns all tokens that aren't revoked, newest last.
    package func list() async throws -> [TokenRecord] {
        let records =
            try await storage.read(.tokens) { database -> [TokenRecord] in
                let sql = "SELECT * FROM token WHERE revoked IS NULL ORDER BY position"
                return try Row.fetchAll(database, sql: sql).compactMap(TokenRecord.init)
            } ?? []
        return records.map { record in
            var record = record
            record.used = [record.used, lastUse(of: record.number)].compactMap(\.self).max()
            return record
        }
    }

    /// Revokes a token; returns whether one with that number existed.
    package func revoke(
        _ id: String,
        by author: AdministrationAuthor = .server
    ) async throws -> Bool {
        guard let number = TokenText.number(id: id), try storage.isThere() else { return false }
        let now = now()
        let wasThere = try await storage.write(.tokens) { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM token WHERE number = ? AND revoked IS NULL",
                arguments: [Int64(number)]
            )
            guard let record = row.flatMap(TokenRecord.init) else { return false }
            try database.execute(
                sql: "UPDATE token SET revoked = ?, digest = x'' WHERE number = ?",
                arguments: [now, Int64(number)]
            )
            try AdministrationLog.add(
                .revokeToken,
                of: record.id,
                from: record.audited,
                by: author,
                at: now,
                in: database
            )
            // The oldest revoked numbers are forgotten.
            try database.execute(
                sql: """
                    DELETE FROM token WHERE revoked IS NOT NULL AND position NOT IN (
                        SELECT position FROM token WHERE revoked IS NOT NULL
                        ORDER BY revoked DESC, position DESC LIMIT ?)
                    """,
                arguments: [Self.maximumCount]
            )
            return true
        }
        try reload()
        return wasThere
    }
}

extension Schema {
    package static let tokens = Schema("tokens") { database in
        try database.create(table: "token") { table in
            table.autoIncrementedPrimaryKey("position")
            table.column("number", .integer).notNull().unique()
            table.column("digest", .blob).notNull()
            table.column("name", .text).notNull()
            table.column("scopes", .text).notNull()
            table.column("created", .integer).notNull()
            table.column("expires", .integer)
            table.column("used", .integer)
            table.column("revoked", .integer)
        }
        try AdministrationLog.create(in: database)
    }
}
