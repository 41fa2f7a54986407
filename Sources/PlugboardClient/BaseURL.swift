import HTTPSyntax
import PlugHTTP

/// The part of a URL that all of a client's requests share: `http://host:8080/prefix`.
struct BaseURL: Sendable, Equatable {
    let scheme: String
    let authority: Authority
    /// What stands before each path: empty, or with a slash in front and none at the end.
    let prefix: String

    /// - Throws: a ``ClientError`` of kind `invalidURL` that says what is wrong, and nothing that may
    ///   be a password.
    init(_ text: String) throws(ClientError) {
        func invalid(_ reason: String) -> ClientError {
            let shown = ShownURL.text(text)
            return ClientError(.invalidURL, "\"\(shown)\" is no URL for a client: \(reason)")
        }
        // Wherever it is: what stands before one may be a part of a password.
        guard !text.contains("@") else {
            throw invalid("it has a name or a password, which belong in a field; an @ is %40")
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
        else { throw invalid("its host or port is none") }
        self.authority = authority

        var prefix = rest[slash...]
        while prefix.last == "/" { prefix.removeLast() }
        let isPath = prefix.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        guard isPath else {
            throw invalid("its path is percent-encoded, without query or fragment")
        }
        self.prefix = String(prefix)
    }
}

/// A server as connections are kept for it: what is spoken, and where.
struct Origin: Sendable, Hashable {
    let isSecure: Bool
    let authority: Authority
}

/// A host and a port: `localhost:8080`, `[::1]:8080`.
package struct Authority: Sendable, Hashable {
    /// A name or an address, without the brackets of an IPv6 address.
    package let host: String
    let port: UInt16
    /// The text as the `Host` field has it.
    let text: String

    /// Nil if the text is no host and port, or has a port of 0, or a host of characters that no name on
    /// the Internet has.
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
