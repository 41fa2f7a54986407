import Behaviors
import Gzip
package import Targeting

/// One immutable state of a behavior document.
package struct BehaviorRevision: Sendable {
    /// The served document; for a document with rules, the variant for an empty context.
    package let bytes: [UInt8]
    /// The strong entity tag, with quotes.
    ///
    /// It depends only on the content, so that all replicas of a document send the same tag.
    package let etag: String
    /// The gzip-coded document, for clients that accept it; nil if it isn't smaller.
    ///
    /// Compressed here, once for all loops, and not while a loop has requests to process.
    package let gzip: [UInt8]?
    /// When the document was last changed, in seconds since 1970.
    package let lastModified: Int
    /// The variants of a document with rules; nil if every client receives the same bytes.
    package private(set) var variants: BehaviorVariants?
    /// The revision's number in its store; nil for a file's revision.
    package var number: Int?

    /// Makes a revision that every client receives unchanged.
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

    /// Checks a document as its author wrote it, compiles its rules and makes a revision of it.
    ///
    /// The served bytes contain neither rules nor segments.
    ///
    /// - Throws: ``InvalidBehavior`` with all problems.
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
