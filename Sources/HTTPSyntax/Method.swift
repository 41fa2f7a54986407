/// The request methods that the server distinguishes (RFC 9110 §9.3, RFC 5789).
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// Another registered method, such as PROPFIND: known, and allowed by no resource.
    case registered
    /// Any other token: rejected with 501 (RFC 9110 §9.1).
    case unknown

    /// The method's name on the wire; empty for methods that the server doesn't distinguish.
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
        case .registered, .unknown: ""
        }
    }

    /// Parses a method's name, which is case-sensitive (RFC 9110 §9.1).
    @inline(__always)
    package init(_ token: ByteSpan) {
        switch token.count {
        case 3 where token.equals("GET"): self = .get
        case 3 where token.equals("PUT"): self = .put
        case 4 where token.equals("POST"): self = .post
        case 4 where token.equals("HEAD"): self = .head
        case 5 where token.equals("PATCH"): self = .patch
        case 5 where token.equals("TRACE"): self = .trace
        case 6 where token.equals("DELETE"): self = .delete
        case 7 where token.equals("OPTIONS"): self = .options
        case 7 where token.equals("CONNECT"): self = .connect
        default: self = Self.isRegistered(token) ? .registered : .unknown
        }
    }

    @inline(never)
    private static func isRegistered(_ token: ByteSpan) -> Bool {
        registeredNames.contains { token.equals($0) }
    }

    /// The other methods of IANA's registry (RFC 9110 §16.1.1, §18.2).
    package static let registeredNames: [StaticString] = [
        "*", "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK",
        "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE",
        "MOVE", "ORDERPATCH", "PRI", "PROPFIND", "PROPPATCH", "QUERY", "REBIND", "REPORT", "SEARCH",
        "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF",
        "VERSION-CONTROL",
    ]
}
