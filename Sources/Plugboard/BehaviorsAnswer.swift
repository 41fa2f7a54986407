import BehaviorStore
import HTTPSyntax
import HTTPServer
import Logging

/// A loop's answers for a behavior document: made once per revision, not per request.
struct BehaviorsAnswer {
    static let path: StaticString = "/behaviors.json"

    private let live: LiveBehavior
    private let tools: Tools
    /// None of the document's where there was nothing to serve: looked at again by each request.
    private let version: Int
    private let representations: Representations
    /// What has rules is answered by it, whatever those are.
    private let targeted: TargetedAnswer?

    /// What answering by rules takes: one for all documents of a loop.
    final class Tools {
        /// Makes out whom a request is from; nil where nobody is known.
        let callers: Access?
        let logger: Logger
        private let looksAtCertificates: Bool

        init(callers: Access?, logger: Logger) {
            self.callers = callers
            self.logger = logger
            looksAtCertificates = callers?.credentials.certificates != nil
        }

        /// Finds a request's caller; nil where the request shows nothing, or no caller can be known.
        func judge(_ request: borrowing IncomingRequest) -> Access.Verdict? {
            // Most show nothing, and that is seen at once.
            guard looksAtCertificates || request.head.field("authorization") != nil else {
                return nil
            }
            return callers?.judge(request.head, from: request.peer, logger)
        }
    }

    /// Answers with what is live of a document.
    init(_ live: LiveBehavior, _ tools: Tools) {
        self.live = live
        self.tools = tools
        let version = live.version
        let revision = live.revision
        self.version = revision == nil ? -1 : version
        representations = Representations(revision ?? BehaviorRevision(bytes: [], lastModified: 0))
        targeted = revision?.variants.map { TargetedAnswer($0, of: live, tools) }
    }

    /// Answers a GET or HEAD with the representation that the client takes, by that one's
    /// preconditions.
    mutating func answer(_ request: borrowing IncomingRequest, now: Int) -> Reply {
        if live.version != version {
            self = BehaviorsAnswer(live, tools)
            if version < 0 { return .now(Self.unserved) }
        }
        if let targeted { return targeted.answer(request, now: now) }
        return .now(representations.answer(request.head, now: now))
    }

    /// Whoever has an older answer may go on with that one (RFC 5861 §4).
    private static var unserved: Response {
        ProblemAnswer.make(
            503,
            "there is no revision of this document that can be served now",
            fields: [("Retry-After", "1")]
        )
    }
}

extension Representations {
    /// A document as everybody gets it.
    fileprivate init(_ revision: BehaviorRevision) {
        self.init(
            revision,
            lastModified: revision.lastModified,
            // Kept by whoever likes, and asked about each time: an edit is live at once.
            caching: [("Cache-Control", "no-cache")]
        )
    }

    /// A document whose answers tell caches these things.
    init(
        _ revision: BehaviorRevision,
        lastModified: Int?,
        caching: [(name: String, value: String)],
        varying: [String] = []
    ) {
        self.init(
            revision.bytes,
            gzip: revision.gzip,
            etag: revision.etag,
            lastModified: lastModified,
            mediaType: "application/json",
            caching: caching,
            varying: varying
        )
    }
}
