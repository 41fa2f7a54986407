import JSONCodec
package import PlugHTTP
import System

/// The rules for the claims of a JSON Web Token (RFC 7519 §4.1, RFC 8725 §3, RFC 9068 §4).
package struct WebTokenRules: Sendable {
    /// The allowed difference between the clocks of issuer and server, in seconds.
    package static let leeway = 30
    /// The maximum size of a subject, in bytes; OpenID Connect Core §2 allows as many ASCII
    /// characters.
    private static let subjectLimit = 255

    /// The issuer: `iss` must be this exact text.
    package let issuer: String
    /// The audiences: `aud` must contain one of these exact texts.
    package let audiences: [String]
    /// The scopes that others imply.
    private let implied: ImpliedScopes

    /// Creates the rules for an issuer and its audiences.
    package init(
        issuer: String,
        audiences: [String],
        implied: ImpliedScopes = ImpliedScopes()
    ) {
        self.issuer = issuer
        self.audiences = audiences
        self.implied = implied
    }

    /// Returns the caller that the claims identify, and the second when the token expires.
    func bearer(_ claims: JSON, now: Int) throws(WebTokenError) -> (caller: Caller, expires: Int) {
        guard let expires = try Self.time("exp", of: claims) else { throw .noExpiry }
        let now = Double(now)
        let leeway = Double(Self.leeway)
        guard now < expires + leeway else { throw .expired }
        if let begin = try Self.time("nbf", of: claims), now < begin - leeway { throw .early }
        if let issued = try Self.time("iat", of: claims), now < issued - leeway { throw .future }
        guard let issuer = claims["iss"]?.string, Self.isSame(issuer, self.issuer) else {
            throw .issuer
        }
        guard Self.audiences(of: claims).contains(where: isAudience) else { throw .audience }
        guard let subject = claims["sub"]?.string, Self.isSubject(subject) else { throw .subject }
        // The issuer is part of the id, so it differs from tokens' numbers and other issuers'
        // subjects.
        let caller = Caller(
            id: "\(issuer)#\(subject)",
            name: subject,
            scopes: implied.expand(try Self.scopes(of: claims))
        )
        return (caller, Int(min(expires + leeway, 1e15)))
    }

    private func isAudience(_ name: String) -> Bool {
        audiences.contains { Self.isSame($0, name) }
    }

    /// Compares bytes, because Swift's strings are equal if they look the same.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    /// Whether a subject is one line: it is the author in logs and audits, which a separator or a
    /// bidirectional control could forge (CVE-2021-42574).
    private static func isSubject(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= subjectLimit
            && TerminalText.isLine(text)
    }

    /// Returns a `NumericDate`: seconds since 1970, perhaps with a fraction.
    private static func time(_ name: String, of claims: JSON) throws(WebTokenError) -> Double? {
        guard let value = claims[name] else { return nil }
        guard let seconds = value.double, seconds.isFinite else { throw .time }
        return seconds
    }

    private static func audiences(of claims: JSON) -> [String] {
        guard let value = claims["aud"] else { return [] }
        return value.string.map { [$0] } ?? (value.array ?? []).compactMap(\.string)
    }

    /// Returns the scopes: `scope`, separated by spaces (RFC 8693 §4.2), or `scp`, a text or a
    /// list.
    private static func scopes(of claims: JSON) throws(WebTokenError) -> Scopes {
        guard let value = claims["scope"] ?? claims["scp"] else { return [] }
        if let text = value.string { return Scopes(text: text) }
        guard claims["scope"] == nil, let list = value.array else { throw .scopes }
        let names = list.compactMap(\.string)
        guard names.count == list.count else { throw .scopes }
        return Scopes(names)
    }
}
