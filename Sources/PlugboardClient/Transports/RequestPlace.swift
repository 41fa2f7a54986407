import HTTPSyntax
import HTTPTransport
import HTTPTypes

/// The place of a request: scheme, authority, and path with query.
struct RequestPlace: Sendable, Equatable {
    var scheme: String
    var authority: String
    var target: String

    init(scheme: String, authority: String, target: String) {
        self.scheme = scheme
        self.authority = authority
        self.target = target
    }

    init(_ request: HTTPRequest) {
        self.init(
            scheme: request.scheme ?? "",
            authority: request.authority ?? "",
            target: request.path ?? "/"
        )
    }

    init(_ base: BaseURL) {
        self.init(scheme: base.scheme, authority: base.authority.text, target: "/")
    }

    /// The scheme, host and port; nil if they are invalid.
    var origin: (scheme: String, host: String, port: UInt16)? {
        let port: UInt16 = scheme == "https" ? 443 : 80
        guard let authority = HostAndPort(authority, defaultPort: port) else { return nil }
        return (scheme, authority.host.lowercased(), authority.port)
    }

    /// Returns whether both have the same scheme, host and port (RFC 6454 §5).
    func hasOrigin(of other: RequestPlace) -> Bool {
        guard let mine = origin, let others = other.origin else { return false }
        return mine == others
    }

    /// Returns the place of a reference in a response to a request here (RFC 3986 §5.2).
    ///
    /// Nil for another scheme than http and https, and for an invalid reference.
    func resolve(_ reference: String) -> RequestPlace? {
        let reference = reference.prefix { $0 != "#" }
        guard reference.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let path = target.prefix { $0 != "?" }
        let start = reference.prefix { $0 != "/" && $0 != "?" }
        if let colon = start.firstIndex(of: ":") {
            let scheme = start[..<colon].lowercased()
            let rest = reference[reference.index(after: colon)...]
            guard scheme == "http" || scheme == "https", rest.hasPrefix("//") else { return nil }
            return Self.absolute(scheme, rest.dropFirst(2))
        }
        if reference.hasPrefix("//") { return Self.absolute(scheme, reference.dropFirst(2)) }
        var place = self
        if reference.isEmpty { return place }
        if reference.hasPrefix("?") {
            place.target = String(path) + reference
        } else if reference.hasPrefix("/") {
            place.target = Self.withoutDots(reference)
        } else {
            let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            place.target = Self.withoutDots(folder + reference)
        }
        return place
    }

    private static func absolute(_ scheme: String, _ rest: Substring) -> RequestPlace? {
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let target = rest[end...]
        let place = RequestPlace(
            scheme: scheme,
            authority: String(rest[..<end]),
            target: target.hasPrefix("/") ? withoutDots(target) : "/" + target
        )
        return place.origin == nil ? nil : place
    }

    /// Removes the segments `.` and `..` (RFC 3986 §5.2.4).
    private static func withoutDots(_ target: Substring) -> String {
        let path = target.prefix { $0 != "?" }
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in all.enumerated() {
            let isLast = index == all.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        return "/" + segments.joined(separator: "/") + target[path.endIndex...]
    }
}
