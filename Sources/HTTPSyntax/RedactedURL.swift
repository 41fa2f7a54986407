/// A URL for logs and errors, without possible secrets.
package enum RedactedURL {
    /// Returns `https://…@host/keys?…` for `https://ada:secret@host/keys?token=1`.
    ///
    /// A password may contain an unencoded `/`, `?` or `@`. So everything before the last `@` is
    /// removed, and all of a query or a fragment.
    package static func text(_ url: String) -> String {
        let start = start(of: url)
        var rest = url[start...]
        var text = String(url[..<start])
        if let sign = rest.lastIndex(of: "@") {
            text += "…"
            rest = rest[sign...]
        }
        let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        text += rest[..<end]
        return end == rest.endIndex ? text : "\(text)\(rest[end])…"
    }

    /// Returns the same for a URL or a file's path, unchanged if it can't contain a secret.
    package static func text(ofFileOrURL text: String) -> String {
        mayHaveSecret(fileOrURL: text) ? Self.text(text) : text
    }

    /// Returns whether a file or a URL may contain a user name and a password.
    package static func mayHaveUser(fileOrURL text: String) -> Bool {
        seemsURL(text) && text.contains("@")
    }

    /// Returns whether a file or a URL may contain a name, a password or a query, even without a
    /// scheme.
    ///
    /// Few files have such names. Such a file still works; only its logged name is shorter.
    package static func mayHaveSecret(fileOrURL text: String) -> Bool {
        if mayHaveUser(fileOrURL: text) || text.contains(where: { "?#".contains($0) }) {
            return true
        }
        // In `ada:secret@host` a colon precedes the `@`; that is rare in a path.
        return text.lastIndex(of: "@").map { text[..<$0].contains(":") } ?? false
    }

    /// One slash suffices, so that secrets in a mistyped URL are removed, too.
    private static func seemsURL(_ text: String) -> Bool { text.contains(":/") }

    /// Returns the end of the scheme (RFC 3986 §3.1), or the text's beginning if it has none.
    private static func start(of url: String) -> String.Index {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://"),
            url[..<colon].utf8.allSatisfy(isOfScheme)
        else { return url.startIndex }
        return url.index(colon, offsetBy: 3)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // + - .
        case 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }
}
