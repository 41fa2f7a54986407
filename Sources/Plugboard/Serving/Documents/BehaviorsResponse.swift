import BehaviorStore
import HTTPSyntax
import HTTPServer
import Logging

/// A loop's responses for a behavior document, built once per revision instead of per request.
struct BehaviorsResponse {
    static let path: StaticString = "/behaviors.json"

    private let live: LiveBehavior
    private let tools: Tools
    /// The version of these responses; -1 if no revision could be served, so that each request
    /// checks again.
    private let version: Int
    private let representations: Representations
    /// Responds by the document's rules; nil for a document without rules.
    private let targeted: TargetedResponse?

    /// The shared tools for evaluating rules: one instance for all documents of a loop.
    final class Tools {
        /// Identifies callers; nil if the server accepts no credentials.
        let callers: Access?
        let logger: Logger
        private let looksAtCertificates: Bool
        private let asksAuthenticators: Bool
        /// The fields of requests that callers' credentials are in.
        let fields: [String]
        /// The reports of apps, whose log has a limit.
        var reports = GuardReports()

        init(callers: Access?, logger: Logger) {
            var callers = callers
            // Apps fetch documents. The console's cookie would divide their caches.
            callers?.credentials.sessions = nil
            self.callers = callers
            self.logger = logger
            let credentials = callers?.credentials
            looksAtCertificates =
                credentials?.certificates != nil || credentials?.takesTestCallers == true
            asksAuthenticators = credentials?.authenticators.isEmpty == false
            fields = credentials?.fields ?? []
        }

        /// Identifies a request's caller; nil if the request or the server has no credentials.
        func judge(_ request: borrowing IncomingRequest) -> Access.Verdict? {
            // The common case: a request without credentials costs one field lookup.
            guard
                looksAtCertificates || request.head.field("authorization") != nil
                    || asksAuthenticators
                        && callers?.credentials.areShown(in: request.head) == true
            else {
                return nil
            }
            let admitted = asksAuthenticators ? request.admitted as? Request.Admitted : nil
            return callers?.judge(
                request.head,
                from: request.peer,
                admitted?.authentication,
                logger
            )
        }
    }

    /// Responses for the live revision of a document.
    init(_ live: LiveBehavior, _ tools: Tools) {
        self.live = live
        self.tools = tools
        let version = live.version
        let revision = live.revision
        self.version = revision == nil ? -1 : version
        representations = Representations(revision ?? BehaviorRevision(bytes: [], lastModified: 0))
        targeted = revision?.variants.map { TargetedResponse($0, of: live, tools) }
    }

    /// Responds to a GET or HEAD with the representation that the client accepts, after checking
    /// its preconditions.
    mutating func answer(_ request: borrowing IncomingRequest, now: Int) -> Reply {
        if request.head.demands.contains(.reports) {
            tools.reports.receive(request.head, live, tools.logger, now: now)
        }
        if live.version != version {
            self = BehaviorsResponse(live, tools)
            if version < 0 { return .now(Self.unserved) }
        }
        if let targeted { return targeted.answer(request, now: now) }
        return .now(representations.answer(request.head, now: now))
    }

    /// The response if no revision can be served; a cache may serve a stale one (RFC 5861 §4).
    static var unserved: Response {
        ProblemResponse.make(
            503,
            "no revision of this document can be served now",
            fields: [("Retry-After", "1")]
        )
    }
}

extension Representations {
    /// A document without rules, the same for all callers.
    fileprivate init(_ revision: BehaviorRevision) {
        self.init(
            revision,
            lastModified: revision.lastModified,
            // Any cache may store it, but revalidates each time: an edit is live at once.
            caching: [("Cache-Control", "no-cache")]
        )
    }

    /// A document with these caching fields.
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
