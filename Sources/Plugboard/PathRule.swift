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
    var coding: AnswerCoding?

    init(prefix: String, bodyLimit: Int? = nil, coding: AnswerCoding? = nil) {
        self.prefix = PercentCoding.normalized(prefix.utf8)
        self.bodyLimit = bodyLimit
        self.coding = coding
    }
}

extension ServerResponder {
    /// Returns the size limit of a request's body: the lowest of `limit` and the rules'.
    func bodyLimit(_ limit: Int, of head: RequestHead) -> Int {
        rules(for: head).compactMap(\.bodyLimit).reduce(limit, min)
    }

    /// Returns the compression of a tagged response.
    ///
    /// A tag names the compressed bytes, so a middleware would compress too late.
    @inline(__always)
    func coding(ofTagged head: RequestHead) -> AnswerCoding {
        rules.isEmpty
            ? coding : rules(for: head).compactMap(\.coding).reduce(coding, AnswerCoding.sooner)
    }

    private func rules(for head: RequestHead) -> [PathRule] {
        rules.filter { head.path.starts(with: $0.prefix.utf8) }
    }
}
