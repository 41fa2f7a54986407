/// The client certificate with which an author made a change.
///
/// An approval or a schedule takes effect later, and the certificate may have ended since.
package struct AuthorCertificate: Codable, Sendable, Equatable {
    /// The SHA-256 digest of the issuer's name, in hexadecimal digits.
    package var issuer: String
    /// The serial number, in hexadecimal digits; unique for an issuer (RFC 5280 §4.1.2.2).
    package var serial: String
    /// The SHA-256 digest of the server's client authority that accepted it, in hexadecimal digits.
    package var authority: String
    /// The time at which it or one of its authorities expires, in seconds since 1970.
    package var end: Int

    package init(issuer: String, serial: String, authority: String, end: Int) {
        self.issuer = issuer
        self.serial = serial
        self.authority = authority
        self.end = end
    }
}
