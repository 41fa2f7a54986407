import HTTPSyntax
import PlugHTTP

/// The common part of the URLs of a client's requests: `http://host:8080/prefix`.
struct BaseURL: Sendable, Equatable {
    let scheme: String
    let authority: Authority
    /// The prefix of each path: empty, or with a leading slash and no trailing one.
    let prefix: String

    /// - Throws: ``ClientError`` of kind `invalidURL` with the reason, without a possible password.
    init(_ text: String) throws(ClientError) {
        func invalid(_ reason: String) -> ClientError {
            let shown = ShownURL.text(text)
            return ClientError(.invalidURL, "\"\(shown)\" is not a valid client URL: \(reason)")
        }
        // Rejected anywhere in the URL: the text before it may be part of a password.
        guard !text.contains("@") else {
            throw invalid("it has a name or a password: use a header field, and write %40 for @")
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let scheme = parts[0].lowercased()
        guard scheme == "http" || scheme == "https", parts.count == 2, parts[1].hasPrefix("//")
        else { throw invalid("it must start with http:// or https://") }
        self.scheme = scheme

        let rest = parts[1].dropFirst(2)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        guard
            let authority = Authority(
                String(rest[..<slash]),
                defaultPort: scheme == "http" ? 80 : 443
            )
        else { throw invalid("its host or port is invalid") }
        self.authority = authority

        var prefix = rest[slash...]
        while prefix.last == "/" { prefix.removeLast() }
        let isPath = prefix.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        guard isPath else {
            throw invalid("its path must be percent-encoded, without a query or a fragment")
        }
        self.prefix = String(prefix)
    }
}

/// The key of pooled connections: protocol and address of a server.
struct Origin: Sendable, Hashable {
    let isSecure: Bool
    let authority: Authority
}

/// A host and a port: `localhost:8080`, `[::1]:8080`.
package struct Authority: Sendable, Hashable {
    /// A name or an address, without the brackets of an IPv6 address.
    package let host: String
    let port: UInt16
    /// The text for the `Host` field.
    let text: String

    /// Returns nil if the text isn't a host and port, or if the port is 0.
    ///
    /// Also nil if the host contains characters that Internet names can't have.
    package init?(_ text: String, defaultPort: UInt16) {
        var text = text
        let parts = text.withUTF8 { bytes -> (host: String, port: Int?)? in
            guard HTTPSyntax.Authority.isValid(bytes), bytes.last != 0x3A else { return nil }
            let host = HTTPSyntax.Authority.host(of: bytes)
            let isName = host.allSatisfy { byte in
                ByteClass.isUnreserved(byte) && byte != 0x7E || byte == 0x3A
            }
            return isName ? (host.text, HTTPSyntax.Authority.port(of: bytes)) : nil
        }
        guard let parts, let port = UInt16(exactly: parts.port ?? Int(defaultPort)), port > 0 else {
            return nil
        }
        host = parts.host
        self.port = port
        self.text = text
    }
}
