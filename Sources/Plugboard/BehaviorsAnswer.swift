import BehaviorStore
import HTTPCodec
import HTTPServer

/// A loop's answers for the behavior document: made once per revision, not per request.
struct BehaviorsAnswer {
    static let path: StaticString = "/behaviors.json"

    private let live: LiveBehavior
    private var version: Int
    private var plain: Variant
    /// The gzip-coded variant, where it is smaller.
    private var gzip: Variant?

    /// One representation of the document, with a tag of its own (RFC 9110 §8.8.3.3).
    private struct Variant {
        let validators: Validators
        let full: Response
        let notModified: Response
    }

    init(_ live: LiveBehavior) {
        self.live = live
        version = live.version
        (plain, gzip) = Self.make(live.revision)
    }

    /// Answers a GET or HEAD with the variant that the client takes, by that one's preconditions.
    mutating func answer(_ head: RequestHead, now: Int) -> Response {
        if live.version != version {
            version = live.version
            (plain, gzip) = Self.make(live.revision)
        }
        if gzip != nil, AcceptEncoding.takesGzip(head) {
            if let gzip { return Self.answer(gzip, head, now) }
        }
        return Self.answer(plain, head, now)
    }

    @inline(__always)
    private static func answer(_ variant: Variant, _ head: RequestHead, _ now: Int) -> Response {
        switch Preconditions.evaluate(head, variant.validators, now: now) {
        case .proceed: return variant.full
        case .notModified: return variant.notModified
        case .failed: return ProblemAnswer.make(412, "the document is not in the state asked for")
        }
    }

    private static func make(_ revision: BehaviorRevision) -> (plain: Variant, gzip: Variant?) {
        guard let gzip = revision.gzip else {
            return (variant(revision, revision.etag, revision.bytes, []), nil)
        }
        let vary = [ContentCoding.vary]
        let etag = ContentCoding.gzipTag(of: revision.etag)
        return (
            variant(revision, revision.etag, revision.bytes, vary),
            variant(revision, etag, gzip, vary, [ContentCoding.gzip])
        )
    }

    private static func variant(
        _ revision: BehaviorRevision,
        _ etag: String,
        _ bytes: [UInt8],
        _ negotiated: [(name: String, value: String)],
        _ coding: [(name: String, value: String)] = []
    ) -> Variant {
        let shared: [(name: String, value: String)] =
            [
                ("ETag", etag),
                ("Last-Modified", HTTPDate.string(revision.lastModified)),
                // Kept by whoever likes, and asked about each time: an edit is live at once.
                ("Cache-Control", "no-cache"),
            ] + negotiated
        let described = shared + coding + [("Content-Type", "application/json")]
        var full = Response(
            status: 200,
            fields: Response.fieldLines(described),
            body: .bytes(bytes)
        )
        full.isKept = true
        return Variant(
            validators: Validators(etag: Array(etag.utf8), lastModified: revision.lastModified),
            full: full,
            notModified: Response(status: 304, fields: Response.fieldLines(shared), body: .none)
        )
    }
}
