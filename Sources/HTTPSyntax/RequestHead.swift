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

/// The delimitation of a request's body (RFC 9112 §6.3).
///
/// An HTTP/2 body without a Content-Length counts as `chunked`, since frames delimit it.
package enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
}

/// Rarely used fields, recorded while the head is parsed, so that no later search is needed.
package struct RareFields: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The request has a `Request-Timeout`.
    package static let timeout = RareFields(rawValue: 1)
    /// The request has an `Idempotency-Key`.
    package static let idempotency = RareFields(rawValue: 2)
    /// The request has an `If-Match` or an `If-None-Match` (RFC 9110 §13.1).
    package static let match = RareFields(rawValue: 4)
    /// The request has a `Plugboard-Guard`.
    package static let reports = RareFields(rawValue: 8)
}

/// A request's head, parsed and valid.
///
/// Its spans point into the parsed buffer and are valid as long as that buffer: during the
/// responder's call.
package struct RequestHead {
    package var method = Method.unknown
    /// The method as sent.
    package var methodName = ByteSpan(start: nil, count: 0)
    /// The target URI's scheme: from an absolute target or HTTP/2, otherwise the connection's (RFC
    /// 9112 §3.3, RFC 9113 §8.3.1).
    ///
    /// On a plain connection https comes from a gateway that terminates TLS, or from a client that
    /// claims it (RFC 9110 §7.4).
    package var scheme = Scheme.http
    package var form = TargetForm.origin
    /// The major version used with this client: 1 or 2.
    package var majorVersion: UInt8 = 1
    /// The minor version used with this client: 0 or 1.
    package var minorVersion: UInt8 = 1
    package var keepsAlive = true
    package var expectsContinue = false
    /// The client offers to upgrade to HTTP/2 and has sent HTTP2-Settings (RFC 7540 §3.2).
    package var offersHTTP2 = false
    /// Whether the request has an identifier of another system: `traceparent` or `X-Request-ID`.
    package var isKnownElsewhere = false
    /// Whether the request has a field that only browsers send: `Origin` or `Sec-Fetch-Site`.
    package var isFromBrowser = false
    /// The rarely used fields that the request has.
    package var demands: RareFields = []
    package var framing = BodyFraming.none
    /// The path in normal form, in which equivalent spellings are equal (RFC 3986 §6.2.2).
    ///
    /// Only octets that are invalid in a segment are percent-encoded, in upper case. The path
    /// begins with "/", or is "*" in asterisk-form.
    package var path = ByteSpan(start: nil, count: 0)
    /// The path as sent.
    package var rawPath = ByteSpan(start: nil, count: 0)
    /// The query as sent, without the "?"; nil without one.
    package var query: ByteSpan?
    /// The authority: from the target in absolute-form, otherwise from Host (RFC 9112 §3.3).
    package var authority = ByteSpan(start: nil, count: 0)
    /// The field lines, in their order on the wire.
    package var fields = UnsafeBufferPointer<FieldLine>(start: nil, count: 0)
    /// The head's length in bytes, including the empty line.
    package var length = 0

    package init() {}

    /// Sets `path` to the normal form of `rawPath`.
    ///
    /// - Parameter scratch: Memory of at least the path's length, valid as long as the head.
    package mutating func normalizePath(in scratch: UnsafeMutablePointer<UInt8>) {
        path = ByteSpan(start: scratch, count: PercentCoding.normalize(rawPath, into: scratch))
    }

    /// The value of the first field with that name, given in lower case.
    package func field(_ name: StaticString) -> ByteSpan? {
        for line in fields where line.name.equals(lowercase: name) { return line.value }
        return nil
    }

    /// The number of field lines with that name, given in lower case.
    package func count(of name: StaticString) -> Int {
        fields.count { $0.name.equals(lowercase: name) }
    }
}
