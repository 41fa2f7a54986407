import HTTPSyntax
import HTTPServer

/// One representation of a resource in memory, with its own entity tag (RFC 9110 §8.8.3.3).
///
/// Its responses are built once, not per request. A class, because reading one then retains one
/// reference instead of three.
final class Representation: Sendable {
    let validators: Validators
    let full: Response
    let notModified: Response
    private let isDated: Bool

    enum Coding { case plain, gzip }

    /// Creates a representation of bytes that already have their content coding.
    ///
    /// `etag` is the strong tag of the bytes without a coding. `caching` has the fields that a 304
    /// has, too (RFC 9110 §15.4.5). Without `lastModified`, conditions are evaluated by tags alone.
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
        // A 304 with an ETag has no Last-Modified (RFC 9110 §15.4.5).
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

    /// Returns the response to a GET or HEAD, after its conditions on tags.
    @inline(__always)
    func answer(_ head: RequestHead) -> Response {
        switch Preconditions.evaluate(head, etag: validators.etag) {
        case .proceed: full
        case .notModified: notModified
        case .failed: Self.failed
        }
    }

    /// Returns the response to a GET or HEAD, after its conditions on tags and, if dated, on dates.
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
        ProblemResponse.make(412, "the document doesn't meet the preconditions")
    }
}
