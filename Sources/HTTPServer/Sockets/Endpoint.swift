import Glibc

/// A resolved address of a host, with a port.
struct Endpoint: Equatable {
    let family: CInt
    /// The address as text, with its zone if it has one (RFC 4007 §11).
    let host: String
    var port: UInt16
    /// The address as resolved.
    ///
    /// Text would lose the zone, which `bind` needs.
    private let storage: sockaddr_storage
    private let length: socklen_t

    /// Copies an address from a `getaddrinfo` list; nil for families other than IPv4 and IPv6.
    init?(_ info: addrinfo, port: UInt16) {
        guard info.ai_family == AF_INET || info.ai_family == AF_INET6,
            let address = info.ai_addr,
            Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
        else { return nil }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(text.count)
        guard getnameinfo(address, info.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        family = info.ai_family
        host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.port = port
        var storage = sockaddr_storage()
        memcpy(&storage, address, Int(info.ai_addrlen))
        self.storage = storage
        length = info.ai_addrlen
    }

    static func == (one: Self, other: Self) -> Bool {
        one.family == other.family && one.host == other.host && one.port == other.port
    }

    /// The address for error messages.
    var name: String { SocketAddress.tcp(host: host, port: port).description }

    /// Calls `body` with the address in the kernel's format.
    func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var storage = storage
        return withUnsafeMutableBytes(of: &storage) { bytes in
            // Both families have the port at the same offset.
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            guard let base = bytes.baseAddress else { return -1 }
            return body(base.assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}
