/// An IPv4 or IPv6 address, without a port and without a zone.
///
/// An IPv4 address is stored as its IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). So both notations
/// of it are equal.
package struct IPAddress: Hashable, Sendable {
    /// The first 64 bits.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(ipv4: UInt32) {
        self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4))
    }

    /// Whether it is an IPv4 address.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether it is this machine's own: 127.0.0.0/8 or `::1`.
    package var isLoopback: Bool {
        isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1
    }

    /// The key for per-address limits: an IPv4 address, or the /64 that one IPv6 customer gets.
    package var customer: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }
}

/// The notations: dotted decimal, and RFC 4291 §2.2.
extension IPAddress {
    /// Parses an address; nil if the text isn't exactly one.
    package init?(_ text: ByteSpan) {
        if let ipv4 = Self.ipv4(text) {
            self.init(ipv4: ipv4)
        } else if let ipv6 = Self.ipv6(text) {
            self = ipv6
        } else {
            return nil
        }
    }

    /// Parses four decimal octets without leading zeros, which some parsers read as octal numbers.
    static func ipv4(_ text: ByteSpan) -> UInt32? {
        guard (7...15).contains(text.count) else { return nil }
        var (value, octet, digits, dots) = (UInt32(0), UInt32(0), 0, 0)
        for byte in text {
            if byte == 0x2E {
                guard digits > 0, dots < 3 else { return nil }
                value = value << 8 | octet
                (octet, digits, dots) = (0, 0, dots + 1)
            } else {
                guard ByteClass.isDigit(byte), digits == 0 || octet > 0 else { return nil }
                octet = octet * 10 + UInt32(byte &- 0x30)
                digits += 1
                guard octet <= 255 else { return nil }
            }
        }
        return dots == 3 && digits > 0 ? value << 8 | octet : nil
    }

    /// Parses groups of hexadecimal digits, of which `::` replaces some; an IPv4 address may be the
    /// last two.
    static func ipv6(_ text: ByteSpan) -> IPAddress? {
        guard (2...45).contains(text.count) else { return nil }
        var groups = IPv6Groups()
        var index = 0
        if text[0] == 0x3A {
            guard text[1] == 0x3A else { return nil }
            groups.beginTail()
            index = 2
        }
        while index < text.count {
            let start = index
            var group: UInt64 = 0
            while index < text.count, let digit = ByteClass.hexValue(text[index]) {
                guard index - start < 4 else { return nil }
                group = group << 4 | UInt64(digit)
                index += 1
            }
            guard index > start else { return nil }
            if index < text.count, text[index] == 0x2E {
                guard let last = ipv4(text.slice(start, text.count)) else { return nil }
                groups.append(UInt64(last >> 16))
                groups.append(UInt64(last & 0xFFFF))
                break
            }
            groups.append(group)
            guard index < text.count else { break }
            guard text[index] == 0x3A, index + 1 < text.count else { return nil }
            index += 1
            if text[index] == 0x3A {
                guard !groups.hasTail else { return nil }
                groups.beginTail()
                index += 1
            }
        }
        return groups.address
    }
}

/// The groups of an IPv6 address's text: those before `::`, and those after it.
private struct IPv6Groups {
    private var head = IPAddress(high: 0, low: 0)
    private var tail = IPAddress(high: 0, low: 0)
    private var headCount = 0
    private var tailCount = 0
    private(set) var hasTail = false

    mutating func beginTail() { hasTail = true }

    mutating func append(_ group: UInt64) {
        if hasTail {
            tail = tail.appending(group)
            tailCount += 1
        } else {
            head = head.appending(group)
            headCount += 1
        }
    }

    /// The address; nil for a wrong number of groups.
    var address: IPAddress? {
        let count = headCount + tailCount
        guard hasTail ? count < 8 : count == 8 else { return nil }
        var front = head
        for _ in headCount..<8 { front = front.appending(0) }
        return IPAddress(high: front.high | tail.high, low: front.low | tail.low)
    }
}

extension IPAddress {
    /// The 128 bits moved by 16, with a group at the end.
    fileprivate func appending(_ group: UInt64) -> IPAddress {
        IPAddress(high: high << 16 | low >> 48, low: low << 16 | group)
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual notation: dotted decimal, or RFC 5952.
    package var description: String {
        if isIPv4 {
            return (0..<4).map { String(low >> (24 - 8 * $0) & 0xFF) }.joined(separator: ".")
        }
        let groups = (0..<8).map { ($0 < 4 ? high : low) >> (48 - 16 * ($0 % 4)) & 0xFFFF }
        var gap = 0..<0
        var start = 0
        while start < 8 {
            let end = groups[start...].firstIndex { $0 != 0 } ?? 8
            if end - start > max(gap.count, 1) { gap = start..<end }
            start = max(end, start + 1)
        }
        func text(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return gap.isEmpty
            ? text(0..<8) : text(0..<gap.lowerBound) + "::" + text(gap.upperBound..<8)
    }
}
