import Glibc

/// The IP address of a client, without its port.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    private let family: sa_family_t
    /// The address in network order; an IPv4 one in the first four bytes.
    private let high: UInt64
    private let low: UInt64

    /// Reads a socket's address; nil if it isn't an IP address.
    init?(_ storage: sockaddr_storage) {
        family = storage.ss_family
        switch CInt(family) {
        case AF_INET:
            (high, low) = withUnsafeBytes(of: storage) {
                (UInt64($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)), 0)
            }
        case AF_INET6:
            (high, low) = withUnsafeBytes(of: storage) {
                (
                    $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                    $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
                )
            }
        default: return nil
        }
    }

    private init(_ family: CInt, _ high: UInt64, _ low: UInt64) {
        self.family = sa_family_t(family)
        self.high = high
        self.low = low
    }

    /// The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2); else the address
    /// itself.
    private var unmapped: PeerAddress {
        guard CInt(family) == AF_INET6, high == 0,
            UInt64(bigEndian: low) >> 32 == 0xFFFF
        else { return self }
        return PeerAddress(AF_INET, low >> 32, 0)
    }

    /// Whether it is this machine's own: 127.0.0.0/8 or `::1`.
    package var isLoopback: Bool {
        let address = unmapped
        if CInt(address.family) == AF_INET {
            return withUnsafeBytes(of: address.high) { $0.first == 127 }
        }
        return address.high == 0 && UInt64(bigEndian: address.low) == 1
    }

    /// The key for per-address limits: an IPv4 address, or the /64 that one IPv6 customer gets.
    package var customer: PeerAddress {
        let address = unmapped
        return PeerAddress(CInt(address.family), address.high, 0)
    }

    package var description: String {
        let address = unmapped
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let words = (address.high, address.low)
        withUnsafeBytes(of: words) {
            _ = inet_ntop(CInt(address.family), $0.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
