#if canImport(Glibc) || canImport(Musl)
public import HTTPTypes
import Locking

/// The transport of platforms without a `URLSession` to speak of: HTTP/1.1 over sockets, plain or
/// with TLS.
///
/// Foundation's URL loading costs a Linux process 18 MiB of resident memory and cannot be linked
/// statically, so this is ours: a few threads, each of which carries one exchange at a time, and
/// connections that are kept for the next one. TLS is OpenSSL's, 1.2 or 1.3; a server has to show a
/// certificate for the URL's host by an authority that is trusted here.
public final class SocketTransport: StreamingTransport {
    /// The limits of a transport.
    public struct Limits: Sendable {
        /// How long a connection may take to be made.
        public var connectTimeout: Duration = .seconds(5)
        /// How long a whole exchange may take, waiting for its turn included.
        ///
        /// What is left of it goes with the request, as `Request-Timeout`, unless the request has
        /// that field: the server needn't go on when nobody waits any more.
        public var timeout: Duration = .seconds(30)
        /// How many bytes a response's body may have.
        public var greatestResponse = 16 << 20
        /// How many exchanges run at once; more wait for their turn.
        public var greatestConcurrency = 16
        /// How many idle connections are kept for each host and port.
        public var greatestIdle = 8
        /// How long an idle connection is kept: less than servers do, so that few turn out closed.
        public var idleTimeout: Duration = .seconds(20)

        /// The usual limits.
        public init() {}
    }

    private let limits: Limits
    private let pool: ConnectionPool
    private let threads: WorkerThreads
    private let authorities: String?
    /// Made when it is first needed: who speaks `http` alone doesn't pay for it.
    private let trust = Locked<TrustStore?>(nil)

    /// A transport with those limits.
    ///
    /// It trusts the authorities of the system, which the variables `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR` may name, and those in a PEM file, if it is given one.
    public init(limits: Limits = Limits(), authorities: String? = nil) {
        self.limits = limits
        self.authorities = authorities
        pool = ConnectionPool(
            greatestIdle: limits.greatestIdle,
            idleTimeout: limits.idleTimeout
        )
        threads = WorkerThreads(greatestCount: limits.greatestConcurrency)
    }

    /// Sends a request and gives the response once it is whole.
    ///
    /// A request is sent twice only where a kept connection turned out closed before the first byte
    /// of a response, and only one that is idempotent (RFC 9110, 9.2.2) or of which no byte had
    /// gone out.
    /// - Throws: ``ClientError``, or `CancellationError` as soon as the task is cancelled.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await exchange(request, body: body, into: nil)
    }

    /// Sends a request and gives a success's body to `sink`, piece by piece, on one of the transport's
    /// threads, which it may hold up.
    ///
    /// ``Limits/timeout`` is how long each step may take: to send a part, or until the next piece comes.
    /// ``Limits/greatestResponse`` is for a response of another status.
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        into sink: @escaping BodySink
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await exchange(request, body: body, into: sink)
    }

    /// Sends a request whose body comes from `source`, piece by piece and in chunks (RFC 9112 §7.1), on one
    /// of the transport's threads, which it may hold up.
    ///
    /// ``Limits/timeout`` is how long each step may take: to send a part, or until the answer comes, for
    /// which the server has a second more for each MiB that it was sent.
    func send(
        _ request: HTTPRequest,
        from source: @escaping BodySource
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await exchange(request, body: [], from: source, into: nil)
    }

    private func exchange(
        _ request: HTTPRequest,
        body: [UInt8],
        from source: BodySource? = nil,
        into sink: BodySink?
    ) async throws -> (HTTPResponse, [UInt8]) {
        let isSecure = request.scheme == "https"
        guard isSecure || request.scheme == "http" else {
            throw ClientError(
                .invalidURL,
                "\(request.scheme ?? "A URL without a scheme") is neither http nor https"
            )
        }
        let port: UInt16 = isSecure ? 443 : 80
        guard let authority = Authority(request.authority ?? "", defaultPort: port) else {
            let shown = ShownURL.text(request.authority ?? "")
            throw ClientError(.invalidURL, "\"\(shown)\" is no host and port")
        }
        let bytes = try RequestBytes.encode(request, body: body, isChunked: source != nil)
        // Nobody knows how long a body takes that is streamed.
        let isTold = sink == nil && source == nil && !request.headerFields.haveTimeout
        let exchange = SocketExchange(
            method: request.method,
            origin: Origin(isSecure: isSecure, authority: authority),
            bytes: bytes,
            timeoutPlace: isTold ? bytes.count - body.count - 2 : nil,
            limits: limits,
            pool: pool,
            source: source,
            sink: sink,
            trust: trustStore
        )
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                if !threads.run({ exchange.run() }) {
                    exchange.end(.failure(ClientError(.unreachable, "No thread can be made")))
                }
            }
        } onCancel: {
            exchange.cancel()
        }
    }

    @Sendable private func trustStore() throws(ClientError) -> TrustStore {
        try trust.withLock { trust throws(ClientError) in
            if let trust { return trust }
            let store = try TrustStore(authorities: authorities)
            trust = store
            return store
        }
    }
}
#endif
