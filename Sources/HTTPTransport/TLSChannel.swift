#if canImport(Glibc) || canImport(Musl)
import COpenSSL

/// A connection's TLS without its socket: plaintext on one side, records on the other.
///
/// OpenSSL's own socket writes could raise SIGPIPE, whose handling belongs to the application.
///
/// - Note: `@unchecked Sendable` is safe: the connection uses it within its lock.
final class TLSChannel: @unchecked Sendable {
    enum Outcome: Equatable {
        /// The number of bytes; 0 for a complete handshake.
        case done(Int)
        /// More records must be received first.
        case needsRecords
        /// The server has closed the stream.
        case ended
        /// The protocol or the certificate check failed.
        case failed(ClientError)
    }

    /// The maximum plaintext size of a record (RFC 8446 §5.1).
    static let recordSize = 16 << 10

    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let authority: HostAndPort
    private var isEstablished = false
    /// Records that wait for the socket.
    private(set) var unsent: ArraySlice<UInt8> = []

    init(
        owning ssl: OpaquePointer,
        _ incoming: OpaquePointer,
        _ outgoing: OpaquePointer,
        to authority: HostAndPort
    ) {
        (self.ssl, self.incoming, self.outgoing) = (ssl, incoming, outgoing)
        self.authority = authority
        SSL_set_connect_state(ssl)
    }

    deinit { SSL_free(ssl) }

    /// Continues the handshake as far as the received records allow.
    func handshake() -> Outcome {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        collect()
        guard result == 1 else { return stopped(result) }
        isEstablished = true
        return .done(0)
    }

    /// Adds received records.
    func feed(_ records: UnsafeRawBufferPointer) {
        BIO_write(incoming, records.baseAddress, CInt(clamping: records.count))
    }

    /// Reads decrypted bytes from the received records.
    func read(into room: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let count = SSL_read(ssl, room.baseAddress, CInt(clamping: room.count))
        // OpenSSL may have queued a response to a key update.
        collect()
        return count > 0 ? .done(Int(count)) : stopped(count)
    }

    /// Encrypts the first of these bytes as a record; returns nil if TLS has failed.
    func seal(_ bytes: ArraySlice<UInt8>) -> Int? {
        let part = bytes.prefix(Self.recordSize)
        guard !part.isEmpty else { return 0 }
        ERR_clear_error()
        let count = part.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, CInt($0.count)) }
        collect()
        return count > 0 ? Int(count) : nil
    }

    /// Sends the close alert (RFC 8446 §6.1).
    func sendCloseNotify() {
        guard isEstablished else { return }
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
        collect()
    }

    /// Removes bytes that the socket has sent.
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
    /// Returns the error of a rejected certificate, with advice.
    fileprivate static func untrusted(_ server: HostAndPort, _ verdict: CInt) -> ClientError {
        let name = server.host
        let message =
            switch verdict {
            case X509_V_ERR_CERT_HAS_EXPIRED:
                "The certificate of \(name) has expired: renew it on that server, or check the "
                    + "clock here"
            case X509_V_ERR_CERT_NOT_YET_VALID:
                "The certificate of \(name) isn't valid yet: check the clock here"
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
                "The certificate of \(name) is for another host: check the URL, or install a "
                    + "certificate for \(name) on that server"
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
                "The certificate of \(name) has no trusted authority: if you trust it, name the "
                    + "PEM file of its authority, as in SSL_CERT_FILE"
            default:
                "The certificate of \(name) isn't trusted: "
                    + String(cString: X509_verify_cert_error_string(Int(verdict)))
            }
        return ClientError(.untrusted, message)
    }

    /// Returns the error of a failed TLS connection.
    fileprivate static func brokenTLS(
        _ server: HostAndPort,
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
                "\(server.text) rejected the connection (\(text)): it may require client "
                    + "certificates, which this client doesn't support"
            )
        default: ClientError(.unreachable, "TLS with \(server.text) failed: \(text)")
        }
    }
}
#endif
