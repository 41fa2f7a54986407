import Behaviors
import Gzip
import HTTPSyntax
package import Targeting

/// One state of a behavior document, never changed once it is made.
package struct BehaviorRevision: Sendable {
    /// The document as it is served; of one with rules, what those get of whom nothing is known.
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
    /// What others get, where there are rules; nil where everybody gets the same.
    package private(set) var variants: BehaviorVariants?
    /// Its number in the store that it is of; nil for a file's.
    package var number: Int?

    /// What everybody gets, as it stands.
    package init(bytes: [UInt8], lastModified: Int) {
        self.init(
            bytes: bytes,
            etag: "\"\(ContentTag.of(bytes))\"",
            lastModified: lastModified
        )
    }

    init(bytes: [UInt8], etag: String, lastModified: Int, isCoded: Bool = true) {
        self.bytes = bytes
        self.etag = etag
        self.lastModified = lastModified
        gzip = isCoded ? bytes.withUnsafeBufferPointer { Gzip.compress($0, .kept) } : nil
    }

    /// Makes a revision of a document as its author writes it: checked, and its rules compiled.
    ///
    /// What is served has neither rules nor segments.
    ///
    /// - Throws: ``InvalidBehavior`` with all that is wrong.
    package init(authored bytes: [UInt8], lastModified: Int) throws(InvalidBehavior) {
        self.init(of: try TargetedBehavior(json: bytes), bytes, lastModified: lastModified)
    }

    /// Makes a revision of a compiled document and its bytes.
    init(of behavior: TargetedBehavior, _ bytes: [UInt8], lastModified: Int) {
        guard behavior.isTargeted else {
            let isBare = behavior.modulesPointer.isEmpty
            self.init(
                bytes: isBare ? bytes : behavior.document.encoded(),
                lastModified: lastModified
            )
            return
        }
        let tag = ContentTag.of(bytes)
        let variants = BehaviorVariants(behavior, tag: tag, lastModified: lastModified)
        self = variants.revision(of: behavior.evaluateQuietly(.empty).variant)
        self.variants = variants
    }
}

/// FNV-1a, 64 bits, and the length: tells the states of one document apart.
///
/// It is no defence against forgery.
enum ContentTag {
    static func of(_ bytes: [UInt8]) -> String {
        "\(digest(bytes))-\(String(bytes.count, radix: 16))"
    }

    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
