import HTTPSyntax

/// The other origins whose web pages may use a server (RFC 6454).
///
/// A browser sends a user's certificates and cookies with any page's requests. So a page of another
/// origin could act for its user.
struct AllowedOrigins: Sendable {
    private let origins: [[UInt8]]
    /// Whether pages of every origin are allowed.
    let allowsAny: Bool

    /// `origins` has texts such as `https://app.example`; `*` allows all.
    init(_ origins: [String]) {
        self.origins = origins.compactMap(Self.origin)
        allowsAny = origins.contains("*")
    }

    /// Whether an origin is listed, byte for byte as browsers send it.
    func contains(_ origin: String) -> Bool { origins.contains(Array(origin.utf8)) }

    /// Whether a request may do what its method says.
    ///
    /// - Safe methods change nothing. Browsers hide their responses from other origins.
    /// - A request without the fields of a browser is no page's.
    /// - A listed origin may use every method.
    /// - `Sec-Fetch-Site` is the browser's own statement (Fetch Metadata §2.3): the server's pages and
    ///   the user may use every method.
    /// - Without it, the origin has to be the server's: scheme, host and port (RFC 6454 §5).
    @inline(__always)
    func allows(_ head: RequestHead) -> Bool {
        guard head.isFromBrowser else { return true }
        return judge(head)
    }

    @inline(never)
    private func judge(_ head: RequestHead) -> Bool {
        switch head.method {
        case .get, .head, .options, .trace: return true
        case .post, .put, .patch, .delete, .connect, .registered, .unknown: break
        }
        if allowsAny { return true }
        var origin: ByteSpan?
        var site: ByteSpan?
        for line in head.fields {
            if line.name.equals(lowercase: "origin") {
                guard origin == nil else { return false }
                origin = line.value
            } else if line.name.equals(lowercase: "sec-fetch-site") {
                guard site == nil else { return false }
                site = line.value
            }
        }
        if let origin, isListed(origin) { return true }
        if let site { return site.equals("same-origin") || site.equals("none") }
        guard let origin else { return true }
        return Self.isOwn(origin, head)
    }

    private func isListed(_ origin: ByteSpan) -> Bool {
        origins.contains { listed in listed.withUnsafeBufferPointer { origin.equals($0) } }
    }

    /// Whether an origin is that of the request's target.
    private static func isOwn(_ origin: ByteSpan, _ head: RequestHead) -> Bool {
        let scheme = head.scheme.name
        let start = scheme.utf8CodeUnitCount + 3
        guard origin.count > start,
            origin.slice(0, start - 3).equals(lowercase: scheme),
            origin.slice(start - 3, start).equals("://")
        else { return false }
        let authority = origin.slice(start, origin.count)
        guard Authority.isValid(authority), Authority.isValid(head.authority) else { return false }
        let standard = head.scheme == .https ? 443 : 80
        return Authority.host(of: authority).equals(
            ignoringCase: Authority.host(of: head.authority)
        )
            && Authority.port(of: authority) ?? standard
                == Authority.port(of: head.authority) ?? standard
    }

    /// The start-up errors for texts that no browser sends, one sentence each.
    static func problems(_ origins: [String]) -> [String] {
        origins.filter { $0 != "*" && origin($0) == nil }.map {
            "\"\($0)\" is not an origin: use a scheme and a host such as https://app.example, or * "
                + "for all origins"
        }
    }

    /// An origin as browsers send it: in lower case, without the scheme's own port; nil if the text
    /// isn't an origin.
    private static func origin(_ text: String) -> [UInt8]? {
        let text = text.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where text.hasPrefix(scheme) {
            let authority = Array(text.utf8.dropFirst(scheme.utf8.count))
            guard authority.withUnsafeBufferPointer(Authority.isValid),
                !authority.contains(UInt8(ascii: "*"))
            else { return nil }
            return Array((text.hasSuffix(port) ? String(text.dropLast(port.count)) : text).utf8)
        }
        return nil
    }
}
