import COpenSSL

/// A signature algorithm with a key pair (RFC 7518 §3.1, RFC 8037, RFC 9864).
///
/// Algorithms with a shared secret and `none` are missing: anyone who can verify such a signature
/// can also make one (RFC 8725 §2.1).
enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    /// The name of RFC 8037, here for Ed25519 only.
    case edDSA = "EdDSA"
    /// The name of RFC 9864 for the same algorithm.
    case ed25519 = "Ed25519"

    /// The hash function of the message; nil if the whole message is signed.
    var digest: OpaquePointer? {
        switch self {
        case .rs256, .ps256, .es256: EVP_sha256()
        case .rs384, .ps384, .es384: EVP_sha384()
        case .rs512, .ps512, .es512: EVP_sha512()
        case .edDSA, .ed25519: nil
        }
    }

    /// All names of the same algorithm.
    ///
    /// A key set may have either name of Ed25519, and its issuer's tokens the other (RFC 9864 §2.2).
    var synonyms: [SignatureAlgorithm] {
        switch self {
        case .edDSA, .ed25519: [.edDSA, .ed25519]
        default: [self]
        }
    }

    /// Whether it is RSASSA-PSS.
    var isProbabilistic: Bool {
        switch self {
        case .ps256, .ps384, .ps512: true
        default: false
        }
    }
}
