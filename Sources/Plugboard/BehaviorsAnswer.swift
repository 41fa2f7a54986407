import BehaviorStore
import HTTPCodec
import HTTPServer
import Logging

/// A loop's answers for a behavior document: made once per revision, not per request.
struct BehaviorsAnswer {
    static let path: StaticString = "/behaviors.json"

    private let live: LiveBehavior
    private let tools: Tools
    private var version: Int
    private var form = Form.plain
    private var plain: Representation
    /// The gzip-coded representation; the plain one where that is no smaller.
    private var gzip: Representation
    /// What has rules is answered by it, whatever the others are.
    private var targeted: TargetedAnswer?

    /// What answering by rules takes: one for all documents of a loop.
    final class Tools {
        /// Makes out whom a request is from; nil where nobody is known.
        let callers: Access?
        let logger: Logger
        private let looksAtCertificates: Bool
        /// Whose requests are answered.
        weak var loop: (any ServingLoop)?

        init(callers: Access?, logger: Logger) {
            self.callers = callers
            self.logger = logger
            looksAtCertificates = callers?.credentials.certificates != nil
        }

        /// Makes out whom a request is from; nil where it shows nothing, or nobody is known.
        func judge(_ head: RequestHead) -> Access.Verdict? {
            // Most show nothing, and that is seen at once.
            guard looksAtCertificates || head.field("authorization") != nil else { return nil }
            return callers?.judge(head, loop?.clientCertificate, logger)
        }
    }

    /// What there is to choose from.
    private enum Form: UInt8 { case plain, coded, targeted }

    /// Answers with what is live of a document.
    init(_ live: LiveBehavior, _ tools: Tools) {
        self.live = live
        self.tools = tools
        version = live.version
        plain = Representation(live.revision, .plain)
        gzip = plain
        take(live.revision)
    }

    /// Answers a GET or HEAD with the representation that the client takes, by that one's
    /// preconditions.
    mutating func answer(_ head: RequestHead, now: Int) -> Response {
        if live.version != version {
            version = live.version
            take(live.revision)
        }
        switch form {
        case .plain: return Self.answer(plain, head, now)
        case .coded:
            return AcceptEncoding.takesGzip(head)
                ? Self.answer(gzip, head, now) : Self.answer(plain, head, now)
        case .targeted:
            return targeted?.answer(head, now: now) ?? Self.answer(plain, head, now)
        }
    }

    @inline(__always)
    private static func answer(
        _ representation: Representation,
        _ head: RequestHead,
        _ now: Int
    ) -> Response {
        switch Preconditions.evaluate(head, representation.validators, now: now) {
        case .proceed: return representation.full
        case .notModified: return representation.notModified
        case .failed: return failed
        }
    }

    static var failed: Response {
        ProblemAnswer.make(412, "the document is not in the state asked for")
    }

    private mutating func take(_ revision: BehaviorRevision) {
        plain = Representation(revision, .plain)
        gzip = plain
        targeted = nil
        if let variants = revision.variants {
            form = .targeted
            targeted = TargetedAnswer(variants, of: live, tools)
        } else if revision.gzip != nil {
            form = .coded
            gzip = Representation(revision, .gzip)
        } else {
            form = .plain
        }
    }
}

extension BehaviorsAnswer {
    /// One representation of the document, with a tag of its own (RFC 9110 §8.8.3.3).
    struct Representation {
        let validators: Validators
        let full: Response
        let notModified: Response

        enum Coding { case plain, gzip }

        /// What everybody gets.
        fileprivate init(_ revision: BehaviorRevision, _ coding: Coding) {
            self.init(
                revision,
                coding,
                [
                    ("Last-Modified", HTTPDate.string(revision.lastModified)),
                    // Kept by whoever likes, and asked about each time: an edit is live at once.
                    ("Cache-Control", "no-cache"),
                ] + (revision.gzip == nil ? [] : [ContentCoding.vary])
            )
        }

        /// A representation whose answers say what caches have to know by those fields.
        init(
            _ revision: BehaviorRevision,
            _ coding: Coding,
            _ caching: [(name: String, value: String)]
        ) {
            let isCoded = coding == .gzip
            let etag = isCoded ? ContentCoding.gzipTag(of: revision.etag) : revision.etag
            let shared = [("ETag", etag)] + caching
            let described =
                shared + (isCoded ? [ContentCoding.gzip] : [])
                + [("Content-Type", "application/json")]
            let bytes = isCoded ? revision.gzip ?? revision.bytes : revision.bytes
            var full = Response(
                status: 200,
                fields: Response.fieldLines(described),
                body: .bytes(bytes)
            )
            full.isKept = true
            validators = Validators(etag: Array(etag.utf8), lastModified: revision.lastModified)
            self.full = full
            notModified = Response(
                status: 304,
                fields: Response.fieldLines(shared),
                body: .none
            )
        }
    }
}
