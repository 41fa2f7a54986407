/// A public key of a key set (RFC 7518 §6, RFC 8037 §2), with big-endian numbers.
enum PublicKey: Sendable, Equatable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// A point on a curve; both coordinates have the curve's size.
    case elliptic(Curve, x: [UInt8], y: [UInt8])
    /// 32 bytes.
    case ed25519([UInt8])

    /// A curve of ECDSA.
    enum Curve: String, Sendable, CaseIterable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"

        /// The length of a coordinate in bytes.
        var size: Int {
            switch self {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }
    }

    /// The reason why OpenSSL rejects the key's numbers, after the pointer to them.
    var weakness: String {
        switch self {
        case .rsa(let modulus, let exponent):
            "/n: a modulus of \(modulus.count) bytes with the exponent \(Self.number(exponent)) is "
                + "invalid or below 2048 bits"
        case .elliptic(let curve, _, _): "/x: x and y are no point on the curve \(curve.rawValue)"
        case .ed25519: "/x: the key is invalid"
        }
    }

    /// The number of at most four bytes.
    private static func number(_ bytes: [UInt8]) -> UInt32 {
        bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The algorithms of the key.
    ///
    /// Each algorithm belongs to one type of key, so that keys can't be confused (RFC 8725 §3.1).
    var algorithms: [SignatureAlgorithm] {
        switch self {
        case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        case .elliptic(.p256, _, _): [.es256]
        case .elliptic(.p384, _, _): [.es384]
        case .elliptic(.p521, _, _): [.es512]
        case .ed25519: [.edDSA, .ed25519]
        }
    }
}
