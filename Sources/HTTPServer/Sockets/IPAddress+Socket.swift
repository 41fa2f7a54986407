import Glibc
import HTTPSyntax

extension IPAddress {
    /// Reads a socket's address; nil if it isn't an IP address.
    init?(_ storage: sockaddr_storage) {
        switch CInt(storage.ss_family) {
        case AF_INET:
            self = withUnsafeBytes(of: storage) {
                let address = $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                return IPAddress(ipv4: UInt32(bigEndian: address))
            }
        case AF_INET6:
            self = withUnsafeBytes(of: storage) {
                IPAddress(
                    high: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                )
            }
        default: return nil
        }
    }
}
