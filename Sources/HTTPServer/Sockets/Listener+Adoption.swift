import System
import Glibc
import HTTPSyntax

extension Listener {
    /// Uses sockets that already listen.
    ///
    /// All loops share them.
    ///
    /// Returns the sockets of each loop, and their addresses.
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
    /// The address to which a socket is bound.
    init(boundTo socket: CInt) throws {
        let (storage, length) = try Self.name(of: socket)
        if let host = IPAddress(storage) {
            self = .tcp(host: host.description, port: Self.port(storage))
        } else {
            let path = withUnsafeBytes(of: storage) { bytes in
                bytes[MemoryLayout<sa_family_t>.size..<Int(length)].prefix { $0 != 0 }
            }
            self = .unix(path: String(decoding: path, as: UTF8.self))
        }
    }

    /// The port to which a TCP socket is bound.
    static func port(boundTo socket: CInt) throws -> UInt16 { port(try name(of: socket).storage) }

    private static func name(
        of socket: CInt
    ) throws -> (storage: sockaddr_storage, length: socklen_t) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        guard status == 0 else { throw SystemError("getsockname of socket \(socket)") }
        return (storage, length)
    }

    /// The port, which has the same offset in both families.
    private static func port(_ storage: sockaddr_storage) -> UInt16 {
        withUnsafeBytes(of: storage) {
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
