import COpenSSL
import Glibc
import HTTP2Frames

@testable import HTTPServer

/// A TLS client over a test's client: OpenSSL with memory on both sides, so that a test decides
/// what of it goes over the wire, and when.
final class TLSClient {
    /// How a connection ended.
    enum End: Equatable {
        /// With close_notify.
        case closed
        /// Without it: what came may not be all.
        case truncated
        case failed(String)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let transport: TestClient
    let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private(set) var received: [UInt8] = []
    private(set) var end: End?

    /// Makes a client that checks no certificate; `configure` gets its context.
    init(_ transport: TestClient, _ configure: (OpaquePointer) -> Void = { _ in }) throws {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Self.failure() }
        defer { SSL_CTX_free(context) }
        SSL_CTX_set_security_level(context, 0)
        configure(context)
        guard let ssl = SSL_new(context), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { throw Self.failure() }
        self.transport = transport
        (self.ssl, self.incoming, self.outgoing) = (ssl, incoming, outgoing)
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_set_connect_state(ssl)
    }

    deinit { SSL_free(ssl) }

    private static func failure() -> Failure {
        Failure(description: OpenSSLErrors.take() ?? "no reason")
    }

    // MARK: The wire

    /// OpenSSL's outgoing bytes, which the caller sends.
    func takeOutgoing() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
        let count = BIO_read(outgoing, &bytes, CInt(bytes.count))
        return Array(bytes.prefix(max(0, Int(count))))
    }

    func flush() throws {
        let bytes = takeOutgoing()
        if !bytes.isEmpty { try transport.send(bytes) }
    }

    /// Waits for bytes; false at the end.
    private func fill() throws -> Bool {
        try transport.read(atLeast: 1)
        let bytes = transport.take()
        BIO_write(incoming, bytes, CInt(bytes.count))
        return !bytes.isEmpty
    }

    // MARK: TLS

    /// Does the handshake; `send` says how its bytes go out.
    func handshake(_ send: ((TestClient, [UInt8]) throws -> Void)? = nil) throws {
        while true {
            ERR_clear_error()
            let result = SSL_do_handshake(ssl)
            let isWaiting = SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ
            let failure = Self.failure()
            if let send { try send(transport, takeOutgoing()) } else { try flush() }
            if result == 1 { return }
            guard isWaiting else { throw failure }
            guard try fill() else { throw Failure(description: "the server closed") }
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        encrypt(bytes)
        try flush()
    }

    /// Encrypts into what goes out next.
    func encrypt(_ bytes: [UInt8]) {
        SSL_write(ssl, bytes, CInt(bytes.count))
    }

    /// Says close_notify.
    func sendCloseNotify() throws {
        SSL_shutdown(ssl)
        try flush()
    }

    func answer() throws -> Answer {
        while true {
            if let answer = Answer(received, toHead: false) {
                received.removeFirst(answer.length)
                return answer
            }
            guard end == nil else {
                throw Failure(description: "ended: \(String(describing: end))")
            }
            try readMore()
        }
    }

    /// The statuses of the first so many answers in HTTP/2, by their streams.
    func http2Answers(_ count: Int) throws -> [UInt32: String] {
        let decoder = HPACK.Decoder()
        var statuses: [UInt32: String] = [:]
        while statuses.count < count {
            while let frame = received.takeFrame() {
                guard frame.kind == .headers else { continue }
                let fields = decoder.decode(frame.payload)
                statuses[frame.stream] = fields.first { $0.name == ":status" }?.value
            }
            guard statuses.count < count else { break }
            guard end == nil else { throw Failure(description: "ended before all answers") }
            try readMore()
        }
        return statuses
    }

    func readToEnd() throws -> End {
        while true {
            if let end { return end }
            try readMore()
        }
    }

    private func readMore() throws {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        ERR_clear_error()
        let count = SSL_read(ssl, &bytes, CInt(bytes.count))
        if count > 0 {
            received += bytes.prefix(Int(count))
            return
        }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ:
            try flush()
            if try !fill() { end = .truncated }
        case SSL_ERROR_ZERO_RETURN: end = .closed
        default: end = .failed(Self.failure().description)
        }
    }

    // MARK: What was agreed on

    var version: String { String(cString: SSL_get_version(ssl)) }
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    var applicationProtocol: String {
        var bytes: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        SSL_get0_alpn_selected(ssl, &bytes, &count)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    var serverFingerprint: String? {
        SSL_get1_peer_certificate(ssl).map { Certificate(owning: $0).fingerprint }
    }
}

extension TestServer {
    /// A client whose handshake is done.
    func tlsClient(
        receiveBuffer: CInt? = nil,
        _ configure: (OpaquePointer) -> Void = { _ in }
    ) throws -> TLSClient {
        let client = try TLSClient(client(receiveBuffer: receiveBuffer), configure)
        try client.handshake()
        return client
    }
}

/// Offers these application protocols (RFC 7301 §3.1).
func offer(_ protocols: String..., by context: OpaquePointer) {
    let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    SSL_CTX_set_alpn_protos(context, list, CUnsignedInt(list.count))
}

extension TLSClient {
    /// Restricts a client's context to one version.
    static func version(_ version: CInt) -> (OpaquePointer) -> Void {
        { copenssl_set_protocols($0, version, version) }
    }
}

extension TLSContext {
    /// A context with a new self-signed certificate.
    static func development() throws -> TLSContext {
        try TLSContext(TLSConfiguration(identity: .development))
    }
}
