import Glibc

extension Listener {
    /// Takes over sockets that listen already: all loops share them.
    ///
    /// Returns them by loop, and their addresses.
    static func adopt(
        _ sockets: [FileDescriptor],
        loops: Int
    ) throws -> (sockets: [[FileDescriptor]], bound: [SocketAddress]) {
        let bound = try sockets.map { try SocketAddress(boundTo: $0.raw) }
        for (socket, address) in zip(sockets, bound) {
            guard case .tcp = address else { continue }
            var value: CInt = 1
            let size = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(socket.raw, CInt(IPPROTO_TCP), TCP_NODELAY, &value, size)
        }
        return (Array(repeating: sockets, count: loops), bound)
    }
}

extension SocketAddress {
    /// Where a socket is bound.
    init(boundTo socket: CInt) throws {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        guard status == 0 else { throw SystemError("getsockname of socket \(socket)") }
        if let host = PeerAddress(storage) {
            // The port stands at the same place in both families.
            let port = withUnsafeBytes(of: storage) {
                UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            }
            self = .tcp(host: host.description, port: port)
        } else {
            let path = withUnsafeBytes(of: storage) { bytes in
                bytes[MemoryLayout<sa_family_t>.size..<Int(length)].prefix { $0 != 0 }
            }
            self = .unix(path: String(decoding: path, as: UTF8.self))
        }
    }
}
