import Glibc

/// An address on which a server listens.
package enum SocketAddress: Sendable, Equatable, CustomStringConvertible {
    /// A host name or IP address, and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// The path of a Unix domain socket.
    case unix(path: String)

    package var description: String { description(scheme: "http") }

    /// Whether only this machine can reach the address: 127.0.0.0/8, `::1`, or either of them mapped
    /// into IPv6.
    ///
    /// False for host names, which may resolve to any address, and for Unix sockets.
    package var isLoopback: Bool {
        guard case .tcp(let host, _) = self else { return false }
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            return UInt32(bigEndian: four.s_addr) >> 24 == 127
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127]
        return bytes == Array(repeating: 0, count: 15) + [1] || bytes.starts(with: mapped)
    }

    /// The address as the start of a URL.
    package func description(scheme: String) -> String {
        switch self {
        case .tcp(let host, let port):
            host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
