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
    /// The text that it was made of, as the `Host` field has it.
    let text: String

    /// Nil where the text is none: user names are refused too, since they belong in a field.
    package init?(_ text: String, defaultPort: UInt16) {
        let host: Substring
        let port: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            port = text[text.index(after: end)...]
            guard host.contains(":"), host.utf8.allSatisfy(Self.isOfIPv6) else { return nil }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<colon]
            port = text[colon...]
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfName) else { return nil }
        }
        if port.isEmpty {
            self.port = defaultPort
        } else {
            guard port.first == ":", port.dropFirst().utf8.allSatisfy(Self.isDigit),
                let number = UInt16(port.dropFirst()), number > 0
            else { return nil }
            self.port = number
        }
        self.host = String(host)
        self.text = text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: isDigit(byte)
        }
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        case UInt8(ascii: ":"), UInt8(ascii: "."): true
        default: isDigit(byte)
        }
    }
}
