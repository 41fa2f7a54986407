/// The syntax `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2.2), without user information.
package enum Authority {
    package static func isValid(_ bytes: ByteSpan) -> Bool {
        guard !bytes.isEmpty else { return false }
        let hostEnd: Int
        if bytes[0] == 0x5B {
            guard let bracket = bytes.firstIndex(of: 0x5D),
                isIPv6(bytes.slice(1, bracket))
            else { return false }
            hostEnd = bracket + 1
        } else {
            guard let end = endOfRegisteredName(bytes), end > 0 else { return false }
            hostEnd = end
        }
        guard hostEnd < bytes.count else { return true }
        guard bytes[hostEnd] == 0x3A else { return false }
        // Leading zeros are valid (RFC 3986 §3.2.3).
        var port = 0
        for index in hostEnd + 1..<bytes.count {
            guard ByteClass.isDigit(bytes[index]) else { return false }
            port = port * 10 + Int(bytes[index] &- 0x30)
            guard port <= 65535 else { return false }
        }
        return true
    }

    /// The host of a valid authority, without the brackets of an IPv6 address.
    package static func host(of bytes: ByteSpan) -> ByteSpan {
        if bytes.first == 0x5B, let bracket = bytes.lastIndex(of: 0x5D) {
            return bytes.slice(1, bracket)
        }
        return bytes.slice(0, bytes.firstIndex(of: 0x3A) ?? bytes.count)
    }

    /// Whether a valid authority's host is an address, not a name.
    ///
    /// Only an IPv6 address has colons (RFC 3986 §3.2.2).
    package static func isAddress(host: ByteSpan) -> Bool {
        host.contains(0x3A) || isIPv4(host)
    }

    /// Whether a valid authority has a domain name, for which browsers store that it needs HTTPS.
    ///
    /// They store nothing for addresses (RFC 6797 §8.1.1). `localhost` would lose the plain servers on
    /// its other ports.
    package static func isDomainName(_ bytes: ByteSpan) -> Bool {
        guard bytes.first != 0x5B else { return false }
        var name = host(of: bytes)
        if name.last == 0x2E { name = name.slice(0, name.count - 1) }
        let start = name.lastIndex(of: 0x2E).map { $0 + 1 } ?? 0
        let label = name.slice(start, name.count)
        // The last label of an IPv4 address is a number, and no domain's is.
        guard let first = label.first, !ByteClass.isDigit(first) else { return false }
        return !label.equals(lowercase: "localhost")
    }

    /// The port of a valid authority; nil if it has none.
    package static func port(of bytes: ByteSpan) -> Int? {
        guard let colon = bytes.lastIndex(of: 0x3A), colon + 1 < bytes.count,
            bytes.slice(colon + 1, bytes.count).allSatisfy(ByteClass.isDigit)
        else { return nil }
        return bytes.slice(colon + 1, bytes.count).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Returns the end of the registered name at the start; nil if it has an invalid escape.
    private static func endOfRegisteredName(_ bytes: ByteSpan) -> Int? {
        var index = bytes.passing { $0.letters | $0.within(0x30, 0x39) | $0.within(0x2D, 0x2E) }
        while index < bytes.count, ByteClass.isRegisteredName(bytes[index]) {
            if bytes[index] == 0x25, PercentCoding.octet(in: bytes, at: index) == nil { return nil }
            index += 1
        }
        return index
    }

    /// Matches an IPv6 address (RFC 3986 §3.2.2): eight groups of up to four digits, at most one
    /// "::", and optionally an IPv4 address at the end.
    ///
    /// Zones and IPvFuture are rejected.
    private static func isIPv6(_ bytes: ByteSpan) -> Bool {
        var groups = 0
        var digits = 0
        var compressed = false
        var index = 0
        if bytes.count >= 2, bytes[0] == 0x3A, bytes[1] != 0x3A { return false }
        while index < bytes.count {
            let byte = bytes[index]
            if ByteClass.hexValue(byte) != nil {
                digits += 1
                guard digits <= 4 else { return false }
            } else if byte == 0x3A {
                if digits > 0 { groups += 1 }
                digits = 0
                if index + 1 < bytes.count, bytes[index + 1] == 0x3A {
                    guard !compressed else { return false }
                    compressed = true
                    index += 1
                    if index + 1 < bytes.count, bytes[index + 1] == 0x3A { return false }
                } else if index + 1 == bytes.count {
                    return false
                }
            } else if byte == 0x2E {
                let start = index - digits
                guard isIPv4(bytes.slice(start, bytes.count)) else { return false }
                groups += 2
                return compressed ? groups < 8 : groups == 8
            } else {
                return false
            }
            index += 1
        }
        if digits > 0 { groups += 1 }
        return compressed ? groups < 8 : groups == 8
    }

    /// Matches four numbers up to 255 without leading zeros (RFC 3986 §3.2.2).
    private static func isIPv4(_ bytes: ByteSpan) -> Bool {
        var octets = 0
        var value = 0
        var digits = 0
        for byte in bytes {
            if ByteClass.isDigit(byte) {
                guard digits == 0 || value > 0 else { return false }
                value = value * 10 + Int(byte - 0x30)
                digits += 1
                guard digits <= 3, value <= 255 else { return false }
            } else {
                guard byte == 0x2E, digits > 0 else { return false }
                octets += 1
                (value, digits) = (0, 0)
            }
        }
        return octets == 3 && digits > 0
    }
}
