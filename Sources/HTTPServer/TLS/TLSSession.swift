import System
import COpenSSL
import Glibc
import HTTPSyntax

/// A connection's TLS: plaintext on one side, the socket on the other.
///
/// OpenSSL uses the non-blocking socket directly. Compared with memory BIOs this saves a copy in
/// each direction, their memory, and separate code for alerts. `receive` and `transmit` behave like
/// `recv` and `send`, including `errno`.
final class TLSSession {
    enum Step {
        case done
        case wantsRead
        case wantsWrite
        /// The client has sent the beginning of a plain request instead of TLS.
        case plain
        /// The client disconnected before sending anything: a port scan or a health check.
        case gone
        /// The handshake failed.
        ///
        /// OpenSSL has sent an alert if the protocol defines one.
        case failed(String)
    }

    let ssl: OpaquePointer
    private let descriptor: CInt
    /// The session's context, which OpenSSL's callback uses to select the certificate.
    let context: TLSContext
    /// Whether the server has several certificates, so that a request may need another connection.
    private let hasOthers: Bool
    /// The last authority for which this connection's certificate was found valid.
    @exclusivity(unchecked) private var authority: [UInt8] = []
    /// Whether the client has sent anything.
    @exclusivity(unchecked) private var hasBegun = false
    @exclusivity(unchecked) private var isEstablished = false
    /// After a fatal error nothing more may be sent.
    @exclusivity(unchecked) private var isBroken = false
    /// OpenSSL has buffered bytes, or the end, which the poller doesn't report.
    @exclusivity(unchecked) private(set) var hasUnread = false
    /// TLS output, such as the response to a key update, waits for the socket.
    @exclusivity(unchecked) var awaitsSocket = false
    /// The trust in the client's certificate; nil without one, and until the handshake is complete.
    private var clientTrust: ClientTrust?
    /// The error that broke the connection, for the log; nil without one.
    @exclusivity(unchecked) private(set) var failure: String?

    /// Whether the client violated the protocol and was sent an alert.
    var hasAlerted: Bool { failure != nil }

    /// Creates the session of an accepted connection; throws if there is no memory.
    init(on descriptor: CInt, of context: TLSContext) throws(TLSError) {
        ERR_clear_error()
        guard let ssl = SSL_new(context.contexts[0].raw) else { throw Self.noMemory }
        guard SSL_set_fd(ssl, descriptor) == 1 else {
            SSL_free(ssl)
            throw Self.noMemory
        }
        self.ssl = ssl
        self.descriptor = descriptor
        self.context = context
        hasOthers = context.contexts.count > 1
        SSL_set_accept_state(ssl)
    }

    private static var noMemory: TLSError {
        TLSError("can't create a TLS session: \(OpenSSLErrors.take() ?? "no memory")")
    }

    deinit { SSL_free(ssl) }

