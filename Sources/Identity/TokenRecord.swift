import GRDB
package import PlugHTTP
import Storage

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

    /// The caller with this token, without implied scopes.
    var caller: Caller { Caller(id: id, name: name, scopes: scopes) }

    /// The time between creation and expiry.
    var lifetime: TokenLifetime { expires.map { .seconds($0 - created) } ?? .unlimited }

    func isExpired(at now: Int) -> Bool { expires.map { now >= $0 } ?? false }
}

extension TokenRecord {
    /// The largest valid time, the last second of the year 9999.
    private static let maximumTime = 253_402_300_799

    /// Reads a row; nil if a column has an invalid value, as only another program can have written
    /// it.
    init?(_ row: Row) {
        // GRDB converts 1.5 to 1.
        guard case .int64(let stored) = row.storedValue("number").storage,
            let number = UInt64(exactly: stored), number <= TokenText.maximumNumber,
            let digest = Data.fromDatabaseValue(row.storedValue("digest")),
            let name = String.fromDatabaseValue(row.storedValue("name")),
            let scopes = String.fromDatabaseValue(row.storedValue("scopes")),
            let created = Int.fromDatabaseValue(row.storedValue("created")),
            (0...Self.maximumTime).contains(created)
        else { return nil }
        self.number = number
        self.name = name
        self.scopes = Scopes(text: scopes)
        self.created = created
        func time(_ column: String) -> (isValid: Bool, value: Int?) {
            let value = row.storedValue(column)
            guard let time = Int.fromDatabaseValue(value) else { return (value.isNull, nil) }
            return ((0...Self.maximumTime).contains(time), time)
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
