#if canImport(Glibc) || canImport(Musl)
import HTTPSyntax
public import HTTPTypes
import Locking

/// The transport on platforms without Apple's `URLSession`: HTTP/1.1 over sockets, with or without
/// TLS.
///
/// Foundation's URL loading costs a Linux process 18 MiB of resident memory and can't be linked
/// statically. So this transport has a few threads of its own, each with one exchange at a time,
/// and a pool of connections. TLS is OpenSSL's, version 1.2 or 1.3. A server needs a certificate
/// for the URL's host from a trusted authority.
public final class SocketTransport: StreamingTransport {
    /// The limits of a transport.
    ///
    /// A time is at most a year, and no value is negative. The transport uses the nearest valid
    /// value instead of an invalid one.
    public struct Limits: Sendable {
        /// The timeout for a new connection.
        public var connectTimeout: Duration = .seconds(5)
        /// The timeout of a whole exchange, including its wait in the queue.
        ///
        /// The remaining time is sent as `Request-Timeout`, unless the request has that field. So
        /// the server can stop work when the client no longer waits.
        public var timeout: Duration = .seconds(30)
        /// The maximum size of a response's body, in bytes.
        public var maximumResponse = 16 << 20
        /// The maximum number of concurrent exchanges; further ones wait in a queue.
        public var maximumConcurrency = 16
        /// The maximum number of idle connections per host and port.
        public var maximumIdle = 8
        /// The lifetime of an idle connection: shorter than servers', so that few turn out closed.
        public var idleTimeout: Duration = .seconds(20)

        /// Creates the default limits.
        public init() {}

        /// The limits with the nearest valid values.
        var clamped: Limits {
            var limits = self
            limits.connectTimeout = Timeout.clamped(connectTimeout)
            limits.timeout = Timeout.clamped(timeout)
            limits.idleTimeout = Timeout.clamped(idleTimeout)
            limits.maximumResponse = max(0, maximumResponse)
            limits.maximumIdle = max(0, maximumIdle)
            return limits
        }
    }

    private let limits: Limits
    private let pool: ConnectionPool
    private let threads: WorkerThreads
    private let authorities: String?
    /// Created on first use, so that clients of `http` URLs only don't pay for it.
    private let trust = Locked<TrustStore?>(nil)

    /// Creates a transport.
    ///
    /// It trusts the system's authorities, and those in the PEM file `authorities`, if given. The
    /// variables `SSL_CERT_FILE` and `SSL_CERT_DIR` can override the system's.
    public init(limits: Limits = Limits(), authorities: String? = nil) {
        let limits = limits.clamped
        self.limits = limits
        self.authorities = authorities
        pool = ConnectionPool(
            maximumIdle: limits.maximumIdle,
            idleTimeout: limits.idleTimeout
        )
        threads = WorkerThreads(maximumCount: limits.maximumConcurrency)
    }

    /// Sends a request and returns the complete response.
    ///
    /// A request is sent again only if a pooled connection was closed before the response's first
    /// byte. It must also be idempotent (RFC 9110 §9.2.2), or none of its bytes had been sent.
    /// - Throws: ``ClientError``, or `CancellationError` as soon as the task is cancelled.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await exchange(request, body: body, into: nil)
    }

    /// Sends a request and streams a success's body to `sink`.
    ///
    /// The sink runs on one of the transport's threads and may block it.
    ///
    /// ``Limits/timeout`` applies to each step: sending a part, or waiting for the next piece.
    /// ``Limits/maximumResponse`` applies to responses of other statuses.
    package func send(
        _ request: HTTPRequest,
        body: [UInt8],
        into sink: @escaping BodySink
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await exchange(request, body: body, into: sink)
    }

    /// Sends a request with a chunked body from `source` (RFC 9112 §7.1).
    ///
    /// The source runs on one of the transport's threads and may block it.
    ///
    /// ``Limits/timeout`` applies to each step: sending a part, or waiting for the response. The
    /// server has one more second to respond per MiB of the body.
    package func send(
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
        guard let authority = HostAndPort(request.authority ?? "", defaultPort: port) else {
            let shown = RedactedURL.text(request.authority ?? "")
            throw ClientError(.invalidURL, "\"\(shown)\" is not a host and port")
        }
        let bytes = try RequestBytes.encode(request, body: body, isChunked: source != nil)
        // The duration of a streamed body is unknown, so no timeout is sent.
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
                    exchange.end(.failure(ClientError(.unreachable, "No thread can be created")))
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
