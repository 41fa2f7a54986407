#if canImport(Glibc) || canImport(Musl)
public import HTTPTypes
import Plug

/// The transport of platforms without a `URLSession` to speak of: HTTP/1.1 over plain sockets.
///
/// Foundation's URL loading costs a Linux process 18 MiB of resident memory and cannot be linked
/// statically, so this is ours: a few threads, each of which carries one exchange at a time, and
/// connections that are kept for the next one. It speaks `http` only: between servers TLS is the
/// business of the network's proxy.
public final class SocketTransport: Transport {
    /// The limits of a transport.
    public struct Limits: Sendable {
        /// How long a connection may take to be made.
        public var connectTimeout: Duration = .seconds(5)
        /// How long a whole exchange may take, waiting for its turn included.
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

    /// A transport with those limits.
    public init(limits: Limits = Limits()) {
        self.limits = limits
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
        guard request.scheme == "http" else {
            throw ClientError(
                .invalidURL,
                "\(request.scheme ?? "A URL without a scheme") cannot be spoken on this platform "
                    + "without a proxy: use http or a transport of your own"
            )
        }
        guard let authority = Authority(request.authority ?? "", defaultPort: 80) else {
            throw ClientError(.invalidURL, "\"\(request.authority ?? "")\" is no host and port")
        }
        let bytes = try RequestBytes.encode(request, body: body)
        let exchange = SocketExchange(
            method: request.method,
            authority: authority,
            bytes: bytes,
            limits: limits,
            pool: pool
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
}
#endif
