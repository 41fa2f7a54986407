package import PlugHTTP
import PostgreSQL

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
    init?(_ row: SQLRow) {
        guard let stored = try? row.get("number", as: Int.self),
            let number = UInt64(exactly: stored), number <= TokenText.maximumNumber,
            let digest = try? row.get("digest", as: [UInt8].self),
            let name = try? row.get("name", as: String.self),
            let scopes = try? row.get("scopes", as: String.self),
            let created = try? row.get("created", as: Int.self),
            (0...Self.maximumTime).contains(created),
            // A broken end must not become none.
            let expires = Self.time("expires", of: row),
            let used = Self.time("used", of: row),
            let revoked = Self.time("revoked", of: row)
        else { return nil }
        self.number = number
        self.name = name
        self.scopes = Scopes(text: scopes)
        self.created = created
        self.expires = expires
        self.used = used
        self.revoked = revoked
        self.digest = digest
    }

    /// Returns a column's time, which may be missing; nil if it is invalid.
    private static func time(_ column: String, of row: SQLRow) -> Int?? {
        switch try? row.get(column, as: SQLValue.self) {
        case .null: .some(nil)
        case .int(let time) where (0...maximumTime).contains(time): .some(time)
        default: .none
        }
    }
}
