/// The identifier of a client or proxy in `Forwarded` or `X-Forwarded-For`.
package enum ForwardedNode: Equatable, Sendable {
    case address(IPAddress)
    /// An obfuscated identifier or `unknown` (RFC 7239 §6.2, §6.3).
    case hidden
    case invalid

    /// Parses the value of `for=`: an IPv6 address has brackets, and any may have a port (RFC 7239
    /// §6).
    package init(forwarded text: ByteSpan) {
        self.init(text, allowsBareIPv6: false)
    }

    /// Parses a member of `X-Forwarded-For`, which no standard defines.
    ///
    /// Proxies write a bare address. Some add a port, and then brackets around IPv6.
    package init(member text: ByteSpan) {
        self.init(text, allowsBareIPv6: true)
    }

    private init(_ text: ByteSpan, allowsBareIPv6: Bool) {
        if text.first == 0x5B {
            guard let end = text.firstIndex(of: 0x5D),
                let address = IPAddress.ipv6(text.slice(1, end)),
                Self.isPort(text.slice(end + 1, text.count))
            else {
                self = .invalid
                return
            }
            self = .address(address)
            return
        }
        if allowsBareIPv6, let address = IPAddress.ipv6(text) {
            self = .address(address)
            return
        }
        let end = text.firstIndex(of: 0x3A) ?? text.count
        let (name, port) = (text.slice(0, end), text.slice(end, text.count))
        guard Self.isPort(port) else {
            self = .invalid
            return
        }
        if let address = IPAddress.ipv4(name) {
            self = .address(IPAddress(ipv4: address))
        } else {
            self = Self.isObfuscated(name) || name.equals(lowercase: "unknown") ? .hidden : .invalid
        }
    }

    /// Whether the text is empty, or a colon and a port (RFC 7239 §6): one to five digits, or an
    /// obfuscated one.
    private static func isPort(_ text: ByteSpan) -> Bool {
        guard let colon = text.first else { return true }
        let port = text.slice(1, text.count)
        return colon == 0x3A
            && ((1...5).contains(port.count) && port.allSatisfy(ByteClass.isDigit)
                || isObfuscated(port))
    }

    /// RFC 7239 §6.3.
    private static func isObfuscated(_ text: ByteSpan) -> Bool {
        text.count > 1 && text[0] == 0x5F
            && text.allSatisfy { ByteClass.isUnreserved($0) && $0 != 0x7E }
    }
}
