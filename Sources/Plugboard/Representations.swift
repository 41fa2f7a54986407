import HTTPSyntax
import HTTPServer

/// What a client is given of a resource that is kept as bytes: the plain representation, or the
/// gzip-coded one, where that is smaller and the client takes it (RFC 9110 §12.5.3).
///
/// A structure, so that what holds one leads to the representations without a step more.
struct Representations: Sendable {
    private let plain: Representation
    /// The plain one where the coded one isn't smaller.
    // No optional: to look whether there is one would retain it.
    private let gzip: Representation

    /// Representations of bytes, and of the same ones coded.
    ///
    /// `caching` are the fields that a 304 has, too, but for `Vary`, which names the fields `varying`
    /// and, where there are two representations, the one that chooses among them (RFC 9110 §12.5.5).
    init(
        _ bytes: [UInt8],
        gzip coded: [UInt8]?,
        etag: String,
        lastModified: Int? = nil,
        mediaType: String,
        caching: [(name: String, value: String)],
        varying: [String] = []
    ) {
        let varying = varying + (coded == nil ? [] : [ContentCoding.vary.value])
        let vary = varying.first.map { first in
            // `joined` has the standard library look through all conformances, once a start.
            [("Vary", varying.dropFirst().reduce(first) { "\($0), \($1)" })]
        }
        func representation(
            _ bytes: [UInt8],
            _ coding: Representation.Coding
        ) -> Representation {
            Representation(
                bytes,
                coding,
                etag: etag,
                lastModified: lastModified,
                mediaType: mediaType,
                caching + (vary ?? [])
            )
        }
        plain = representation(bytes, .plain)
        gzip = coded.map { representation($0, .gzip) } ?? plain
    }

    /// Answers a GET or HEAD with the one that its client takes, by that one's conditions about tags.
    @inline(__always)
    func answer(_ head: RequestHead) -> Response {
        AcceptEncoding.takesGzip(head) ? gzip.answer(head) : plain.answer(head)
    }

    /// The same by its conditions about dates, too, where the resource has one.
    @inline(__always)
    func answer(_ head: RequestHead, now: Int) -> Response {
        AcceptEncoding.takesGzip(head)
            ? gzip.answer(head, now: now) : plain.answer(head, now: now)
    }
}
