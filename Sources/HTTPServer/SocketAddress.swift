import Glibc

/// Where a server listens.
package enum SocketAddress: Sendable, Equatable, CustomStringConvertible {
    /// A host name or an IPv4 or IPv6 address, and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A Unix domain socket's path.
    case unix(path: String)

    package var description: String {
        switch self {
        case .tcp(let host, let port):
            host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
