internal import COpenSSL

/// An Ed25519 key (RFC 8032) from a PEM file: a private key signs and verifies, a public key
/// verifies.
///
/// `openssl genpkey -algorithm ed25519 -out key.pem` makes a private key, and
/// `openssl pkey -in key.pem -pubout -out public.pem` its public key.
///
/// `@unchecked Sendable`: immutable, and OpenSSL counts its key's references.
package final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer
    /// Whether the key can sign.
    package let isPrivate: Bool

    /// Reads a key; nil if the text has no Ed25519 key, or an encrypted one.
    package init?(pem: [UInt8]) {
        guard let (key, isPrivate) = Self.read(pem) else { return nil }
        (self.key, self.isPrivate) = (key, isPrivate)
    }

    deinit { EVP_PKEY_free(key) }

    private static func read(_ pem: [UInt8]) -> (key: OpaquePointer, isPrivate: Bool)? {
        defer { ERR_clear_error() }
        for isPrivate in [true, false] {
            let file = BIO_new_mem_buf(pem, CInt(clamping: pem.count))
            defer { BIO_free(file) }
            // Without a callback OpenSSL would ask the terminal for an encrypted key's password.
            let key =
                isPrivate
                ? PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
                : PEM_read_bio_PUBKEY(file, nil, { _, _, _, _ in -1 }, nil)
            guard let key else { continue }
            if EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 { return (key, isPrivate) }
            EVP_PKEY_free(key)
        }
        return nil
    }

    /// Returns a message's signature of 64 bytes; nil for a public key.
    package func signature(of message: [UInt8]) -> [UInt8]? {
        guard isPrivate else { return nil }
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
            count == signature.count
        else { return nil }
        return signature
    }

    /// Whether a signature is that of a message.
    package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
