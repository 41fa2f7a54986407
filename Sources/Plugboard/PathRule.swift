import HTTPSyntax
import HTTPServer

/// What a ``Middleware`` has the server do otherwise below a path: that which is done before a
/// middleware is asked, or while a body is read.
struct PathRule: Sendable {
    /// The beginning of the paths, in normal form.
    let prefix: String
    /// The most bytes of a body, as sent and inflated, if they are fewer than the server takes.
    var bodyLimit: Int?
    /// What codes answers, if that is sooner than the server does.
    var coding: AnswerCoding?

    init(prefix: String, bodyLimit: Int? = nil, coding: AnswerCoding? = nil) {
        self.prefix = PercentCoding.normalized(prefix.utf8)
        self.bodyLimit = bodyLimit
        self.coding = coding
    }
}

extension ServerResponder {
    /// The most bytes of a request's body, `limit` of them if no rule says less.
    func bodyLimit(_ limit: Int, of head: RequestHead) -> Int {
        rules(for: head).compactMap(\.bodyLimit).reduce(limit, min)
    }

    /// What codes the answer to a request that is given a tag, which is that of its coded form then: a
    /// middleware comes too late for that.
    @inline(__always)
    func coding(ofTagged head: RequestHead) -> AnswerCoding {
        rules.isEmpty
            ? coding : rules(for: head).compactMap(\.coding).reduce(coding, AnswerCoding.sooner)
    }

    private func rules(for head: RequestHead) -> [PathRule] {
        rules.filter { head.path.starts(with: $0.prefix.utf8) }
    }
}
