import GRDB
package import PlugHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored data of a token, without its text.
package struct TokenRecord: Sendable, Equatable {
    package let number: UInt64
    /// The caller's display name; may be empty.
    package let name: String
    package let scopes: Scopes
    /// The creation time, in seconds since 1970.
    package let created: Int
    /// The expiry time, in seconds since 1970; nil for never.
    package let expires: Int?
    /// The time of the last use, in seconds since 1970, to the minute; nil for an unused token.
    package var used: Int?
    /// The time of the revocation, in seconds since 1970; nil for a token that isn't revoked.
    ///
    /// A revoked token stays known by its number, so that its earlier approvals can be rejected.
    let revoked: Int?
    /// The SHA-256 digest of the token's text.
    ///
    /// The text has 256 random bits, so the digest needs neither a salt nor a slow hash function.
    let digest: [UInt8]

    /// The number in its display form.
    package var id: String { TokenText.id(number) }

    /// The caller with this token.
    var caller: Caller { Caller(id: id, name: name, scopes: scopes) }

    /// The time between creation and expiry.
    var lifetime: TokenLifetime { expires.map { .seconds($0 - created) } ?? .unlimited }

    func isExpired(at now: Int) -> Bool { expires.map { now >= $0 } ?? false }
}

extension TokenRecord {
    /// Reads a row; nil if a column has another type, as only another program can have written it.
    init?(_ row: Row) {
        guard let number = Int64.fromDatabaseValue(row["number"]),
            let digest = Data.fromDatabaseValue(row["digest"]),
            let name = String.fromDatabaseValue(row["name"]),
            let scopes = String.fromDatabaseValue(row["scopes"]),
            let created = Int.fromDatabaseValue(row["created"])
        else { return nil }
        self.number = UInt64(bitPattern: number)
        self.name = name
        self.scopes = Scopes(text: scopes)
        self.created = created
        func time(_ column: String) -> (isValid: Bool, value: Int?) {
            let value: DatabaseValue = row[column]
            let time = Int.fromDatabaseValue(value)
            return (value.isNull || time != nil, time)
        }
        let (expires, used, revoked) = (time("expires"), time("used"), time("revoked"))
        // A broken end must not become none.
        guard expires.isValid, used.isValid, revoked.isValid else { return nil }
        self.expires = expires.value
        self.used = used.value
        self.revoked = revoked.value
        self.digest = Array(digest)
    }
}
