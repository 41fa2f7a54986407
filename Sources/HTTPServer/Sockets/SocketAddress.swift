import Glibc

/// An address on which a server listens.
package enum SocketAddress: Sendable, Equatable, CustomStringConvertible {
    /// A host name or IP address, and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// The path of a Unix domain socket.
    case unix(path: String)

    package var description: String { description(scheme: "http") }

    /// The address as the start of a URL.
    package func description(scheme: String) -> String {
        switch self {
        case .tcp(let host, let port):
            host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
