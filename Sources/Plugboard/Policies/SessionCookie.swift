import HTTPSyntax

/// The cookie of sessions (RFC 6265 §4.1).
///
/// Scripts can't read it, and browsers send it with the requests of the server's own site only.
struct SessionCookie: Sendable {
    /// The name without the prefix and the port.
    static let commonName = "plugboard-session"

    /// The name, with the port under which the browser knows the server.
    ///
    /// A host's cookies are those of all its ports, so another server there has another name. Over TLS
    /// the name has a prefix: another host or an unencrypted page can't set it (RFC 6265bis §4.1.3.2).
    let name: String
    private let isSecure: Bool

    /// Creates the cookie for the scheme and the port of a request.
    init(of head: RequestHead) {
        isSecure = head.scheme == .https
        let port = Authority.port(of: head.authority) ?? (isSecure ? 443 : 80)
        name = "\(isSecure ? "__Host-" : "")\(Self.commonName)-\(port)"
    }

    /// The value of `Set-Cookie` that stores a secret until the browser ends.
    ///
    /// A server with plain HTTP can be behind a proxy with TLS. Then only the page's origin shows it.
    func field(storing secret: String, fromTLS: Bool) -> String {
        "\(name)=\(secret); \(attributes(isSecure || fromTLS))"
    }

    /// The value of `Set-Cookie` that removes the cookie.
    var removal: String { "\(name)=; Max-Age=0; \(attributes(isSecure))" }

    private func attributes(_ isSecure: Bool) -> String {
        "HttpOnly; SameSite=Strict; Path=/" + (isSecure ? "; Secure" : "")
    }

    /// The values of all cookies of the name in a request.
    ///
    /// Another port of the host can add some with other paths (RFC 6265 §8.6).
    static func values(in head: RequestHead) -> [String] {
        let lines = head.fields.filter { $0.name.equals(lowercase: "cookie") }
        guard !lines.isEmpty else { return [] }
        let start = SessionCookie(of: head).name + "="
        return lines.flatMap { line in
            line.value.text.split(separator: ";").compactMap { pair -> String? in
                let pair = pair.drop { $0 == " " || $0 == "\t" }
                return pair.hasPrefix(start) ? String(pair.dropFirst(start.count)) : nil
            }
        }
    }
}
