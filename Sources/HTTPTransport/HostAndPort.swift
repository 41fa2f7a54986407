import HTTPSyntax

/// The key of pooled connections: protocol and address of a server.
struct Origin: Sendable, Hashable {
    let isSecure: Bool
    let authority: HostAndPort
}

/// A host and a port: `localhost:8080`, `[::1]:8080`.
package struct HostAndPort: Sendable, Hashable {
    /// A name or an address, without the brackets of an IPv6 address.
    package let host: String
    package let port: UInt16
    /// The text for the `Host` field.
    package let text: String

    /// Returns nil if the text isn't a host and port, or if the port is 0.
    ///
    /// Also nil if the host contains characters that Internet names can't have.
    package init?(_ text: String, defaultPort: UInt16) {
        var text = text
        let parts = text.withUTF8 { bytes -> (host: String, port: Int?)? in
            guard HTTPSyntax.Authority.isValid(bytes), bytes.last != 0x3A else { return nil }
            let host = HTTPSyntax.Authority.host(of: bytes)
            let isName = host.allSatisfy { byte in
                ByteClass.isUnreserved(byte) && byte != 0x7E || byte == 0x3A
            }
            return isName ? (host.text, HTTPSyntax.Authority.port(of: bytes)) : nil
        }
        guard let parts, let port = UInt16(exactly: parts.port ?? Int(defaultPort)), port > 0 else {
            return nil
        }
        host = parts.host
        self.port = port
        self.text = text
    }
}
