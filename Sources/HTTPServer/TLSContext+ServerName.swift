import COpenSSL
import HTTPSyntax

extension TLSContext {
    /// Has the certificate chosen by the name that a client asks for (RFC 6066 §3): of several that
    /// are for it the first, and the first of all where none is.
    ///
    /// This is done when the ClientHello has come, not in OpenSSL's servername callback: a ticket
    /// is judged before that is called, by the session id context of the certificate that is in use
    /// then, so that sessions of all but the first certificate would never be resumed.
    func chooseByName(_ context: OpaquePointer) {
        // Each session holds on to its `TLSContext`: it is there as long as this may be called.
        SSL_CTX_set_client_hello_cb(
            context,
            { ssl, _, owner in
                if let ssl, let owner {
                    Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue().choose(ssl)
                }
                return SSL_CLIENT_HELLO_SUCCESS
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func choose(_ ssl: OpaquePointer) {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let kind = CUnsignedInt(TLSEXT_TYPE_server_name)
        guard SSL_client_hello_get0_ext(ssl, kind, &bytes, &count) == 1,
            let host = ServerNames.host(inExtension: ByteSpan(start: bytes, count: count)),
            let index = names.certificate(for: host)
        else { return }
        SSL_set_SSL_CTX(ssl, contexts[index].raw)
    }

    /// Whether a request for this authority has come to the wrong connection: its certificate isn't
    /// for that host, and another of the server's is (RFC 9110 §7.4, §15.5.20).
    ///
    /// A host that no certificate is for is served with the first, whoever asks: health checks ask
    /// for an address.
    func isMisdirected(_ authority: ByteSpan, on ssl: OpaquePointer) -> Bool {
        guard let host = ServerNames.host(of: authority), names.certificate(for: host) != nil,
            let own = contexts.firstIndex(where: { $0.raw == SSL_get_SSL_CTX(ssl) })
        else { return false }
        return !names.covers(host, by: own)
    }
}

extension ProtocolError {
    static let misdirected = ProtocolError(
        421,
        "this connection's certificate is not for the host that the request is for"
    )
}
