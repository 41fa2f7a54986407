import Glibc

/// A resolved address of a host, with a port.
struct Endpoint: Equatable {
    let family: CInt
    /// The address as text, with its zone if it has one (RFC 4007 §11).
    let host: String
    var port: UInt16
    /// As it was resolved: a text has no zone to be bound by.
    private let storage: sockaddr_storage
    private let length: socklen_t

    /// Takes an address over from a list of `getaddrinfo`; nil for one of another family than IP's.
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

    /// As errors call it.
    var name: String { SocketAddress.tcp(host: host, port: port).description }

    /// Calls `body` with the address as the kernel takes it.
    func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var storage = storage
        return withUnsafeMutableBytes(of: &storage) { bytes in
            // The port stands at the same place in both families.
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            guard let base = bytes.baseAddress else { return -1 }
            return body(base.assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}
