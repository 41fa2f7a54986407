import HTTPSyntax
import HTTPServer

/// One representation of a resource that is kept as bytes, with a tag of its own (RFC 9110 §8.8.3.3):
/// its answers are made once, not per request.
///
/// A class, so that looking at one retains one reference and not the three of its parts.
final class Representation: Sendable {
    let validators: Validators
    let full: Response
    let notModified: Response
    private let isDated: Bool

    enum Coding { case plain, gzip }

    /// A representation of bytes that are coded already, where they are.
    ///
    /// `etag` is the strong tag of the bytes without a coding; `caching` are the fields that a 304 has,
    /// too (RFC 9110 §15.4.5). Without a time of the last change it is judged by tags alone.
    init(
        _ bytes: [UInt8],
        _ coding: Coding,
        etag: String,
        lastModified: Int? = nil,
        mediaType: String,
        _ caching: [(name: String, value: String)]
    ) {
        let isCoded = coding == .gzip
        let etag = isCoded ? ContentCoding.gzipTag(of: etag) : etag
        let shared = [("ETag", etag)] + caching
        var described = shared
        // A 304 has no date beside its tag (RFC 9110 §15.4.5).
        if let lastModified { described.append(("Last-Modified", HTTPDate.string(lastModified))) }
        if isCoded { described.append(ContentCoding.gzip) }
        described.append(("Content-Type", mediaType))
        var full = Response(
            status: 200,
            fields: ResponseFields(described),
            body: .bytes(bytes)
        )
        full.isKept = true
        isDated = lastModified != nil
        validators = Validators(etag: Array(etag.utf8), lastModified: lastModified ?? 0)
        self.full = full
        notModified = Response(status: 304, fields: ResponseFields(shared), body: .none)
    }

    /// Answers a GET or HEAD by its conditions about tags alone.
    @inline(__always)
    func answer(_ head: RequestHead) -> Response {
        switch Preconditions.evaluate(head, etag: validators.etag) {
        case .proceed: full
        case .notModified: notModified
        case .failed: Self.failed
        }
    }

    /// Answers a GET or HEAD by its conditions about tags, and about dates where it has one.
    @inline(__always)
    func answer(_ head: RequestHead, now: Int) -> Response {
        guard isDated else { return answer(head) }
        return switch Preconditions.evaluate(head, validators, now: now) {
        case .proceed: full
        case .notModified: notModified
        case .failed: Self.failed
        }
    }

    private static var failed: Response {
        ProblemAnswer.make(412, "the document is not in the state asked for")
    }
}
