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
    /// The SHA-256 digest of the token's text.
    ///
    /// The text has 256 random bits, so the digest needs neither a salt nor a slow hash function.
    let digest: [UInt8]

    /// The number in its display form.
    package var id: String { TokenText.id(number) }

    /// The caller with this token.
    var caller: Caller { Caller(id: id, name: name, scopes: scopes) }

    func isExpired(at now: Int) -> Bool { expires.map { now >= $0 } ?? false }
}

extension TokenRecord {
    init?(_ row: Row) {
        guard let digest: [UInt8] = (row["digest"] as Data?).map(Array.init) else { return nil }
        number = UInt64(truncatingIfNeeded: row["number"] as Int64)
        name = row["name"]
        scopes = Scopes(text: row["scopes"])
        created = row["created"]
        expires = row["expires"]
        self.digest = digest
    }
}
