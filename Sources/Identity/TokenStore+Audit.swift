import Digests
package import GRDB
import JSONCodec
import PlugHTTP
package import Storage

extension TokenRecord {
    /// The state in the audit's rows, as JSON.
    ///
    /// It has the digest, since a replaced digest is another token.
    var audited: String {
        var members: JSON.Object = [
            "name": .string(name), "scopes": .array(scopes.names.map { .string($0) }),
            "created": .number(JSON.Number(created)),
        ]
        members["expires"] = expires.map { .number(JSON.Number($0)) }
        members["digest"] = .string(Hexadecimal.encode(digest))
        return String(decoding: JSON.object(members).encoded(), as: UTF8.self)
    }
}

extension TokenStore {
    /// Verifies the administration's audit, and compares the stored tokens and plugs with it.
    ///
    /// A row must have the expected hash. `others` compares other tables of the same moment, which
    /// `schemas` create.
    ///
    /// - Returns: nil if the database never existed.
    /// - Throws: ``StorageError`` if the database can't be read.
    package static func checkAudit(
        of storage: Storage,
        expecting hash: String? = nil,
        schemas: [Schema],
        _ others: @escaping @Sendable (Database, inout AdministrationCheck) throws -> Void
    ) async throws -> AdministrationCheck? {
        try await storage.read(.tokens) { database in
            let differences = try Schema.differences(
                of: database,
                from: [.tokens, .administration] + schemas
            )
            do {
                var check = try AdministrationCheck(database, expecting: hash)
                differences.forEach { check.find($0) }
                try compare(database, &check)
                try others(database, &check)
                return check
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_ERROR && !differences.isEmpty
            {
                // A view in a table's place may lack columns.
                return AdministrationCheck(unreadable: differences + ["\(error)"])
            }
        }
    }

    /// Compares the stored tokens with the audit's rows, also the revoked ones.
    private static func compare(_ database: Database, _ check: inout AdministrationCheck) throws {
        var valid: [TokenRecord] = []
        var revoked: [String] = []
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM token ORDER BY position")
        while let row = try rows.next() {
            guard let record = TokenRecord(row) else {
                let position = Int64.fromDatabaseValue(row.storedValue("position"))
                let place = position.map { "at position \($0)" } ?? "without a position"
                check.find("the token \(place) has an invalid value")
                continue
            }
            guard record.revoked != nil else {
                valid.append(record)
                continue
            }
            revoked.append(record.id)
            if !record.digest.isEmpty {
                check.find("token \(record.id) is revoked, but has a digest")
            }
        }
        check.compare(.token, with: valid.map { ($0.id, $0.audited) })
        check.compare(.token, removed: revoked, limit: maximumCount)
    }
}
