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
        let digits = digest.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }
        var members: JSON.Object = [
            "name": .string(name), "scopes": .array(scopes.names.map { .string($0) }),
            "created": .number(JSON.Number(created)),
        ]
        members["expires"] = expires.map { .number(JSON.Number($0)) }
        members["digest"] = .string(digits.joined())
        return String(decoding: JSON.object(members).encoded(), as: UTF8.self)
    }
}

extension TokenStore {
    /// Verifies the administration's audit, and compares the stored tokens and plugs with it.
    ///
    /// A row must have the expected hash. `others` compares other tables of the same moment.
    ///
    /// - Returns: nil if the database never existed.
    /// - Throws: ``StorageError`` if the database can't be read.
    package static func checkAudit(
        of storage: Storage,
        expecting hash: String? = nil,
        _ others: @escaping @Sendable (Database, inout AdministrationCheck) throws -> Void
    ) async throws -> AdministrationCheck? {
        try await storage.read(.tokens) { database in
            var check = try AdministrationCheck(database, expecting: hash)
            let records = try Row.fetchAll(
                database,
                sql: "SELECT * FROM token WHERE revoked IS NULL"
            )
            .compactMap(TokenRecord.init)
            check.compare(.token, with: records.map { ($0.id, $0.audited) })
            try others(database, &check)
            return check
        }
    }
}
