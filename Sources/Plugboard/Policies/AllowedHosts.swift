import HTTPServer
import HTTPSyntax

/// The hosts of the requests that a server serves (RFC 9110 §7.4).
///
/// A web page can point a name of its own at any address (DNS rebinding). Its requests reach the
/// server from the user's browser, but `Host` has the page's name.
struct AllowedHosts: Sendable {
    /// The names in lower case, without port, brackets and trailing dot.
    private let names: [[UInt8]]
    /// Whether every host is allowed.
    let allowsAny: Bool
    /// Whether addresses are allowed: no name is pointed elsewhere in them.
    private let allowsAddresses: Bool

    /// The names of this machine for its own programs.
    private static let local = ["localhost", "127.0.0.1", "::1"]

    /// The hosts of a server on these addresses.
    ///
    /// On loopback addresses the machine's own names and `host`, the configured one, are allowed in
    /// addition to the `named` ones. On other addresses any host is allowed if none is named.
    ///
    /// The operations port also serves addresses and `localhost`: Prometheus and orchestrators ask
    /// it by its address, and operators through a tunnel.
    init(
        _ named: [String],
        host: String,
        at addresses: [SocketAddress],
        isOperations: Bool = false
    ) {
        var names = (named + (isOperations ? ["localhost"] : [])).compactMap(Self.name)
        allowsAddresses = isOperations
        var isOpen = named.contains("*")
        for case .tcp(let bound, _) in addresses {
            if SocketAddress.tcp(host: bound, port: 0).isLoopback {
                names += (Self.local + [bound, host]).compactMap(Self.name)
            } else if named.isEmpty {
                isOpen = true
            }
        }
        self.names = names
        allowsAny = isOpen
    }

    /// Whether a valid authority names an allowed host, whatever its port.
    func contains(_ authority: ByteSpan) -> Bool {
        if allowsAny { return true }
        let host = Self.undotted(Authority.host(of: authority))
        if allowsAddresses, Authority.isAddress(host: host) { return true }
        return names.contains { name in
            name.withUnsafeBufferPointer { host.equals(ignoringCase: $0) }
        }
    }

    /// The start-up errors for names that no request can have, one sentence each.
    static func problems(_ named: [String]) -> [String] {
        named.filter { $0 != "*" && name($0) == nil }.map {
            "\"\($0)\" is not a host: use a name such as app.example, an address, or * for any host"
        }
    }

    /// A host's name as it is compared; nil if the text isn't a host.
    private static func name(_ text: String) -> [UInt8]? {
        let isAddress = text.utf8.count { $0 == 0x3A } > 1 && !text.hasPrefix("[")
        let bytes = Array((isAddress ? "[\(text)]" : text).lowercased().utf8)
        guard !bytes.contains(UInt8(ascii: "*")) else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            guard Authority.isValid(bytes) else { return nil }
            return Array(undotted(Authority.host(of: bytes)))
        }
    }

    /// A host without the dot of an absolute name (RFC 3986 §3.2.2).
    private static func undotted(_ host: ByteSpan) -> ByteSpan {
        host.count > 1 && host.last == UInt8(ascii: ".") ? host.slice(0, host.count - 1) : host
    }
}
