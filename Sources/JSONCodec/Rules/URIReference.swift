/// The grammar of RFC 3986, over the bytes of a text.
enum URIReference {
    /// Whether a text is a URI or a relative reference (§4.1).
    static func isValid(_ text: String) -> Bool { hasScheme(text) != nil }

    /// Whether a text is a URI, which has a scheme (§3).
    static func isURI(_ text: String) -> Bool { hasScheme(text) == true }

    /// Returns whether a reference has a scheme; nil if the text is no reference.
    private static func hasScheme(_ text: String) -> Bool? {
        var rest = Array(text.utf8)[...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            guard consists(rest[(mark + 1)...], of: "/?:@") else { return nil }
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            guard consists(rest[(mark + 1)...], of: "/?:@") else { return nil }
            rest = rest[..<mark]
        }
        var hasScheme = false
        // A relative path's first segment has no colon (§4.2).
        let first = rest.prefix { $0 != UInt8(ascii: "/") }
        if let colon = first.firstIndex(of: UInt8(ascii: ":")) {
            guard isScheme(rest[..<colon]) else { return nil }
            hasScheme = true
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            guard isAuthority(authority) else { return nil }
            rest = rest[authority.endIndex...]
        }
        return consists(rest, of: "/:@") ? hasScheme : nil
    }

    /// §3.1.
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// §3.2.
    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        var host = bytes
        if let at = host.firstIndex(of: UInt8(ascii: "@")) {
            guard consists(host[..<at], of: ":") else { return false }
            host = host[(at + 1)...]
        }
        var port = host[host.endIndex...]
        if host.first == UInt8(ascii: "[") {
            guard let close = host.firstIndex(of: UInt8(ascii: "]")),
                isLiteral(host[(host.startIndex + 1)..<close])
            else { return false }
            port = host[(close + 1)...]
        } else {
            let name = host.prefix { $0 != UInt8(ascii: ":") }
            guard consists(name, of: "") else { return false }
            port = host[name.endIndex...]
        }
        guard let colon = port.first else { return true }
        return colon == UInt8(ascii: ":") && port.dropFirst().allSatisfy(isDigit)
    }

    /// The address in brackets (§3.2.2): IPv6, or a later version with `v`.
    private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first | 0x20 == UInt8(ascii: "v") else {
            return StringFormat.ipv6.accepts(String(decoding: bytes, as: UTF8.self))
        }
        let parts = bytes.dropFirst().split(
            separator: UInt8(ascii: "."),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
            && parts[0].allSatisfy { hexadecimalDigit($0) != nil }
            && !parts[1].contains(UInt8(ascii: "%")) && consists(parts[1], of: ":")
    }

    /// Whether all bytes are unreserved, sub-delimiters, percent-encoded (§2) or in `others`.
    private static func consists(_ bytes: ArraySlice<UInt8>, of others: String) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(),
                    hexadecimalDigit(high) != nil, hexadecimalDigit(low) != nil
                else { return false }
            } else if !isLetter(byte), !isDigit(byte), !"-._~!$&'()*+,;=".utf8.contains(byte),
                !others.utf8.contains(byte)
            {
                return false
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
