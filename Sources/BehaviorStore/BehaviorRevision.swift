import HTTPCodec

/// One state of a behavior document, never changed once it is made.
package struct BehaviorRevision: Sendable {
    /// The document as it is served.
    package let bytes: [UInt8]
    /// Its strong entity tag, with the quotes: made of the content alone, so that all replicas
    /// that serve one document name it alike.
    package let etag: String
    /// The document gzip-coded, for who takes that; nil where it wouldn't be smaller.
    ///
    /// Made here, once for all loops, and not while one of them has requests to answer.
    package let gzip: [UInt8]?
    /// When the document was last changed, in seconds since 1970.
    package let lastModified: Int

    package init(bytes: [UInt8], lastModified: Int) {
        self.bytes = bytes
        self.lastModified = lastModified
        gzip = bytes.withUnsafeBufferPointer { Gzip.compress($0, .kept) }
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
