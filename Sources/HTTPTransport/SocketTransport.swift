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
public final class SocketTransport: Transport {
    /// The limits of a transport.
    public typealias Limits = TransportLimits

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
        let origin = try Self.origin(of: request)
        let bytes = try RequestBytes.encode(request, body: body)
        let exchange = SocketExchange(
            method: request.method,
            origin: origin,
            bytes: bytes,
            timeoutPlace: request.headerFields.haveTimeout ? nil : bytes.count - body.count - 2,
            limits: limits,
            pool: pool,
            trust: trustStore
        )
        return try await exchange.run(on: threads)
    }

    /// Sends a request and returns the response after its head.
    ///
    /// ``TransportLimits/timeout`` applies to each step: sending a piece, or waiting for the next
    /// one. After a body of the request the server has one more second to respond per MiB. The
    /// body of an error response is complete and has at most ``TransportLimits/maximumResponse``
    /// bytes.
    public func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        let origin = try Self.origin(of: request)
        let connector = SocketConnector(
            origin: origin,
            limits: limits,
            threads: threads,
            trust: trustStore
        )
        let bytes: [UInt8]
        let pieces: BodyPieces?
        switch body {
        case .bytes(let body):
            bytes = try RequestBytes.encode(request, body: body)
            pieces = nil
        case .pieces(let body):
            bytes = try RequestBytes.encode(request, body: [], isChunked: true)
            pieces = body
        }
        return try await SocketStream.open(
            SocketStream.Head(method: request.method, bytes: bytes),
            pieces,
            connector,
            pool
        )
    }

    private static func origin(of request: HTTPRequest) throws(ClientError) -> Origin {
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
        return Origin(isSecure: isSecure, authority: authority)
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
