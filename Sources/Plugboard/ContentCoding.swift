import HTTPSyntax
import HTTPServer

/// What answers say of their coding (RFC 9110 §8.4, §12.5.5).
enum ContentCoding {
    static let gzip: (name: String, value: String) = ("Content-Encoding", "gzip")
    /// Goes with every representation of a resource that has several, so that a cache asks.
    static let vary: (name: String, value: String) = ("Vary", "Accept-Encoding")

    /// The tag of the gzip-coded variant: one tag names one run of bytes (RFC 9110 §8.8.3.3).
    static func gzipTag(of etag: String) -> String { "\(etag.dropLast())-gzip\"" }
}
