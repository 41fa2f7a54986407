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
        case .plain: return plain.answer(head, now: now)
        case .coded:
            return AcceptEncoding.takesGzip(head)
                ? gzip.answer(head, now: now) : plain.answer(head, now: now)
        case .targeted:
            return targeted?.answer(head, now: now) ?? plain.answer(head, now: now)
        }
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

extension Representation {
    /// A document as everybody gets it.
    fileprivate convenience init(_ revision: BehaviorRevision, _ coding: Coding) {
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

    /// A document whose answers say what caches have to know by those fields.
    convenience init(
        _ revision: BehaviorRevision,
        _ coding: Coding,
        _ caching: [(name: String, value: String)]
    ) {
        self.init(
            coding == .gzip ? revision.gzip ?? revision.bytes : revision.bytes,
            coding,
            etag: revision.etag,
            lastModified: revision.lastModified,
            mediaType: "application/json",
            caching
        )
    }
}
