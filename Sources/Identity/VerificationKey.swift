import COpenSSL

/// A public key that verifies signatures, with OpenSSL.
///
/// `@unchecked Sendable` is safe: it is constant, and OpenSSL locks its own internal state.
final class VerificationKey: @unchecked Sendable {
    private let raw: OpaquePointer
    private let algorithms: [SignatureAlgorithm]
    /// The curve of an ECDSA key; nil for other keys.
    private let curve: PublicKey.Curve?

    /// The minimum size of a modulus in bits (RFC 7518 §3.3).
    private static let minimumBits = 2048

    /// Creates the key; nil if its numbers are invalid or too weak.
    ///
    /// For Ed25519 it accepts any 32 bytes: OpenSSL decodes the point with each verification, which
    /// fails if there is none.
    init?(_ key: PublicKey) {
        // Errors left in the thread's queue would be attributed to a TLS connection.
        defer { ERR_clear_error() }
        let raw =
            switch key {
            case .rsa(let modulus, let exponent): Self.rsa(modulus, exponent)
            case .elliptic(let curve, let x, let y): Self.elliptic(curve, [0x04] + x + y)
            case .ed25519(let bytes):
                EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
            }
        guard let raw else { return nil }
        (self.raw, algorithms) = (raw, key.algorithms)
        if case .elliptic(let curve, _, _) = key { self.curve = curve } else { curve = nil }
    }

    deinit { EVP_PKEY_free(raw) }

    /// Creates an RSA key: odd numbers, a large enough modulus, an exponent of at least 3 (RFC 8017
    /// §3.1).
    private static func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        let n = BN_bin2bn(modulus, CInt(modulus.count), nil)
        let e = BN_bin2bn(exponent, CInt(exponent.count), nil)
        let builder = OSSL_PARAM_BLD_new()
        let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer {
            EVP_PKEY_CTX_free(context)
            OSSL_PARAM_BLD_free(builder)
            BN_free(e)
            BN_free(n)
        }
        guard BN_num_bits(n) >= minimumBits, BN_is_odd(n) == 1, BN_is_odd(e) == 1,
            BN_is_one(e) == 0,
            copenssl_push_modulus(builder, n) == 1,
            copenssl_push_exponent(builder, e) == 1,
            let parameters = OSSL_PARAM_BLD_to_param(builder)
        else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, COPENSSL_PUBLIC_KEY, parameters) == 1
        else { return nil }
        return key
    }

    /// Creates a key from a point (SEC 1 §2.3.4), which OpenSSL rejects if it isn't on the curve.
    private static func elliptic(_ curve: PublicKey.Curve, _ point: [UInt8]) -> OpaquePointer? {
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_paramgen_init(context) == 1,
            EVP_PKEY_CTX_set_group_name(context, curve.rawValue) == 1,
            EVP_PKEY_paramgen(context, &key) == 1
        else { return nil }
        guard EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1 else {
            EVP_PKEY_free(key)
            return nil
        }
        return key
    }

    /// Returns whether a signature matches a message, by one of the key's algorithms.
    func accepts(
        _ signature: [UInt8],
        of message: [UInt8],
        by algorithm: SignatureAlgorithm
    ) -> Bool {
        guard algorithms.contains(algorithm), let signature = form(signature) else {
            return false
        }
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var parameters: OpaquePointer?
        guard EVP_DigestVerifyInit(context, &parameters, algorithm.digest, nil, raw) == 1 else {
            return false
        }
        if algorithm.isProbabilistic {
            // The salt is as long as the digest; MGF1 uses the same hash function (RFC 7518 §3.5).
            guard EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Converts a signature to OpenSSL's form; returns nil if its size is wrong.
    ///
    /// ECDSA's two concatenated numbers become DER (RFC 7518 §3.4). Other signatures are as long as
    /// the key (RFC 8017 §8.1.2, §8.2.2; RFC 8032 §5.1.7).
    private func form(_ signature: [UInt8]) -> [UInt8]? {
        guard let curve else {
            return signature.count == Int(EVP_PKEY_get_size(raw)) ? signature : nil
        }
        guard signature.count == 2 * curve.size, let pair = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(pair) }
        let (r, s) = signature.withUnsafeBufferPointer { bytes in
            let size = CInt(curve.size)
            return (
                BN_bin2bn(bytes.baseAddress, size, nil),
                BN_bin2bn(bytes.baseAddress.map { $0 + curve.size }, size, nil)
            )
        }
        // The pair owns them from here on.
        guard ECDSA_SIG_set0(pair, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        let count = Int(i2d_ECDSA_SIG(pair, nil))
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            var end = bytes.baseAddress
            filled = Int(i2d_ECDSA_SIG(pair, &end))
        }
    }
}
