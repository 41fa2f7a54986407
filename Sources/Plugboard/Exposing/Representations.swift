import HTTPSyntax
import HTTPServer

/// The plain and the gzip-coded representation of a resource in memory (RFC 9110 §12.5.3).
///
/// The gzip-coded one exists only if it is smaller. A structure, which saves its owner one
/// indirection.
struct Representations: Sendable {
    private let plain: Representation
    /// The gzip-coded representation; `plain` if the coded bytes aren't smaller.
    // Not optional: a test for nil would retain it.
    private let gzip: Representation

    /// Creates the representations of bytes and of the same bytes gzip-coded.
    ///
    /// `caching` has the fields that a 304 has, too, except for `Vary`. `Vary` names the fields in
    /// `varying`. With two representations it also names `Accept-Encoding` (RFC 9110 §12.5.5).
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
            // `joined` makes the standard library scan all conformances, once per start.
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

    /// Returns the response in the coding that the client accepts, after conditions on tags.
    @inline(__always)
    func answer(_ head: RequestHead) -> Response {
        AcceptEncoding.prefersGzip(head) ? gzip.answer(head) : plain.answer(head)
    }

    /// Returns the response in the coding that the client accepts, after conditions on tags and
    /// dates.
    @inline(__always)
    func answer(_ head: RequestHead, now: Int) -> Response {
        AcceptEncoding.prefersGzip(head)
            ? gzip.answer(head, now: now) : plain.answer(head, now: now)
    }
}