    /// Whether client and server have agreed on HTTP/2 (RFC 7301, RFC 9113 §3.2).
    var negotiatedHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return ByteSpan(start: name, count: Int(count)).equals("h2")
    }

    /// Whether a request for this authority needs another connection, whose certificate is valid
    /// for its host (RFC 9110 §15.5.20).
    @inline(__always)
    func isMisdirected(_ authority: ByteSpan) -> Bool { hasOthers && isForeign(authority) }

    private func isForeign(_ authority: ByteSpan) -> Bool {
        if authority.elementsEqual(self.authority) { return false }
        if context.isMisdirected(authority, on: ssl) { return true }
        // A host name with a port is shorter (RFC 1035 §2.3.4). The limit bounds an idle
        // connection's memory.
        if authority.count < 262 { self.authority = Array(authority) }
        return false
    }

    /// The time at which the client's certificate, or one of its authorities, expires.
    ///
    /// In seconds since 1970; `Int.max` without a certificate, and until the handshake is complete.
    var trustEnd: Int { clientTrust?.end ?? .max }

    /// The client's verified certificate; nil if it has sent none.
    ///
    /// Read after the handshake: clients can't send certificates later.
    private(set) lazy var clientCertificate = findClientCertificate()

    private func findClientCertificate() -> ClientCertificate? {
        // The handshake already requires verification. It is checked again, since authentication
        // depends on it.
        guard let raw = SSL_get1_peer_certificate(ssl) else { return nil }
        let certificate = Certificate(owning: raw)
        guard SSL_get_verify_result(ssl) == X509_V_OK, let clientTrust else { return nil }
        return ClientCertificate(certificate, clientTrust)
    }

    /// The first byte of a handshake record (RFC 8446 §5.1).
    private static let handshakeRecord: UInt8 = 0x16
    /// The maximum content of a record (RFC 8446 §5.1).
    static let recordSize = 16 * 1024

    /// Continues the handshake as far as the socket allows.
    func handshake() -> Step {
        if !hasBegun {
            var first: UInt8 = 0
            let count = recv(descriptor, &first, 1, CInt(MSG_PEEK))
            if count < 0, errno == EAGAIN || errno == EINTR { return .wantsRead }
            guard count > 0 else { return .gone }
            hasBegun = true
            // A plain request begins with a method, or with the empty lines that some clients send
            // before one.
            if first != Self.handshakeRecord,
                ByteClass.isToken(first) || first == 0x0D
                    || first == 0x0A
            {
                return .plain
            }
        }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            isEstablished = true
            clientTrust = ClientTrust.find(ssl)
            // A request may have arrived with the handshake's last bytes.
            hasUnread = SSL_has_pending(ssl) == 1
            return .done
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        default:
            isBroken = true
            return .failed(OpenSSLErrors.take() ?? "the connection broke off")
        }
    }

    /// Reads like `recv`: returns the byte count, 0 at the client's end, or -1 with `errno`.
    ///
    /// An end without close_notify is an error (`ECONNRESET`): an attacker may have cut the
    /// connection (RFC 8446 §6.1).
    func receive(_ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Int {
        hasUnread = false
        var count = 0
        repeat {
            ERR_clear_error()
            let read = SSL_read(ssl, buffer + count, CInt(clamping: capacity - count))
            guard read > 0 else {
                if count == 0 { return stopped(read) }
                // The next call reports the end. The poller won't.
                if stopped(read) == 0 || errno != EAGAIN { hasUnread = true }
                return count
            }
            count += Int(read)
            hasUnread = SSL_has_pending(ssl) == 1
            // The rest of a record costs no system call. A full record is rarely the last one.
            guard hasUnread || read == Self.recordSize else { return count }
        } while count < capacity
        return count
    }

    /// Writes like `send`: returns the number of accepted bytes, or -1 with `errno`.
    ///
    /// After `EAGAIN` the next call has to begin with the same bytes, at least as many: OpenSSL has
    /// already encrypted a part of them.
    func transmit(_ bytes: ByteSpan) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var sent = 0
        while sent < bytes.count {
            ERR_clear_error()
            let written = SSL_write(ssl, start + sent, CInt(clamping: bytes.count - sent))
            guard written > 0 else { return sent > 0 ? sent : stopped(written) }
            sent += Int(written)
        }
        return sent
    }

    /// Sends a part of a file like `transmit`; returns 0 if the file has become shorter.
    ///
    /// Reads one record at a time, so that a slow client occupies only the record in OpenSSL's
    /// buffer.
    func transmit(_ file: FileDescriptor, at offset: Int, _ count: Int) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.recordSize) { room in
            var sent = 0
            while sent < count {
                let wanted = min(Self.recordSize, count - sent)
                guard let place = room.baseAddress,
                    case let read = file.read(wanted, at: offset + sent, to: place),
                    read > 0
                else { return sent }
                let written = transmit(ByteSpan(rebasing: UnsafeBufferPointer(room)[..<read]))
                guard written > 0 else { return sent > 0 ? sent : written }
                sent += written
            }
            return sent
        }
    }

    /// Sends close_notify (RFC 8446 §6.1) if the session allows it; returns false if the socket has
    /// to accept bytes first.
    func sendCloseNotify() -> Bool {
        guard isEstablished, !isBroken else { return true }
        ERR_clear_error()
        let result = SSL_shutdown(ssl)
        guard result < 0, SSL_get_error(ssl, result) == SSL_ERROR_WANT_WRITE else {
            isBroken = true  // Sent, or it can't be.
            return true
        }
        awaitsSocket = true
        return false
    }

    /// Makes the connection end without close_notify, since the response is incomplete (RFC 8446
    /// §6.1).
    func breakOff() { isBroken = true }

    private func stopped(_ result: CInt) -> Int {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_ZERO_RETURN: return 0
        case SSL_ERROR_WANT_READ: errno = EAGAIN
        case SSL_ERROR_WANT_WRITE:
            (awaitsSocket, hasUnread) = (true, true)
            errno = EAGAIN
        default:
            isBroken = true
            // An end without close_notify has no alert, since the client is disconnected.
            let error = ERR_peek_error()
            let isEnd = copenssl_error_reason(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING
            let reason = OpenSSLErrors.take()
            if !isEnd { failure = reason }
            errno = ECONNRESET
        }
        return -1
    }
}
