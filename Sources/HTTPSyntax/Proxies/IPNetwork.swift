/// A network of IPv4 or IPv6 addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
package struct IPNetwork: Equatable, Sendable {
    /// The first address.
    package let first: IPAddress
    /// The number of leading bits that all addresses share; those of IPv4 are the last 32 of 128.
    package let prefix: Int

    /// Creates the network of `address` with a prefix of 128 bits at most.
    package init(of address: IPAddress, prefix: Int) {
        self.prefix = prefix
        first = IPAddress(
            high: address.high & Self.mask(prefix),
            low: address.low & Self.mask(prefix - 64)
        )
    }

    /// Whether the address is in the network; an IPv4 address is in no IPv6 network.
    package func contains(_ address: IPAddress) -> Bool {
        (address.high ^ first.high) & Self.mask(prefix) == 0
            && (address.low ^ first.low) & Self.mask(prefix - 64) == 0
            && address.isIPv4 == first.isIPv4
    }

    /// The bits of a word that belong to the prefix, `count` from the left.
    private static func mask(_ count: Int) -> UInt64 {
        count <= 0 ? 0 : count >= 64 ? .max : ~(.max >> UInt64(count))
    }
}

extension IPNetwork {
    /// The reason why a text isn't a network, with the remedy.
    package struct SyntaxError: Error, Equatable {
        package let reason: String
    }

    /// Parses `address/prefix`, or an address alone.
    package init(parsing text: String) throws(SyntaxError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(text: String(parts[0])) else {
            throw SyntaxError(
                reason: "is not a network: use one such as 10.0.0.0/8 or 2001:db8::/32"
            )
        }
        // An IPv4 address may also be written as its mapped IPv6 address, with that prefix.
        let isDotted = !parts[0].contains(":")
        let offset = isDotted ? 96 : 0
        guard parts.count == 2 else {
            self.init(of: address, prefix: 128)
            return
        }
        let digits = parts[1].utf8
        guard (1...3).contains(digits.count), digits.allSatisfy(ByteClass.isDigit),
            let prefix = Int(parts[1]), prefix + offset <= 128,
            !address.isIPv4 || prefix + offset >= 96
        else {
            throw SyntaxError(
                reason: "has an invalid prefix: use a number from 0 to \(isDotted ? 32 : 128)"
            )
        }
        self.init(of: address, prefix: prefix + offset)
        guard first == address else {
            let shown = first.isIPv4 ? self.prefix - 96 : self.prefix
            throw SyntaxError(reason: "has bits after its prefix: use \(first)/\(shown)")
        }
    }
}

extension IPAddress {
    /// Parses an address; nil if the text isn't exactly one.
    package init?(text: String) {
        var text = text
        guard let address = text.withUTF8({ IPAddress($0) }) else { return nil }
        self = address
    }
}
