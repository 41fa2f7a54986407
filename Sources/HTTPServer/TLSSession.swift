import System
import COpenSSL
import Glibc
import HTTPSyntax

/// A connection's TLS: bytes in the clear on one side, the socket on the other.
///
/// OpenSSL reads and writes the non-blocking socket itself: beside memory BIOs that saves a copy
/// each way, the memory for them, and the question who sends an alert. `receive` and `transmit`
/// behave as `recv` and `send` do, `errno` included, so that whoever calls them needn't know which.
final class TLSSession {
    enum Step {
        case done
        case wantsRead
        case wantsWrite
        /// The client doesn't speak TLS: it has sent the beginning of a plain request.
        case plain
        /// The client is gone without a word of TLS: a port scan or a health check.
        case gone
        /// OpenSSL has sent an alert where the protocol has one.
        case failed(String)
    }

    private let ssl: OpaquePointer
    private let descriptor: CInt
    /// What its connection was made of; OpenSSL asks it for the certificate.
    private let context: TLSContext
    /// A request may be for a host that another certificate is for.
    private let hasOthers: Bool
    /// The authority that this connection was last found to be right for.
    @exclusivity(unchecked) private var authority: [UInt8] = []
    /// The client has sent something.
    @exclusivity(unchecked) private(set) var hasBegun = false
    @exclusivity(unchecked) private var isEstablished = false
    /// Nothing more may be said after a fatal error.
    @exclusivity(unchecked) private var isBroken = false
    /// OpenSSL holds bytes, or the end, that the poller can't tell of.
    @exclusivity(unchecked) private(set) var hasUnread = false
    /// Something of TLS's own, such as the answer to a key update, waits for the socket.
    @exclusivity(unchecked) var awaitsSocket = false
    /// What broke the connection, for the log; nil as long as nothing has.
    @exclusivity(unchecked) private(set) var failure: String?

    /// The client broke the protocol and was sent an alert.
    var hasAlerted: Bool { failure != nil }

    init(owning ssl: OpaquePointer, descriptor: CInt, of context: TLSContext) {
        self.ssl = ssl
        self.descriptor = descriptor
        self.context = context
        hasOthers = context.contexts.count > 1
        SSL_set_accept_state(ssl)
    }

    deinit { SSL_free(ssl) }

    /// The client and the server have agreed on HTTP/2 (RFC 7301, RFC 9113 §3.2).
    var negotiatedHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return ByteSpan(start: name, count: Int(count)).equals("h2")
    }

    /// Whether a request for this authority should have come over another connection (RFC 9110
    /// §15.5.20): one whose certificate is for its host.
    @inline(__always)
    func isMisdirected(_ authority: ByteSpan) -> Bool { hasOthers && isForeign(authority) }

    private func isForeign(_ authority: ByteSpan) -> Bool {
        if authority.elementsEqual(self.authority) { return false }
        if context.isMisdirected(authority, on: ssl) { return true }
        // A host name and a port have no more (RFC 1035 §2.3.4); an idle connection stays small.
        if authority.count < 262 { self.authority = Array(authority) }
        return false
    }

    /// What the client has shown of itself; nil if nothing.
    ///
    /// Asked for once the handshake is done: there are no others later.
    private(set) lazy var clientCertificate = findClientCertificate()

    private func findClientCertificate() -> ClientCertificate? {
        // Without one whose authority vouches for it there was no handshake; it is asked again, since
        // what hangs on it is who somebody is.
        guard let raw = SSL_get1_peer_certificate(ssl) else { return nil }
        let certificate = Certificate(owning: raw)
        return SSL_get_verify_result(ssl) == X509_V_OK ? ClientCertificate(certificate) : nil
    }

    /// The bytes before this are a record of a handshake (RFC 8446 §5.1).
    private static let handshakeRecord: UInt8 = 0x16
    /// A record's greatest content (RFC 8446 §5.1).
    static let recordSize = 16 * 1024

    /// Takes the handshake as far as the socket lets it.
    func handshake() -> Step {
        if !hasBegun {
            var first: UInt8 = 0
            let count = recv(descriptor, &first, 1, CInt(MSG_PEEK))
            if count < 0, errno == EAGAIN || errno == EINTR { return .wantsRead }
            guard count > 0 else { return .gone }
            hasBegun = true
            // A method, or the line ends that some clients send before one.
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
            // A request may have come with the handshake's last bytes.
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

    /// Reads as `recv` does: the number of bytes, 0 behind the client's last, -1 and `errno`.
    ///
    /// An end without close_notify is an error (`ECONNRESET`): somebody else may have cut the
    /// connection (RFC 8446 §6.1).
    func receive(_ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Int {
        hasUnread = false
        var count = 0
        repeat {
            ERR_clear_error()
            let read = SSL_read(ssl, buffer + count, CInt(clamping: capacity - count))
            guard read > 0 else {
                if count == 0 { return stopped(read) }
                // An end is told by the next call; nothing but that call will.
                if stopped(read) == 0 || errno != EAGAIN { hasUnread = true }
                return count
            }
            count += Int(read)
            hasUnread = SSL_has_pending(ssl) == 1
            // What is left of a record costs no system call. A full record is seldom the last.
            guard hasUnread || read == Self.recordSize else { return count }
        } while count < capacity
        return count
    }

    /// Writes as `send` does: the number of bytes that were taken, or -1 and `errno`.
    ///
    /// After `EAGAIN` the next call has to begin with the same bytes, as many or more: a part of
    /// them is encrypted already.
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

    /// Sends a part of a file as `transmit` does; 0: the file is shorter than it was.
    ///
    /// A record at a time: what a slow client pins is one record, which OpenSSL holds.
    func transmit(_ file: FileTransfer, _ count: Int) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.recordSize) { room in
            var sent = 0
            while sent < count {
                let wanted = min(Self.recordSize, count - sent)
                guard let place = room.baseAddress,
                    case let read = file.body.descriptor.read(
                        wanted,
                        at: file.offset + sent,
                        to: place
                    ),
                    read > 0
                else { return sent }
                let written = transmit(ByteSpan(rebasing: UnsafeBufferPointer(room)[..<read]))
                guard written > 0 else { return sent > 0 ? sent : written }
                sent += written
            }
            return sent
        }
    }

    /// Says close_notify (RFC 8446 §6.1), where that can be said; false if the socket has to take
    /// bytes before.
    func sayEnd() -> Bool {
        guard isEstablished, !isBroken else { return true }
        ERR_clear_error()
        let result = SSL_shutdown(ssl)
        guard result < 0, SSL_get_error(ssl, result) == SSL_ERROR_WANT_WRITE else {
            isBroken = true  // Said, or it can't be.
            return true
        }
        awaitsSocket = true
        return false
    }

    /// Has the connection end without close_notify: what was sent isn't all (RFC 8446 §6.1).
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
            // An end without close_notify has no alert: nobody is left to read it.
            let error = ERR_peek_error()
            let isEnd = copenssl_error_reason(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING
            let reason = OpenSSLErrors.take()
            if !isEnd { failure = reason }
            errno = ECONNRESET
        }
        return -1
    }
}
