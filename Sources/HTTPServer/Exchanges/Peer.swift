/// The client of a request.
///
/// Valid as long as the request.
package struct Peer {
    /// The client's address; nil for a Unix socket.
    package let address: PeerAddress?
    /// The connection's descriptor, for tests that change its options.
    let socket: CInt?
    /// Whether the connection is beyond the limit of connections.
    ///
    /// Only requests that are cheap and urgent should be served, such as health checks.
    package let isReserved: Bool
    /// The connection's TLS session, which outlives its requests.
    private unowned(unsafe) let session: TLSSession?

    /// A peer without an address and without a certificate.
    package static var unknown: Peer { Peer(address: nil, socket: nil, session: nil) }

    init(address: PeerAddress?, socket: CInt?, session: TLSSession?, isReserved: Bool = false) {
        self.isReserved = isReserved
        self.address = address
        self.socket = socket
        self.session = session
    }

    /// The object that has to live as long as this value is used after the request.
    package var owner: AnyObject? { session }

    /// The client's certificate, verified against the configured authorities.
    package var certificate: ClientCertificate? { session?.clientCertificate }
}
