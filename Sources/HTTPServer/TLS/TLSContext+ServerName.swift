import COpenSSL
import HTTPSyntax

extension TLSContext {
    /// Selects the certificates by the client's server name (RFC 6066 §3): those for that name, or
    /// the first of all.
    ///
    /// The selection runs in OpenSSL's ClientHello callback. At the later servername callback a
    /// ticket has already been checked against the first certificate's session id context. Sessions
    /// of the other certificates would never be resumed.
    func chooseByName(_ context: OpaquePointer) {
        // Each session has a reference to its `TLSContext`, so it outlives the callback.
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
            let index = groups.firstIndex(of: names.group(for: host))
        else { return }
        SSL_set_SSL_CTX(ssl, contexts[index].raw)
    }

    /// Whether a request has arrived on the wrong connection (RFC 9110 §7.4, §15.5.20).
    ///
    /// The connection's certificate isn't valid for the authority's host, but another one is.
    /// A host without any certificate is served with the first: health checks use an IP address.
    func isMisdirected(_ authority: ByteSpan, on ssl: OpaquePointer) -> Bool {
        guard let host = ServerNames.host(of: authority), names.isKnown(host),
            let own = contexts.firstIndex(where: { $0.raw == SSL_get_SSL_CTX(ssl) })
        else { return false }
        return !groups[own].allSatisfy { names.covers(host, by: $0) }
    }
}
