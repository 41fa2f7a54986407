/// The reason for rejecting a JSON Web Token.
package enum WebTokenError: Error, Equatable, CaseIterable {
    case form, tooLong, algorithm, critical, type
    case unknownKey, otherAlgorithm, ambiguousKey, signature
    case noExpiry, expired, early, future, time, issuer, audience, subject, scopes

    /// The message for the client: one line without quotes (RFC 6750 §3).
    package var reason: String {
        switch self {
        case .form: "the token is not a signed JSON Web Token"
        case .tooLong: "the token is longer than \(WebToken.maximumSize) bytes"
        case .algorithm: "the token's signature algorithm is not supported"
        case .critical: "the token has critical extensions, which are not supported"
        case .type: "the token's type is for another use"
        case .unknownKey: "the token is signed with an unknown key"
        case .otherAlgorithm: "the token's key is not for its signature algorithm"
        case .ambiguousKey: "the token does not name its key, and there are several"
        case .signature: "the signature of the token is not valid"
        case .noExpiry: "the token has no expiry time"
        case .expired: "the token has expired"
        case .early: "the token is not valid yet"
        case .future: "the token was issued in the future"
        case .time: "a time of the token is not a number"
        case .issuer: "the token is of another issuer"
        case .audience: "the token is for another audience"
        case .subject: "the token has no valid subject"
        case .scopes: "the token's scopes are not valid"
        }
    }
}
