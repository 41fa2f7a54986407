import COpenSSL

/// A signature algorithm with a key pair (RFC 7518 §3.1, RFC 8037).
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
    case edDSA = "EdDSA"

    /// The hash function of the message; nil if the whole message is signed.
    var digest: OpaquePointer? {
        switch self {
        case .rs256, .ps256, .es256: EVP_sha256()
        case .rs384, .ps384, .es384: EVP_sha384()
        case .rs512, .ps512, .es512: EVP_sha512()
        case .edDSA: nil
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
