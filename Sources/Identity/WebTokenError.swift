/// Why a JSON Web Token isn't taken.
package enum WebTokenError: Error, Equatable, CaseIterable {
    case form, tooLong, algorithm, critical, type
    case unknownKey, otherAlgorithm, ambiguousKey, signature
    case noExpiry, expired, early, future, time, issuer, audience, subject, scopes

    /// What its bearer is told: one line without quotes (RFC 6750 §3).
    package var reason: String {
        switch self {
        case .form: "the token is not a signed JSON Web Token"
        case .tooLong: "the token is longer than \(WebToken.greatestSize) bytes"
        case .algorithm: "the token is signed with an algorithm that is not taken"
        case .critical: "the token has critical extensions, and none is known here"
        case .type: "the token is of a type for another use"
        case .unknownKey: "the token is signed with a key that is not known"
        case .otherAlgorithm: "the token is signed with an algorithm that its key is not for"
        case .ambiguousKey: "the token does not say which key it is signed with"
        case .signature: "the signature of the token is not valid"
        case .noExpiry: "the token does not say when it expires"
        case .expired: "the token has expired"
        case .early: "the token is not valid yet"
        case .future: "the token was issued in the future"
        case .time: "a time of the token is not a number"
        case .issuer: "the token is of another issuer"
        case .audience: "the token is for another audience"
        case .subject: "the token does not say whom it is about"
        case .scopes: "the scopes of the token can not be read"
        }
    }
}
