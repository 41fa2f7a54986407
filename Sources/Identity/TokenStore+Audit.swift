package import AdministrationStore
import Digests
import JSONCodec
import PlugHTTP
package import PostgreSQL

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
    /// Compares the stored tokens with the audit's rows, also the revoked ones.
    ///
    /// `rows` are the result of `allTokens`.
    package static func compare(_ rows: [SQLRow], with check: inout AdministrationCheck) {
        var valid: [TokenRecord] = []
        var revoked: [String] = []
        for row in rows {
            guard let record = TokenRecord(row) else {
                let position = try? row.get("position", as: Int.self)
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
