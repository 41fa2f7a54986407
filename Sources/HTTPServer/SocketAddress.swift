import Glibc

/// Where a server listens.
package enum SocketAddress: Sendable, Equatable, CustomStringConvertible {
    /// A host name or an IPv4 or IPv6 address, and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A Unix domain socket's path.
    case unix(path: String)

    package var description: String { description(scheme: "http") }

    /// The address as a URL's beginning.
    package func description(scheme: String) -> String {
        switch self {
        case .tcp(let host, let port):
            host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
