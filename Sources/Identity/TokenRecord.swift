import GRDB
package import PlugHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is kept of a token: not the token.
package struct TokenRecord: Sendable, Equatable {
    package let number: UInt64
    /// Whom it stands for, as people call it; may be empty.
    package let name: String
    package let scopes: Scopes
    /// When it was made, in seconds since 1970.
    package let created: Int
    /// When it ends, in seconds since 1970; nil for never.
    package let expires: Int?
    /// The SHA-256 digest of its text.
    ///
    /// The text has 256 random bits, so it can't be found from that, and needs neither salt nor a
    /// slow function.
    let digest: [UInt8]

    /// The number as people see it.
    package var id: String { TokenText.id(number) }

    /// The one whom it stands for.
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
