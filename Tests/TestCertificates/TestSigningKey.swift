import COpenSSL

/// A pair of keys that signs tokens for a test.
///
/// `@unchecked Sendable`: it isn't changed once it is made, and OpenSSL locks what signing changes.
package final class TestSigningKey: @unchecked Sendable {
    /// The kinds of keys.
    package enum Kind: Sendable {
        case rsa(bits: Int32)
        /// A curve by OpenSSL's name, and the bytes of a coordinate.
        case elliptic(String, size: Int)
        case ed25519

        package static let p256 = Kind.elliptic("P-256", size: 32)
        package static let p384 = Kind.elliptic("P-384", size: 48)
        package static let p521 = Kind.elliptic("P-521", size: 66)
    }

    package struct Failure: Error {}

    private let key: OpaquePointer
    package let kind: Kind

    /// Makes a pair.
    package init(_ kind: Kind) throws {
        let name =
            switch kind {
            case .rsa: "RSA"
            case .elliptic: "EC"
            case .ed25519: "ED25519"
            }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, name, nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_keygen_init(context)
        switch kind {
        case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
        case .elliptic(let curve, _): EVP_PKEY_CTX_set_group_name(context, curve)
        case .ed25519: break
        }
        var key: OpaquePointer?
        guard EVP_PKEY_generate(context, &key) == 1, let key else { throw Failure() }
        (self.key, self.kind) = (key, kind)
    }

    deinit { EVP_PKEY_free(key) }

    /// The numbers of the public key by the names that a JSON Web Key has for them.
    package var numbers: [(name: String, bytes: [UInt8])] {
        switch kind {
        case .rsa: [("n", number("n")), ("e", number("e"))]
        case .elliptic(_, let size): [("x", number("qx", size)), ("y", number("qy", size))]
        case .ed25519:
            [
                (
                    "x",
                    [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
                        count = 32
                        EVP_PKEY_get_raw_public_key(key, bytes.baseAddress, &count)
                    }
                )
            ]
        }
    }

    private func number(_ name: String, _ size: Int? = nil) -> [UInt8] {
        var number: OpaquePointer?
        EVP_PKEY_get_bn_param(key, name, &number)
        defer { BN_free(number) }
        return Self.bytes(of: number, size ?? (Int(BN_num_bits(number)) + 7) / 8)
    }

    private static func bytes(of number: OpaquePointer?, _ size: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            BN_bn2binpad(number, bytes.baseAddress, Int32(size))
            count = size
        }
    }

    /// Signs a message by an algorithm of JSON Web Signatures (RFC 7518 §3.1).
    ///
    /// RSASSA-PSS takes a salt as long as the digest (RFC 7518 §3.5), unless it is to be of another length.
    package func sign(
        _ message: [UInt8],
        by algorithm: String,
        saltLength: CInt = RSA_PSS_SALTLEN_DIGEST
    ) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Failure() }
        defer { EVP_MD_CTX_free(context) }
        let digest: OpaquePointer? =
            switch algorithm.suffix(3) {
            case "256": EVP_sha256()
            case "384": EVP_sha384()
            case "512": EVP_sha512()
            default: nil
            }
        var parameters: OpaquePointer?
        guard EVP_DigestSignInit(context, &parameters, digest, nil, key) == 1 else {
            throw Failure()
        }
        if algorithm.hasPrefix("PS") {
            EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING)
            EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, saltLength)
        }
        var count = 1024
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            throw Failure()
        }
        signature.removeSubrange(count...)
        guard case .elliptic(_, let size) = kind else { return signature }
        return try Self.plain(signature, size)
    }

    /// A signature of ECDSA as two numbers of fixed length (RFC 7518 §3.4), which is DER before.
    private static func plain(_ signature: [UInt8], _ size: Int) throws -> [UInt8] {
        let parsed = signature.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &start, bytes.count)
        }
        guard let parsed else { throw Failure() }
        defer { ECDSA_SIG_free(parsed) }
        return bytes(of: ECDSA_SIG_get0_r(parsed), size) + bytes(of: ECDSA_SIG_get0_s(parsed), size)
    }
}
