/// Bytes and SHA-256 digests in lower-case hexadecimal digits.
package enum Hexadecimal {
    /// Whether a text has the format of a digest.
    package static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    /// Returns the SHA-256 digest of the bytes.
    package static func sha256(_ bytes: [UInt8]) -> String {
        encode(bytes.withUnsafeBufferPointer(Digest.sha256))
    }

    /// Returns two digits for each byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
