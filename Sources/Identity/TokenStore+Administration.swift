package import AdministrationStore
package import PlugHTTP
import PostgreSQL

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
        let made = try await backend.change(at: now()) { [backend] update in
            let count = try await backend.read(update.tables.tokenCount)?.first?.get("count") ?? 0
            guard count < Self.maximumCount else { throw TokenError.tooMany }
            let text = TokenText.generate()
            guard let token = Array(text.utf8).withUnsafeBufferPointer(TokenText.init) else {
                throw TokenError.tooMany
            }
            let record = TokenRecord(
                number: token.number,
                name: name,
                scopes: scopes,
                created: update.now,
                expires: lifetime.end(from: update.now),
                used: nil,
                revoked: nil,
                digest: token.digest
            )
            update.run(update.tables.insert(record))
            try update.record(.createToken, of: record.id, to: record.audited, by: author)
            return (text, record)
        }
        await applyOwnChange()
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
        guard let number = TokenText.number(id: id) else { return nil }
        typealias Rotated = (text: String, record: TokenRecord)
        let made = try await backend.change(at: now()) { [self] update -> Rotated? in
            guard let old = try await validRecord(number) else { return nil }
            let text = TokenText.generate(number)
            guard let token = Array(text.utf8).withUnsafeBufferPointer(TokenText.init) else {
                return nil
            }
            let record = TokenRecord(
                number: number,
                name: old.name,
                scopes: old.scopes,
                created: update.now,
                expires: (lifetime ?? old.lifetime).end(from: update.now),
                used: old.used,
                revoked: nil,
                digest: token.digest
            )
            update.run(update.tables.replace(record))
            try update.record(
                .rotateToken,
                of: record.id,
                from: old.audited,
                to: record.audited,
                by: author
            )
            return (text, record)
        }
        await applyOwnChange()
        return made
    }

    /// Returns all tokens that aren't revoked, newest last.
    package func list() async throws -> [TokenRecord] {
        let rows = try await backend.read(backend.tables.validTokens) ?? []
        return rows.compactMap(TokenRecord.init).map { record in
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
        guard let number = TokenText.number(id: id) else { return false }
        let wasThere = try await backend.change(at: now()) { [self] update in
            guard let record = try await validRecord(number) else { return false }
            update.run(update.tables.revoke(number, at: update.now))
            try update.record(.revokeToken, of: record.id, from: record.audited, by: author)
            update.run(update.tables.forgetRevoked(above: Self.maximumCount))
            return true
        }
        await applyOwnChange()
        return wasThere
    }

    private func validRecord(_ number: UInt64) async throws -> TokenRecord? {
        try await backend.read(backend.tables.validToken(number))?.first.flatMap(TokenRecord.init)
    }
}
