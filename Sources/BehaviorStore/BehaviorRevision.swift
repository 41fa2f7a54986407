/// One state of a behavior document, never changed once it is made.
package struct BehaviorRevision: Sendable {
    /// The document as it is served.
    package let bytes: [UInt8]
    /// Its strong entity tag, with the quotes: made of the content alone, so that all replicas
    /// that serve one document name it alike.
    package let etag: String
    /// When the document was last changed, in seconds since 1970.
    package let lastModified: Int

    package init(bytes: [UInt8], lastModified: Int) {
        self.bytes = bytes
        self.lastModified = lastModified
        etag = "\"\(Self.digest(bytes))-\(String(bytes.count, radix: 16))\""
    }

    /// FNV-1a, 64 bits: tells the states of one document apart.
    ///
    /// It is no defence against forgery.
    private static func digest(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
