#if canImport(Glibc) || canImport(Musl)
import COpenSSL

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Whom TLS connections trust, and how they are made: TLS 1.2 and 1.3, HTTP/1.1 by ALPN, a server
/// that is who the URL names or none at all.
///
/// - Note: `@unchecked Sendable` is safe: it isn't changed once it is made, and OpenSSL locks what
///   connections change of it.
final class TrustStore: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Trusts the authorities of the system, which `SSL_CERT_FILE` and `SSL_CERT_DIR` may name, and
    /// those in a PEM file, if there is one.
    ///
    /// - Throws: a ``ClientError`` of kind `untrusted` where the file can't be used.
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

    /// What is between a connection to that server and its socket.
    func channel(to authority: Authority) throws(ClientError) -> TLSChannel {
        ERR_clear_error()
        guard let ssl = SSL_new(raw), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { throw ClientError(.untrusted, "TLS can't be used: \(OpenSSLReason.take())") }
        SSL_set_bio(ssl, incoming, outgoing)
        let channel = TLSChannel(owning: ssl, incoming, outgoing, to: authority)
        // An address is matched as one, and isn't asked for by name (RFC 6066 §3).
        let parameters = SSL_get0_param(ssl)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, authority.host) == 1 { return channel }
        ERR_clear_error()
        let host =
            authority.host.hasSuffix(".") ? String(authority.host.dropLast()) : authority.host
        SSL_set_hostflags(ssl, CUnsignedInt(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        guard SSL_set1_host(ssl, host) == 1, copenssl_set_server_name(ssl, host) == 1 else {
            throw ClientError(.invalidURL, "\(authority.host) is no host name")
        }
        return channel
    }
}

/// OpenSSL's queue of errors, which belongs to the thread.
enum OpenSSLReason {
    /// The first error's reason in OpenSSL's words; empties the queue.
    static func take() -> String {
        let first = ERR_peek_error()
        ERR_clear_error()
        guard first != 0 else { return "no reason given" }
        // The system's errors are its numbers; OpenSSL has no words for them.
        if copenssl_error_library(first) == ERR_LIB_SYS {
            return String(cString: strerror(copenssl_error_reason(first)))
        }
        return ERR_reason_error_string(first).map { String(cString: $0) } ?? "error \(first)"
    }
}
#endif
