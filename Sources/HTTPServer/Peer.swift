/// The other end of a request's connection.
///
/// Valid as long as the request is.
package struct Peer {
    /// The address; nil for a Unix socket, whose ends have none.
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

    /// The certificate that the client has shown, and that an authority vouches for.
    package var certificate: ClientCertificate? { session?.clientCertificate }
}
