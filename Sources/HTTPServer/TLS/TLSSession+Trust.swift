import COpenSSL

extension TLSSession {
    /// The digest of the client's certificate; nil if it has sent none.
    var clientDigest: [UInt8]? {
        SSL_get1_peer_certificate(ssl).map { Certificate(owning: $0).digest }
    }

    /// Whether a context's authorities and revocation lists accept the client's certificate.
    ///
    /// A client without a certificate is accepted: the handshake has checked whether it needs one.
    func isTrusted(by context: TLSContext) -> Bool {
        guard let raw = SSL_get1_peer_certificate(ssl) else { return true }
        let certificate = Certificate(owning: raw)
        guard let check = X509_STORE_CTX_new() else { return false }
        defer {
            X509_STORE_CTX_free(check)
            ERR_clear_error()
        }
        let store = SSL_CTX_get_cert_store(context.contexts[0].raw)
        // The client's own chain, which may have authorities below the known ones.
        let chain = SSL_get_peer_cert_chain(ssl)
        guard X509_STORE_CTX_init(check, store, certificate.raw, chain) == 1,
            X509_STORE_CTX_set_default(check, "ssl_client") == 1
        else { return false }
        return X509_verify_cert(check) == 1
    }

    /// Whether the newest context accepts the client, whose handshake an older one has checked.
    func isTrusted(since newest: TLSContext?) -> Bool {
        guard let newest, newest.clientTrust != context.clientTrust else { return true }
        return isTrusted(by: newest)
    }
}
