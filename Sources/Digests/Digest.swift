import COpenSSL

/// SHA-256 digests.
package enum Digest {
    /// The length of a digest in bytes.
    package static let length = Int(SHA256_DIGEST_LENGTH)

    /// The digest of those bytes.
    package static func sha256(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { digest, count in
            SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
            count = length
        }
    }

    /// Whether two digests are the same, found out in the same time wherever they differ.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
