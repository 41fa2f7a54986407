import System
import Glibc

/// Opens listening sockets.
enum Listener {
    /// Opens the sockets of all loops.
    ///
    /// For TCP each loop has its own (`SO_REUSEPORT`), and the kernel distributes the connections.
    /// All loops share a Unix socket, whose file has the permissions `mode`.
    ///
    /// Returns the sockets of each loop, and the addresses with the ports that the system chose.
    static func open(
        _ address: SocketAddress,
        loops: Int,
        mode: UInt32 = 0o660
    ) throws -> (sockets: [[FileDescriptor]], bound: [SocketAddress]) {
        switch address {
        case .unix(let path):
            let socket = try openUnix(path, mode)
            return (Array(repeating: [socket], count: loops), [address])
        case .tcp(let host, let port): return try openTCP(host, port, loops: loops)
        }
    }

    private static func openTCP(
        _ host: String,
        _ port: UInt16,
        loops: Int
    ) throws -> (sockets: [[FileDescriptor]], bound: [SocketAddress]) {
        var sockets = Array(repeating: [FileDescriptor](), count: loops)
        var bound: [SocketAddress] = []
        var port = port
        for resolved in try resolve(host, port) {
            // SO_REUSEPORT silently joins the sockets of another process. A socket without it first
            // checks that the address is free.
            var endpoint = resolved
            endpoint.port = port
            var probe: FileDescriptor? = try bindTCP(endpoint, reusesPort: false)
            port = try probe.map { try SocketAddress.port(boundTo: $0.raw) } ?? port
            endpoint.port = port
            if loops > 1 { probe = nil }
            for index in sockets.indices {
                let socket = try probe ?? bindTCP(endpoint, reusesPort: true)
                try listen(on: socket, endpoint.name)
                sockets[index].append(socket)
            }
            bound.append(.tcp(host: endpoint.host, port: port))
        }
        return (sockets, bound)
    }

    private static func bindTCP(_ endpoint: Endpoint, reusesPort: Bool) throws -> FileDescriptor {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(socket(endpoint.family, type, 0))
        guard socket.raw >= 0 else { throw SystemError("socket for \(endpoint.name)") }
        func set(_ level: CInt, _ option: CInt, _ value: CInt = 1) {
            var value = value
            setsockopt(socket.raw, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
        }
        set(SOL_SOCKET, SO_REUSEADDR)
        if reusesPort { set(SOL_SOCKET, SO_REUSEPORT) }
        // Accepted sockets inherit it. A response's last packet must not wait for an ACK.
        set(CInt(IPPROTO_TCP), TCP_NODELAY)
        if endpoint.family == AF_INET6 {
            set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, endpoint.host == "::" ? 0 : 1)
        }
        guard endpoint.withAddress({ bind(socket.raw, $0, $1) }) == 0 else {
            throw SystemError("can't listen on \(endpoint.name)")
        }
        return socket
    }

    private static func listen(on socket: FileDescriptor, _ name: String) throws {
        guard Glibc.listen(socket.raw, 4096) == 0 else {
            throw SystemError("can't listen on \(name)")
        }
    }

    private static func openUnix(_ path: String, _ mode: UInt32) throws -> FileDescriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.utf8.count < capacity else {
            throw SystemError("can't listen on unix:\(path)", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(socket(AF_UNIX, type, 0))
        guard socket.raw >= 0 else { throw SystemError("socket for unix:\(path)") }
        // Linux gives the file the socket's mode, less the umask: at no time may others connect.
        guard fchmod(socket.raw, mode) == 0 else { throw SystemError("fchmod for unix:\(path)") }
        func call(_ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        if call({ bind($0, $1, $2) }) != 0 {
            let code = errno
            guard code == EADDRINUSE else {
                throw SystemError("can't listen on unix:\(path)", code: code)
            }
            // `connect` to a file of another kind fails in the same way, but the file must not be
            // removed.
            guard isSocket(path) else {
                throw SystemError("can't listen on unix:\(path)", code: ENOTSOCK)
            }
            // A socket without a listener is left over from a process that has ended.
            guard call({ connect($0, $1, $2) }) != 0, errno == ECONNREFUSED else {
                throw SystemError("can't listen on unix:\(path)", code: EADDRINUSE)
            }
            unlink(path)
            guard call({ bind($0, $1, $2) }) == 0 else {
                throw SystemError("can't listen on unix:\(path)")
            }
        }
        guard chmod(path, mode) == 0 else { throw SystemError("chmod of unix:\(path)") }
        try listen(on: socket, "unix:\(path)")
        return socket
    }

    /// Checks that a server could listen on an address, without listening.
    ///
    /// - Throws: `SystemError` or ``AddressError`` with the reason.
    fileprivate static func check(_ address: SocketAddress) throws {
        switch address {
        case .tcp(let host, let port):
            for endpoint in try resolve(host, port) {
                _ = try bindTCP(endpoint, reusesPort: false)
            }
        case .unix(let path): try checkUnix(path)
        }
    }

    private static func checkUnix(_ path: String) throws {
        func fail(_ code: CInt) -> SystemError {
            SystemError("can't listen on unix:\(path)", code: code)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard !path.isEmpty, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw fail(ENAMETOOLONG)
        }
        guard access(path, F_OK) == 0 else {
            guard access(Paths.parent(of: path), W_OK | X_OK) == 0 else { throw fail(errno) }
            return
        }
        guard isSocket(path) else { throw fail(ENOTSOCK) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let socket = FileDescriptor(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        // A socket without a listener is left over, and a server replaces it.
        guard isConnected || errno != ECONNREFUSED else { return }
        throw fail(EADDRINUSE)
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func resolve(_ host: String, _ port: UInt16) throws -> [Endpoint] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        var status = EAI_NONAME
        // Numeric hosts come first: AI_ADDRCONFIG ignores loopback addresses, so it can reject
        // their family.
        for flag in [AI_NUMERICHOST, AI_ADDRCONFIG, 0] where status != 0 {
            hints.ai_flags = AI_PASSIVE | flag
            status = getaddrinfo(host, String(port), &hints, &list)
        }
        guard status == 0 else {
            throw AddressError(host: host, reason: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var endpoints: [Endpoint] = []
        var next = list
        while let info = next?.pointee {
            if let endpoint = Endpoint(info, port: port), !endpoints.contains(endpoint) {
                endpoints.append(endpoint)
            }
            next = info.ai_next
        }
        return endpoints
    }
}

extension SocketAddress {
    /// Checks that a server could listen on the address, without listening.
    ///
    /// - Throws: `SystemError` with the code `EADDRINUSE` if another process listens on it, or
    ///   another error with the reason.
    package func checkIsFree() throws { try Listener.check(self) }
}

/// A host without an address.
package struct AddressError: Error, CustomStringConvertible {
    package let host: String
    package let reason: String

    package var description: String { "can't listen on \(host): \(reason)" }
}
