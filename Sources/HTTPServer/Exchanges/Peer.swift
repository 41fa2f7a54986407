package import HTTPSyntax

/// The client of a request.
///
/// Valid as long as the request.
package struct Peer {
    /// The client's address; nil if it connects over a Unix socket, or is unknown.
    ///
    /// A trusted proxy names its client, so it may differ from the connection's address.
    package let address: IPAddress?
    /// Whether the connection is over a Unix socket, or there is none.
    package let isLocal: Bool
    /// The connection's descriptor, for tests that change its options.
    let socket: CInt?
    /// Whether the connection is beyond the limit of connections.
    ///
    /// Only requests that are cheap and urgent should be served, such as health checks.
    package let isReserved: Bool
    /// The connection's TLS session, which outlives its requests.
    private unowned(unsafe) let session: TLSSession?

    /// A peer without an address and without a certificate.
    package static var unknown: Peer {
        Peer(address: nil, socket: nil, session: nil, isLocal: true)
    }

    init(
        address: IPAddress?,
        socket: CInt?,
        session: TLSSession?,
        isLocal: Bool,
        isReserved: Bool = false
    ) {
        self.isLocal = isLocal
        self.isReserved = isReserved
        self.address = address
        self.socket = socket
        self.session = session
    }

    /// The same connection with another client.
    func with(_ client: IPAddress?) -> Peer {
        Peer(
            address: client,
            socket: socket,
            session: session,
            isLocal: isLocal,
            isReserved: isReserved
        )
    }

    /// The object that has to live as long as this value is used after the request.
    package var owner: AnyObject? { session }

    /// The client's certificate, verified against the configured authorities.
    package var certificate: ClientCertificate? { session?.clientCertificate }
}
