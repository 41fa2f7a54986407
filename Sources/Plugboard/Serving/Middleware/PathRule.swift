import HTTPSyntax
import HTTPServer

/// The server settings of a ``Middleware`` below a path.
///
/// They apply before the middleware runs, or while a body is read.
struct PathRule: Sendable {
    /// The prefix of the paths, in normal form.
    let prefix: String
    /// The limit of bodies in bytes, as sent and inflated; nil for the server's limit.
    var bodyLimit: Int?
    /// The compression of responses, if it has a lower threshold than the server's.
    var coding: ResponseCompression?

    init(prefix: String, bodyLimit: Int? = nil, coding: ResponseCompression? = nil) {
        self.prefix = PercentCoding.normalized(prefix.utf8)
        self.bodyLimit = bodyLimit
        self.coding = coding
    }
}
