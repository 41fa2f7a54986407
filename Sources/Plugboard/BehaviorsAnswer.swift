import BehaviorStore
import HTTPCodec
import HTTPServer

/// A loop's answers for the behavior document: made once per revision, not per request.
struct BehaviorsAnswer {
    static let path: StaticString = "/behaviors.json"

    private let file: BehaviorFile
    private var version: Int
    private var validators: Validators
    private var full: Response
    private var notModified: Response

    init(_ file: BehaviorFile) {
        self.file = file
        version = file.version
        (validators, full, notModified) = Self.make(file.revision)
    }

    /// Answers a GET or HEAD.
    mutating func answer(_ head: RequestHead, now: Int) -> Response {
        if file.version != version {
            version = file.version
            (validators, full, notModified) = Self.make(file.revision)
        }
        switch Preconditions.evaluate(head, validators, now: now) {
        case .proceed: return full
        case .notModified: return notModified
        case .failed: return ProblemAnswer.make(412, "the document is not in the state asked for")
        }
    }

    private static func make(_ revision: BehaviorRevision) -> (Validators, Response, Response) {
        let shared: [(name: String, value: String)] = [
            ("ETag", revision.etag),
            ("Last-Modified", HTTPDate.string(revision.lastModified)),
            // Kept by whoever likes, and asked about each time: an edit is live at once.
            ("Cache-Control", "no-cache"),
        ]
        return (
            Validators(etag: Array(revision.etag.utf8), lastModified: revision.lastModified),
            Response(
                status: 200,
                fields: Response.fieldLines(shared + [("Content-Type", "application/json")]),
                body: .bytes(revision.bytes)
            ),
            Response(status: 304, fields: Response.fieldLines(shared), body: .none)
        )
    }
}
