import Digests
import HTTPSyntax
import HTTPServer
import Identity

/// The entity tags of answers (RFC 9110 §8.8.3): strong ones, digests of the bytes.
///
/// A gzip-coded answer has another one, since it has other bytes. To who changes what they are about
/// both say the same; to who reads, each is that of its own bytes.
enum EntityTags {
    /// What a request asks of tags.
    struct Condition: Sendable {
        /// The lists, as they came; nil where there is none.
        let ifMatch: [UInt8]?
        let ifNoneMatch: [UInt8]?

        /// Nil where the request asks for nothing.
        init?(_ head: RequestHead) {
            guard head.demands.contains(.match) else { return nil }
            ifMatch = Self.list(head, "if-match")
            ifNoneMatch = Self.list(head, "if-none-match")
        }

        private static func list(_ head: RequestHead, _ name: StaticString) -> [UInt8]? {
            var list: [UInt8]?
            for line in head.fields where line.name.equals(lowercase: name) {
                list = (list.map { $0 + [0x2C] } ?? []) + line.value
            }
            return list
        }
    }

    /// What the conditions of a GET or HEAD are held against.
    enum Conditions {
        /// The tag that each answer gets.
        case tagged
        /// There being no tag.
        case untagged
        /// Nothing: who makes the answers sees to them.
        case heeded
    }

    /// The reply to a request, coded if its client takes that; of what is read, what its conditions
    /// make of it.
    static func judge(
        _ reply: Reply,
        to head: RequestHead,
        _ conditions: Conditions,
        _ coding: AnswerCoding
    ) -> Reply {
        guard head.method == .get || head.method == .head else {
            return coding.code(reply, for: head)
        }
        let judge: @Sendable (Response, Condition?, AnswerCoding, _ takesGzip: Bool) -> Response
        switch conditions {
        case .tagged: judge = conditional
        case .untagged where head.demands.contains(.match): judge = untagged
        case .untagged, .heeded: return coding.code(reply, for: head)
        }
        let condition = Condition(head)
        let takesGzip = AcceptEncoding.takesGzip(head)
        return reply.mapBytes { judge($0, condition, coding, takesGzip) }
    }

    /// The tag of those bytes, without its quotes.
    static func tag(_ bytes: [UInt8]) -> [UInt8] {
        let digest = bytes.withUnsafeBufferPointer(Digest.sha256)
        let digits = Array("0123456789abcdef".utf8)
        return digest.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    static let gzipSuffix = Array("-gzip".utf8)

    /// Whether a list has one of an answer's tags, or is "*".
    static func matches(_ list: [UInt8], _ tag: [UInt8], strong: Bool) -> Bool {
        has(list, tag, strong: strong) || has(list, tag + gzipSuffix, strong: strong)
    }

    /// Whether a list has that tag, or is "*".
    private static func has(_ list: [UInt8], _ tag: [UInt8], strong: Bool) -> Bool {
        list.withUnsafeBufferPointer { list in
            list.trimmed.hasEntityTag(strong: strong) { quoted in
                guard quoted.count > 2, quoted[0] == 0x22, quoted[quoted.count - 1] == 0x22 else {
                    return false
                }
                return quoted.slice(1, quoted.count - 1).elementsEqual(tag)
            }
        }
    }

    /// The bytes of an answer that can have a tag: a whole one, without one of its own.
    static func taggable(_ response: Response) -> [UInt8]? {
        guard response.status == 200, case .bytes(let bytes) = response.body else { return nil }
        return bytes
    }

    /// The answer to a GET or HEAD with its tag, coded if its client takes that, or 304 where the
    /// client has it.
    private static func conditional(
        _ response: Response,
        _ condition: Condition?,
        _ coding: AnswerCoding,
        takesGzip: Bool
    ) -> Response {
        guard let bytes = taggable(response) else {
            return untagged(response, condition, coding, takesGzip: takesGzip)
        }
        let tag = tag(bytes)
        let likely = takesGzip ? tag + gzipSuffix : tag
        if let list = condition?.ifNoneMatch, condition?.ifMatch == nil, !isAny(list),
            has(list, likely, strong: false)
        {
            // Only what was coded has had that tag: nothing is coded to find out.
            return notModified(response, coding, likely)
        }
        var coded = coding.code(response, takesGzip: takesGzip)
        let selected = AnswerCoding.isCoded(coded) ? tag + gzipSuffix : tag
        if let list = condition?.ifMatch, !has(list, selected, strong: true) { return failed }
        if let list = condition?.ifNoneMatch, has(list, selected, strong: false) {
            return notModified(response, coding, selected)
        }
        coded.fields += line(selected)
        return coded
    }

    /// The answer to a GET or HEAD of what has no tag, coded if its client takes that: no list has the
    /// tag, and "*" is whatever is there (RFC 9110 §13.1.1, §13.1.2).
    private static func untagged(
        _ response: Response,
        _ condition: Condition?,
        _ coding: AnswerCoding,
        takesGzip: Bool
    ) -> Response {
        // What is refused without its conditions is refused so (RFC 9110 §13.2.1).
        guard let condition, 200..<300 ~= response.status else {
            return coding.code(response, takesGzip: takesGzip)
        }
        if let list = condition.ifMatch, !isAny(list) { return failed }
        if let list = condition.ifNoneMatch, isAny(list) { return notModified(response, coding) }
        return coding.code(response, takesGzip: takesGzip)
    }

    /// Whether a list is "*": whatever there is.
    private static func isAny(_ list: [UInt8]) -> Bool {
        list.withUnsafeBufferPointer { $0.trimmed.elementsEqual([0x2A]) }
    }

    /// A 304 with the fields that the whole answer would have, but those about its body
    /// (RFC 9110 §15.4.5); not coded, since nothing is sent.
    private static func notModified(
        _ response: Response,
        _ coding: AnswerCoding,
        _ tag: [UInt8]? = nil
    ) -> Response {
        var known = coding.code(response, takesGzip: false)
        known.status = 304
        known.body = .none
        known.fields = known.fields.without("content-type") + (tag.map(line) ?? [:])
        return known
    }

    /// Whether a change needs a tag that what has none can't have: then the change mustn't be made
    /// (RFC 9110 §13.1.1), whatever the client has its tag from.
    static func isUnmet(byUntagged head: RequestHead) -> Bool {
        switch head.method {
        case .put, .patch, .post, .delete: break
        default: return false
        }
        guard let list = Condition(head)?.ifMatch else { return false }
        return !isAny(list)
    }

    /// What a request is answered whose `If-Match` isn't met.
    static var failed: Response {
        ProblemAnswer.make(412, "its entity tag is not the one asked for, or it has none")
    }

    private static func line(_ tag: [UInt8]) -> ResponseFields {
        ["ETag": "\"\(String(decoding: tag, as: UTF8.self))\""]
    }
}
