#if canImport(Glibc) || canImport(Musl)
import COpenSSL

/// A connection's TLS, without its socket: bytes in the clear on one side, records on the other.
///
/// OpenSSL would write to the socket with a signal for who has gone; that is the process's own.
///
/// - Note: `@unchecked Sendable` is safe: the thread that carries the connection's exchange is the
///   only one that touches it.
final class TLSChannel: @unchecked Sendable {
    enum Outcome: Equatable {
        /// As many bytes; 0 where it is a handshake that is done.
        case done(Int)
        /// More records have to come before.
        case needsRecords
        /// The server has said that nothing more comes.
        case ended
        /// The protocol or the trust broke.
        case failed(ClientError)
    }

    /// The most of the clear that becomes a record (RFC 8446 §5.1).
    static let recordSize = 16 << 10

    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let authority: Authority
    private var isEstablished = false
    /// Records that the socket has still to take.
    private(set) var unsent: ArraySlice<UInt8> = []

    init(
        owning ssl: OpaquePointer,
        _ incoming: OpaquePointer,
        _ outgoing: OpaquePointer,
        to authority: Authority
    ) {
        (self.ssl, self.incoming, self.outgoing) = (ssl, incoming, outgoing)
        self.authority = authority
        SSL_set_connect_state(ssl)
    }

    deinit { SSL_free(ssl) }

    /// Takes the handshake as far as what has come lets it.
    func handshake() -> Outcome {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        collect()
        guard result == 1 else { return stopped(result) }
        isEstablished = true
        return .done(0)
    }

    /// Takes records that have come.
    func feed(_ records: UnsafeRawBufferPointer) {
        BIO_write(incoming, records.baseAddress, CInt(clamping: records.count))
    }

    /// Reads what is in the records so far.
    func read(into room: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let count = SSL_read(ssl, room.baseAddress, CInt(clamping: room.count))
        // A key update is answered.
        collect()
        return count > 0 ? .done(Int(count)) : stopped(count)
    }

    /// Makes a record of the first of these bytes; nil where there can't be one any more.
    func seal(_ bytes: ArraySlice<UInt8>) -> Int? {
        let part = bytes.prefix(Self.recordSize)
        guard !part.isEmpty else { return 0 }
        ERR_clear_error()
        let count = part.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, CInt($0.count)) }
        collect()
        return count > 0 ? Int(count) : nil
    }

    /// Says that nothing more comes (RFC 8446 §6.1).
    func sayEnd() {
        guard isEstablished else { return }
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
        collect()
    }

    /// The socket has taken that many bytes.
    func sent(_ count: Int) { unsent = unsent.dropFirst(count) }

    private func collect() {
        let count = BIO_ctrl_pending(outgoing)
        guard count > 0 else { return }
        unsent += [UInt8](unsafeUninitializedCapacity: count) { room, taken in
            taken = max(0, Int(BIO_read(outgoing, room.baseAddress, CInt(clamping: count))))
        }
    }

    private func stopped(_ result: CInt) -> Outcome {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsRecords
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            isEstablished = false
            let verdict = SSL_get_verify_result(ssl)
            if verdict != X509_V_OK {
                ERR_clear_error()
                return .failed(.untrusted(authority, CInt(verdict)))
            }
            let error = ERR_peek_error()
            let reason = copenssl_error_reason(error)
            return .failed(.brokenTLS(authority, reason, OpenSSLReason.take()))
        }
    }
}

extension ClientError {
    /// Why a server's certificate counts for nothing, and what to do.
    fileprivate static func untrusted(_ server: Authority, _ verdict: CInt) -> ClientError {
        let name = server.host
        let message =
            switch verdict {
            case X509_V_ERR_CERT_HAS_EXPIRED:
                "The certificate of \(name) has expired: it has to be renewed there, unless the "
                    + "clock here is wrong"
            case X509_V_ERR_CERT_NOT_YET_VALID:
                "The certificate of \(name) isn't valid yet: see whether the clock here is right"
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
                "The certificate that was shown for \(name) is for another host: see whether the "
                    + "URL is right, or have the server show one for \(name)"
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
                "Nobody who is trusted here vouches for the certificate of \(name): if you trust it, "
                    + "name the PEM file of its authority, as in SSL_CERT_FILE"
            default:
                "The certificate of \(name) isn't trusted: "
                    + String(cString: X509_verify_cert_error_string(Int(verdict)))
            }
        return ClientError(.untrusted, message)
    }

    /// Why TLS broke off.
    fileprivate static func brokenTLS(
        _ server: Authority,
        _ reason: CInt,
        _ text: String
    ) -> ClientError {
        switch reason {
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG:
            ClientError(
                .unreachable,
                "\(server.text) doesn't speak TLS: use http:// there, or another port"
            )
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
            ClientError(
                .unreachable,
                "\(server.text) refused the connection (\(text)): it may want a certificate of its "
                    + "clients, which this one hasn't"
            )
        default: ClientError(.unreachable, "TLS with \(server.text) failed: \(text)")
        }
    }
}
#endif
