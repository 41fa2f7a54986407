import COpenSSL

/// SHA-256 digests.
package enum Digest {
    /// The length of a digest in bytes.
    package static let length = Int(SHA256_DIGEST_LENGTH)

    /// Returns the digest of the bytes.
    package static func sha256(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { digest, count in
            SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
            count = length
        }
    }

    /// Compares two digests in constant time.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
