import HTTPSyntax
import HTTPServer

/// The header fields of compressed responses (RFC 9110 §8.4, §12.5.5).
enum ContentCoding {
    static let gzip: (name: String, value: String) = ("Content-Encoding", "gzip")
    /// Sent with each representation of a resource that has several, so that caches separate them.
    static let vary: (name: String, value: String) = ("Vary", "Accept-Encoding")

    /// The entity tag of the gzip variant: a tag names exactly one sequence of bytes (RFC 9110
    /// §8.8.3.3).
    static func gzipTag(of etag: String) -> String { "\(etag.dropLast())-gzip\"" }
}
