/// A URL as a log or an error may show it: without what may be a secret.
package enum ShownURL {
    /// `https://…@host/keys?…` of `https://ada:secret@host/keys?token=1`.
    ///
    /// Where it was forgotten to encode them a password has a `/`, a `?`, an `@`: all before the last
    /// `@` goes, wherever that is, and so does all of a query or a fragment.
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

    /// The same of what may be a file's path as well, which is shown as it is where nothing in it can be
    /// a secret.
    package static func text(ofFileOrURL text: String) -> String {
        mayHaveSecret(fileOrURL: text) ? Self.text(text) : text
    }

    /// Whether a file or a URL may be one with a name and a password in it.
    package static func mayHaveUser(fileOrURL text: String) -> Bool {
        seemsURL(text) && text.contains("@")
    }

    /// Whether a file or a URL may be one with a name, a password or a query in it, its scheme forgotten
    /// or not.
    ///
    /// Few files have such names, and those are still found: they are but shown with less of them.
    package static func mayHaveSecret(fileOrURL text: String) -> Bool {
        if mayHaveUser(fileOrURL: text) || text.contains(where: { "?#".contains($0) }) {
            return true
        }
        // `ada:secret@host`: before the `@` there is a colon, which a path with an `@` seldom has.
        return text.lastIndex(of: "@").map { text[..<$0].contains(":") } ?? false
    }

    /// With one slash, too: what was meant as a URL and is none is shown as none, either.
    private static func seemsURL(_ text: String) -> Bool { text.contains(":/") }

    /// Where a scheme is over (RFC 3986 §3.1); the text's beginning where it has none.
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
