/// The other end of a request's connection.
///
/// Copying it costs nothing: what it tells is read when a step asks. Valid as long as the request is.
package struct Peer {
    let socket: CInt?
    /// The connection's TLS session, which outlives its requests.
    private unowned(unsafe) let session: TLSSession?

    /// A peer without an address and without a certificate.
    package static var unknown: Peer { Peer(socket: nil, session: nil) }

    init(socket: CInt?, session: TLSSession?) {
        self.socket = socket
        self.session = session
    }

    /// The address; nil for a Unix socket, whose ends have none.
    package var address: PeerAddress? { socket.flatMap(PeerAddress.init(of:)) }

    /// The certificate that the client has shown, and that an authority vouches for.
    package var certificate: ClientCertificate? { session?.clientCertificate }
}
