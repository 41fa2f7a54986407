/// The client of a request.
///
/// Valid as long as the request.
package struct Peer {
    /// The client's address; nil for a Unix socket.
    package let address: PeerAddress?
    /// The connection's descriptor, for tests that change its options.
    let socket: CInt?
    /// The connection's TLS session, which outlives its requests.
    private unowned(unsafe) let session: TLSSession?

    /// A peer without an address and without a certificate.
    package static var unknown: Peer { Peer(address: nil, socket: nil, session: nil) }

    init(address: PeerAddress?, socket: CInt?, session: TLSSession?) {
        self.address = address
        self.socket = socket
        self.session = session
    }

    /// The client's certificate, verified against the configured authorities.
    package var certificate: ClientCertificate? { session?.clientCertificate }
}
