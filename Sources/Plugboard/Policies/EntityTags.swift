import Digests
import HTTPSyntax
import HTTPServer
import Identity

/// The strong entity tags of responses (RFC 9110 §8.8.3), digests of the bytes.
///
/// A gzip-coded response has different bytes, so its own tag. Either tag is valid as the condition
/// of a change; a read compares the tag of the bytes that it would send.
enum EntityTags {
    /// The entity tag conditions of a request.
    struct Condition: Sendable {
        /// The lists as received; nil if the field is missing.
        let ifMatch: [UInt8]?
        let ifNoneMatch: [UInt8]?

        /// Nil for a request without conditions.
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

    /// The tag against which the conditions of a GET or HEAD are evaluated.
    enum Conditions {
        /// The tag of each response.
        case tagged
        /// None: the responses have no tags.
        case untagged
        /// Unknown here: the action evaluates the conditions itself.
        case evaluatedByAction
    }

    /// Returns the reply, compressed if the client accepts gzip, after evaluating the conditions of
    /// a GET or HEAD.
    static func judge(
        _ reply: Reply,
        to head: RequestHead,
        _ conditions: Conditions,
        _ coding: ResponseCompression
    ) -> Reply {
        guard head.method == .get || head.method == .head else {
            return coding.code(reply, for: head)
        }
        let judge:
            @Sendable (Response, Condition?, ResponseCompression, _ prefersGzip: Bool) -> Response
        switch conditions {
        case .tagged: judge = conditional
        case .untagged where head.demands.contains(.match): judge = untagged
        case .untagged, .evaluatedByAction: return coding.code(reply, for: head)
        }
        let condition = Condition(head)
        let prefersGzip = AcceptEncoding.prefersGzip(head)
        return reply.mapBytes { judge($0, condition, coding, prefersGzip) }
    }

    /// Returns the tag of those bytes, without its quotes.
    static func tag(_ bytes: [UInt8]) -> [UInt8] {
        let digest = bytes.withUnsafeBufferPointer(Digest.sha256)
        return Array(Hexadecimal.encode(digest.prefix(16)).utf8)
    }

    static let gzipSuffix = Array("-gzip".utf8)

    /// Whether a list contains the tag of a response in either coding, or is "*".
    static func matches(_ list: [UInt8], _ tag: [UInt8], strong: Bool) -> Bool {
        has(list, tag, strong: strong) || has(list, tag + gzipSuffix, strong: strong)
    }

    /// Whether a list contains that tag, or is "*".
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

    /// Returns the bytes of a response that can have a tag: a complete one in memory.
    static func taggable(_ response: Response) -> [UInt8]? {
        guard response.status == 200, case .bytes(let bytes) = response.body else { return nil }
        return bytes
    }

    /// Returns the response to a GET or HEAD with its tag, compressed if the client accepts gzip.
    ///
    /// Returns 304 if the client has it.
    private static func conditional(
        _ response: Response,
        _ condition: Condition?,
        _ coding: ResponseCompression,
        prefersGzip: Bool
    ) -> Response {
        guard let bytes = taggable(response) else {
            return untagged(response, condition, coding, prefersGzip: prefersGzip)
        }
        let tag = tag(bytes)
        let likely = prefersGzip ? tag + gzipSuffix : tag
        if let list = condition?.ifNoneMatch, condition?.ifMatch == nil, !isAny(list),
            has(list, likely, strong: false)
        {
            // Only a compressed response had this tag, so a match needs no compression.
            return notModified(response, coding, likely)
        }
        var coded = coding.code(response, prefersGzip: prefersGzip)
        let selected = ResponseCompression.isCoded(coded) ? tag + gzipSuffix : tag
        if let list = condition?.ifMatch, !has(list, selected, strong: true) { return failed }
        if let list = condition?.ifNoneMatch, has(list, selected, strong: false) {
            return notModified(response, coding, selected)
        }
        coded.fields += line(selected)
        return coded
    }

    /// Returns the response to a GET or HEAD without a tag, compressed if the client accepts gzip.
    ///
    /// No list of tags matches it; "*" matches any response (RFC 9110 §13.1.1, §13.1.2).
    private static func untagged(
        _ response: Response,
        _ condition: Condition?,
        _ coding: ResponseCompression,
        prefersGzip: Bool
    ) -> Response {
        // An error response takes precedence over the conditions (RFC 9110 §13.2.1).
        guard let condition, 200..<300 ~= response.status else {
            return coding.code(response, prefersGzip: prefersGzip)
        }
        if let list = condition.ifMatch, !isAny(list) { return failed }
        if let list = condition.ifNoneMatch, isAny(list) { return notModified(response, coding) }
        return coding.code(response, prefersGzip: prefersGzip)
    }

    /// Whether a list is "*", which matches any existing resource.
    private static func isAny(_ list: [UInt8]) -> Bool {
        list.withUnsafeBufferPointer { $0.trimmed.elementsEqual([0x2A]) }
    }

    /// Returns a 304 with the fields of the full response, except those of its body (RFC 9110
    /// §15.4.5).
    ///
    /// It isn't compressed, since it has no body.
    private static func notModified(
        _ response: Response,
        _ coding: ResponseCompression,
        _ tag: [UInt8]? = nil
    ) -> Response {
        var known = coding.code(response, prefersGzip: false)
        known.status = 304
        known.body = .none
        known.fields = known.fields.without("content-type") + (tag.map(line) ?? [:])
        return known
    }

    /// Whether a change requires a tag of a resource without one; it mustn't be made (RFC 9110
    /// §13.1.1).
    static func isUnmet(byUntagged head: RequestHead) -> Bool {
        switch head.method {
        case .put, .patch, .post, .delete: break
        default: return false
        }
        guard let list = Condition(head)?.ifMatch else { return false }
        return !isAny(list)
    }

    /// The response to an unmet `If-Match`.
    static var failed: Response {
        ProblemResponse.make(412, "the entity tag doesn't meet the condition, or there is none")
    }

    private static func line(_ tag: [UInt8]) -> ResponseFields {
        ["ETag": "\"\(String(decoding: tag, as: UTF8.self))\""]
    }
}
