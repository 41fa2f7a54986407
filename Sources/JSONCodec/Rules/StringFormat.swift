/// A text format with a name in JSON Schema.
public struct StringFormat: Sendable, Hashable {
    /// The name in JSON Schema.
    public let name: String
    /// The error message for a text in another format.
    let expectation: String

    /// An e-mail address, as HTML forms accept it.
    public static let email = Self(name: "email", expectation: "expected an e-mail address")
    /// An absolute URI (RFC 3986).
    public static let uri = Self(name: "uri", expectation: "expected a URI with a scheme")
    /// A URI or a relative reference (RFC 3986 §4.1).
    public static let uriReference = Self(
        name: "uri-reference",
        expectation: "expected a URI or a relative reference"
    )
    /// A host's name (RFC 1123).
    public static let hostname = Self(name: "hostname", expectation: "expected a host name")
    /// An IPv4 address in four decimal numbers.
    public static let ipv4 = Self(name: "ipv4", expectation: "expected an IPv4 address")
    /// An IPv6 address (RFC 4291, 2.2).
    public static let ipv6 = Self(name: "ipv6", expectation: "expected an IPv6 address")
    /// A UUID in hexadecimal digits of either case.
    public static let uuid = Self(name: "uuid", expectation: "expected a UUID")
    /// A day: 2026-01-31.
    public static let date = Self(name: "date", expectation: "expected a date such as 2026-01-31")
    /// An instant (RFC 3339): 2026-01-31T12:00:00Z.
    public static let dateTime = Self(
        name: "date-time",
        expectation: "expected a date and time such as 2026-01-31T12:00:00Z"
    )

    /// Whether a text has the format.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .email: Self.isEmail(text)
        case .uri: URIReference.isURI(text)
        case .uriReference: URIReference.isValid(text)
        case .hostname: Self.isHostname(text[...])
        case .ipv4: Self.isIPv4(text[...])
        case .ipv6: Self.isIPv6(text)
        case .uuid: Self.isUUID(text)
        case .date: text.utf8.count == 10 && Timestamp.seconds(text + "T00:00:00Z") != nil
        case .dateTime: Timestamp.seconds(text) != nil
        default: true
        }
    }

    /// HTML Standard, "valid e-mail address".
    private static func isEmail(_ text: String) -> Bool {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = text[..<at].utf8
        let special = ".!#$%&'*+/=?^_`{|}~-".utf8
        return !local.isEmpty && local.allSatisfy { isAlphanumeric($0) || special.contains($0) }
            && isHostname(text[text.utf8.index(after: at)...])
    }

    private static func isHostname(_ text: Substring) -> Bool {
        guard 1...253 ~= text.utf8.count else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { label in
                1...63 ~= label.count && label.first != UInt8(ascii: "-")
                    && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                1...3 ~= part.count && part.allSatisfy { $0 &- 0x30 < 10 }
                    && (part.count == 1 || part.first != 0x30)
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 256
            }
    }

    private static func isIPv6(_ text: String) -> Bool {
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 3...9 ~= groups.count else { return false }
        var wanted = 8
        if let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            wanted -= 2
        }
        // "::" leaves one group empty, at an end two.
        let endsEmpty = wanted == 8 && groups.last == ""
        if groups.first == "" {
            guard groups.count > 1, groups[1] == "" else { return false }
            groups.removeFirst()
        }
        if endsEmpty {
            guard groups.count > 1, groups[groups.count - 2] == "" else { return false }
            groups.removeLast()
        }
        let gaps = groups.filter(\.isEmpty).count
        let areGroups = groups.allSatisfy { group in
            group.utf8.count <= 4 && group.utf8.allSatisfy { hexadecimalDigit($0) != nil }
        }
        return areGroups
            && (gaps == 0 && groups.count == wanted || gaps == 1 && groups.count <= wanted)
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place)
                    ? byte == UInt8(ascii: "-") : hexadecimalDigit(byte) != nil
            }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }
}
