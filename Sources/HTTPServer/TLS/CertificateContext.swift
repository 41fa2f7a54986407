import COpenSSL

/// Certificates for the same names and the settings of their connections: protocol versions, ciphers, client
/// certificates.
///
/// `@unchecked Sendable`: immutable after creation. OpenSSL counts its references and locks the
/// state that its connections change.
final class CertificateContext: @unchecked Sendable {
    let raw: OpaquePointer
    /// The time at which the first authority has no current revocation list, in seconds since 1970.
    let firstListEnd: Int

    /// TLS 1.2's cipher suites: those of RFC 9325 §4.2 with forward secrecy and authenticated
    /// encryption, none of which RFC 9113 Appendix A prohibits.
    ///
    /// TLS 1.3 has only such suites. The client's order decides: the client knows whether it has
    /// AES in hardware.
    private static let ciphers = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:\
        ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:\
        ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """
    private static let groups = "X25519:P-256:P-384"
    /// The maximum size of a client's certificate chain, which it sends before it is authenticated.
    ///
    /// Long chains are a few times smaller.
    private static let maximumChain = 32 * 1024
    /// The time for which a session can be resumed, in seconds.
    private static let sessionLifetime = 2 * 3600

    /// Creates a context that presents one of several certificates and requests the clients'.
    ///
    /// Each has another kind of key. OpenSSL chooses the first one that the client can verify, by
    /// its signature algorithms (RFC 8446 §4.4.2.2).
    init(_ identities: [TLSIdentity], _ demand: ClientCertificatePolicy) throws(TLSError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_server_method()) else { throw Self.failure("no context") }
        self.raw = raw
        firstListEnd = demand.firstListEnd
        try setPolicy()
        for identity in identities { try use(identity) }
        // A session can be resumed only with the certificates that it began with.
        let digest = identities.map(\.certificate.digest).reduce([]) { all, one in
            all.isEmpty ? one : zip(all, one).map { $0 ^ $1 }
        }
        SSL_CTX_set_session_id_context(raw, digest, CUnsignedInt(digest.count))
        try set(demand)
    }

    deinit { SSL_CTX_free(raw) }

    /// Allows TLS 1.2 and 1.3 only (RFC 8996).
    ///
    /// Disables compression (CRIME), renegotiation (RFC 9325 §3.5) and early data (it can be
    /// replayed, RFC 8446 §8).
    private func setPolicy() throws(TLSError) {
        copenssl_set_protocols(raw, TLS1_2_VERSION, TLS1_3_VERSION)
        SSL_CTX_set_security_level(raw, 2)
        SSL_CTX_set_options(raw, COPENSSL_OP_NO_COMPRESSION | COPENSSL_OP_NO_RENEGOTIATION)
        guard SSL_CTX_set_cipher_list(raw, Self.ciphers) == 1,
            copenssl_set_groups(raw, Self.groups) == 1
        else { throw Self.failure("cipher suites") }
        // An idle connection has no buffer. Unsent bytes may have moved before the next write. A
        // record other than data ends a read, so that a client can't occupy the loop with such
        // records.
        copenssl_set_mode(
            raw,
            Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE)
                | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
        )
        copenssl_clear_mode(raw, Int(SSL_MODE_AUTO_RETRY))
        // Reads a record's header and content with one system call.
        copenssl_set_read_ahead(raw)
        // Sessions are resumed from tickets (RFC 8446 §2.2, RFC 5077), so the server needs no
        // cache.
        copenssl_set_session_cache_mode(raw, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_timeout(raw, Self.sessionLifetime)
        // OpenSSL calls them during handshakes only, whose sessions hold this context.
        let context = Unmanaged.passUnretained(self).toOpaque()
        SSL_CTX_set_session_ticket_cb(raw, noteClientTrust, checkClientTrust, context)
        SSL_CTX_set_alpn_select_cb(raw, selectProtocol, nil)
    }

    private func use(_ identity: TLSIdentity) throws(TLSError) {
        guard SSL_CTX_use_certificate(raw, identity.certificate.raw) == 1,
            SSL_CTX_use_PrivateKey(raw, identity.key.raw) == 1
        else { throw Self.failure("TLS certificate") }
        for certificate in identity.chain {
            guard copenssl_add_chain_certificate(raw, certificate.raw) == 1 else {
                throw Self.failure("TLS certificate's chain")
            }
        }
    }

    private func set(_ demand: ClientCertificatePolicy) throws(TLSError) {
        guard !demand.authorities.isEmpty else { return }
        let mode = demand.isRequired ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | mode, nil)
        copenssl_set_max_certificates(raw, Self.maximumChain)
        let store = SSL_CTX_get_cert_store(raw)
        for authority in demand.authorities {
            guard X509_STORE_add_cert(store, authority.raw) == 1,
                SSL_CTX_add_client_CA(raw, authority.raw) == 1
            else { throw Self.failure("TLS client authorities") }
        }
        guard !demand.revocations.isEmpty else { return }
        for list in demand.revocations {
            guard X509_STORE_add_crl(store, list.raw) == 1 else {
                throw Self.failure("TLS revocation lists")
            }
        }
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL))
    }

    private static func failure(_ what: String) -> TLSError {
        TLSError("\(what): \(OpenSSLErrors.take() ?? "not accepted")")
    }
}

/// Selects the application protocol (RFC 7301): the server's first protocol that the client offers.
///
/// A client such as `curl --http1.0` offers http/1.0 only. If the client offers none of them, the
/// handshake fails with no_application_protocol (§3.2).
private func selectProtocol(
    _ ssl: OpaquePointer?,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenLength: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredLength: CUnsignedInt,
    _ context: UnsafeMutableRawPointer?
) -> CInt {
    let ours: StaticString = "\u{02}h2\u{08}http/1.1\u{08}http/1.0"
    guard let chosen else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    var place = UnsafeMutablePointer<UInt8>(mutating: chosen.pointee)
    let result = SSL_select_next_proto(
        &place,
        chosenLength,
        ours.utf8Start,
        CUnsignedInt(ours.utf8CodeUnitCount),
        offered,
        offeredLength
    )
    guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    chosen.pointee = UnsafePointer(place)
    return SSL_TLSEXT_ERR_OK
}
