/// A request's method, as far as the server tells them apart (RFC 9110 §9.3, RFC 5789).
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// Any other token: answered with 501 (RFC 9110 §9.1).
    case unknown

    /// The method's name on the wire.
    package var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .unknown: ""
        }
    }

    /// Reads a method's name.
    ///
    /// Methods are case-sensitive (RFC 9110 §9.1).
    @inline(__always)
    package init(_ token: ByteSpan) {
        switch token.count {
        case 3: self = token.equals("GET") ? .get : token.equals("PUT") ? .put : .unknown
        case 4: self = token.equals("POST") ? .post : token.equals("HEAD") ? .head : .unknown
        case 5: self = token.equals("PATCH") ? .patch : token.equals("TRACE") ? .trace : .unknown
        case 6: self = token.equals("DELETE") ? .delete : .unknown
        case 7:
            self =
                token.equals("OPTIONS") ? .options : token.equals("CONNECT") ? .connect : .unknown
        default: self = .unknown
        }
    }
}

/// A target URI's scheme (RFC 9110 §4.2).
package enum Scheme: UInt8, Sendable {
    case http, https

    /// The scheme's name.
    package var name: StaticString {
        switch self {
        case .http: "http"
        case .https: "https"
        }
    }
}

/// The form of a request's target (RFC 9112 §3.2).
package enum TargetForm: UInt8 {
    case origin, absolute, authority, asterisk
}

/// How a request's body is delimited (RFC 9112 §6.3).
///
/// In HTTP/2, where frames do that, a body without a Content-Length counts as `chunked`.
package enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
}

/// What a request asks for beside its answer: fields that few requests have, noted while they are
/// read, so that nobody has to look for them.
package struct Demands: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It has a `Request-Timeout`.
    package static let timeout = Demands(rawValue: 1)
    /// It has an `Idempotency-Key`.
    package static let idempotency = Demands(rawValue: 2)
    /// It has an `If-Match` or an `If-None-Match` (RFC 9110 §13.1).
    package static let match = Demands(rawValue: 4)
}

/// A request's head, read and found valid.
///
/// Its spans point into the buffer it was parsed from and are valid only as long as that is: during
/// the responder's call.
package struct RequestHead {
    package var method = Method.unknown
    /// The method as sent.
    package var methodName = ByteSpan(start: nil, count: 0)
    /// The target URI's scheme: what an absolute target and HTTP/2 say it is, otherwise the
    /// connection's (RFC 9112 §3.3, RFC 9113 §8.3.1).
    ///
    /// On a plain connection it is https where a gateway before the server speaks TLS and says so;
    /// nobody vouches for that (RFC 9110 §7.4).
    package var scheme = Scheme.http
    package var form = TargetForm.origin
    /// 1 or 2: the major version as spoken with this client.
    package var majorVersion: UInt8 = 1
    /// 0 or 1: the minor version as spoken with this client.
    package var minorVersion: UInt8 = 1
    package var keepsAlive = true
    package var expectsContinue = false
    /// The client offers to go on in HTTP/2, its settings in HTTP2-Settings (RFC 7540 §3.2).
    package var offersHTTP2 = false
    /// It has a field by which it is known elsewhere, too: `traceparent` or `X-Request-ID`.
    package var isKnownElsewhere = false
    /// What it asks for beside its answer.
    package var demands: Demands = []
    package var framing = BodyFraming.none
    /// The path in normal form: of all its spellings the one that is compared (RFC 3986 §6.2.2).
    ///
    /// Only octets that no segment may contain are percent-encoded, in upper case. It has its
    /// leading "/"; in asterisk-form it is "*".
    package var path = ByteSpan(start: nil, count: 0)
    /// The path as sent.
    package var rawPath = ByteSpan(start: nil, count: 0)
    /// The query as sent, without the "?"; nil where there is none.
    package var query: ByteSpan?
    /// The authority: of the target in absolute-form, of Host otherwise (RFC 9112 §3.3).
    package var authority = ByteSpan(start: nil, count: 0)
    /// The field lines, in the order they came.
    package var fields = UnsafeBufferPointer<FieldLine>(start: nil, count: 0)
    /// The head's length in bytes, the empty line included.
    package var length = 0

    package init() {}

    /// Takes over a path that was read from the target, in memory for its normal form.
    ///
    /// - Parameter scratch: memory for as many bytes as the path has, valid as long as the head.
    package mutating func normalizePath(in scratch: UnsafeMutablePointer<UInt8>) {
        path = ByteSpan(start: scratch, count: PercentCoding.normalize(rawPath, into: scratch))
    }

    /// The value of the first field of that name, which is given in lower case.
    package func field(_ name: StaticString) -> ByteSpan? {
        for line in fields where line.name.equals(lowercase: name) { return line.value }
        return nil
    }

    /// How many field lines have that name, which is given in lower case.
    package func count(of name: StaticString) -> Int {
        fields.count { $0.name.equals(lowercase: name) }
    }
}
