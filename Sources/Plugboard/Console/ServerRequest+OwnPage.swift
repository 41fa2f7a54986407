import HTTPTypes

extension ServerRequest {
    /// Whether a page of this server, or a program, sent the request.
    ///
    /// A browser sends cookies with the requests of other pages, too: `SameSite` allows those of other
    /// ports of a host. So a cookie counts only in these requests:
    ///
    /// - `Sec-Fetch-Site`, the browser's own statement, is `same-origin`, or `none` for a person's
    ///   navigation with a safe method (Fetch Metadata §2.3).
    /// - Without it, `Origin` is the target's scheme, host and port (RFC 6454 §7).
    /// - Without both, the method is safe: browsers send `Origin` with all others (Fetch §3.2).
    var isOfOwnPage: Bool {
        let sites = head.headerFields[values: Self.site]
        let origins = head.headerFields[values: .origin]
        guard sites.count <= 1, origins.count <= 1 else { return false }
        let isSafe = [.get, .head, .options].contains(head.method)
        if let site = sites.first { return site == "same-origin" || site == "none" && isSafe }
        guard let origin = origins.first else { return isSafe }
        return origin.lowercased() == ownOrigin
    }

    /// The target's origin in lower case, as browsers write it: without the scheme's own port.
    private var ownOrigin: String? {
        guard let scheme = head.scheme?.lowercased(), let authority = head.authority?.lowercased()
        else { return nil }
        let standard = scheme == "https" ? ":443" : ":80"
        let isStandard = authority.hasSuffix(standard)
        return "\(scheme)://"
            + (isStandard ? String(authority.dropLast(standard.count)) : authority)
    }

    private static let site: HTTPField.Name = {
        guard let name = HTTPField.Name("Sec-Fetch-Site") else {
            preconditionFailure("the name is a token")
        }
        return name
    }()
}
