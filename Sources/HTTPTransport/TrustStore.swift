#if canImport(Glibc) || canImport(Musl)
import COpenSSL

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The settings of TLS connections: trusted authorities, TLS 1.2 and 1.3, and HTTP/1.1 by ALPN.
///
/// Each server must have a certificate for the URL's host.
///
/// - Note: `@unchecked Sendable` is safe: it is constant after its creation, and OpenSSL locks its
///   own internal state.
final class TrustStore: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Trusts the system's authorities, which `SSL_CERT_FILE` and `SSL_CERT_DIR` can override, and
    /// those in a PEM file, if given.
    ///
    /// - Throws: ``ClientError`` of kind `untrusted` if the file can't be used.
    init(authorities: String?) throws(ClientError) {
        ERR_clear_error()
        guard let raw = SSL_CTX_new(TLS_client_method()) else {
            throw ClientError(.untrusted, "TLS can't be used: \(OpenSSLReason.take())")
        }
        self.raw = raw
        copenssl_set_protocols(raw, TLS1_2_VERSION, TLS1_3_VERSION)
        copenssl_set_session_cache_mode(raw, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_default_verify_paths(raw)
        ERR_clear_error()
        let protocols: StaticString = "\u{08}http/1.1"
        SSL_CTX_set_alpn_protos(
            raw,
            protocols.utf8Start,
            CUnsignedInt(protocols.utf8CodeUnitCount)
        )
        if let authorities, SSL_CTX_load_verify_file(raw, authorities) != 1 {
            throw ClientError(
                .untrusted,
                "\(authorities) can't be read as a PEM file of certificates: \(OpenSSLReason.take())"
            )
        }
    }

    deinit { SSL_CTX_free(raw) }

    /// Creates the TLS layer of a connection to a server.
    func channel(to authority: HostAndPort) throws(ClientError) -> TLSChannel {
        ERR_clear_error()
        guard let ssl = SSL_new(raw), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { throw ClientError(.untrusted, "TLS can't be used: \(OpenSSLReason.take())") }
        SSL_set_bio(ssl, incoming, outgoing)
        let channel = TLSChannel(owning: ssl, incoming, outgoing, to: authority)
        // An address is matched as an address, and isn't sent as a server name (RFC 6066 §3).
        let parameters = SSL_get0_param(ssl)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, authority.host) == 1 { return channel }
        ERR_clear_error()
        let host =
            authority.host.hasSuffix(".") ? String(authority.host.dropLast()) : authority.host
        // A subject's common name is no host name (RFC 9525 §2): a certificate without alternative
        // names matches no host.
        let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
        SSL_set_hostflags(ssl, CUnsignedInt(flags))
        guard SSL_set1_host(ssl, host) == 1, copenssl_set_server_name(ssl, host) == 1 else {
            throw ClientError(.invalidURL, "\(authority.host) is not a host name")
        }
        return channel
    }
}

/// OpenSSL's error queue, one per thread.
enum OpenSSLReason {
    /// Returns OpenSSL's reason for the first error and empties the queue.
    static func take() -> String {
        let first = ERR_peek_error()
        ERR_clear_error()
        guard first != 0 else { return "no reason given" }
        // System errors are errno numbers; OpenSSL has no text for them.
        if copenssl_error_library(first) == ERR_LIB_SYS {
            return String(cString: strerror(copenssl_error_reason(first)))
        }
        return ERR_reason_error_string(first).map { String(cString: $0) } ?? "error \(first)"
    }
}
#endif
