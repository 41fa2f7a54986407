import HTTPSyntax
package import HTTPTransport
import PlugHTTP

/// The common part of the URLs of a client's requests: `http://host:8080/prefix`.
package struct BaseURL: Sendable, Equatable {
    package let scheme: String
    package let authority: HostAndPort
    /// The prefix of each path: empty, or with a leading slash and no trailing one.
    package let prefix: String

    /// - Throws: `ClientError` of kind `invalidURL` with the reason, without a possible password.
    package init(_ text: String) throws(ClientError) {
        func invalid(_ reason: String) -> ClientError {
            let shown = RedactedURL.text(text)
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
            let authority = HostAndPort(
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
