#if canImport(Glibc) || canImport(Musl)
import HTTPTypes

/// One request and its response; one thread runs it, and any thread may cancel it.
final class SocketExchange: Sendable {
    typealias Response = (HTTPResponse, [UInt8])

    private let handoff = Handoff<Response>()
    private let held = HeldConnection()
    private let method: HTTPRequest.Method
    private let origin: Origin
    private var authority: HostAndPort { origin.authority }
    private let bytes: [UInt8]
    /// The position for the line with the remaining time; nil if the request has its own.
    private let timeoutPlace: Int?
    private let limits: TransportLimits
    private let pool: ConnectionPool
    private let trust: @Sendable () throws(ClientError) -> TrustStore
    private let deadline: ContinuousClock.Instant

    init(
        method: HTTPRequest.Method,
        origin: Origin,
        bytes: [UInt8],
        timeoutPlace: Int?,
        limits: TransportLimits,
        pool: ConnectionPool,
        trust: @escaping @Sendable () throws(ClientError) -> TrustStore
    ) {
        self.method = method
        self.origin = origin
        self.trust = trust
        self.bytes = bytes
        self.timeoutPlace = timeoutPlace
        self.limits = limits
        self.pool = pool
        deadline = .now + limits.timeout
    }

    /// Runs the exchange on one of these threads.
    ///
    /// - Throws: ``ClientError``, or `CancellationError` as soon as the task is cancelled.
    func run(on threads: WorkerThreads) async throws -> Response {
        try await handoff.wait {
            if !threads.run({ self.handoff.end(Result { try self.run() }) }) {
                handoff.end(.failure(ClientError(.unreachable, "No thread can be created")))
            }
        } cancelled: {
            self.held.cancel()
        }
    }

    private func run() throws -> Response {
        // Checked first: an exchange that left the queue too late takes no connection.
        try held.check()
        guard deadline > .now else {
            throw ClientError(.timedOut, "All connections were in use for too long")
        }
        do {
            if let idle = pool.take(origin) {
                do {
                    return try exchange(over: idle)
                } catch let closed as ClosedEarly where closed.written == 0 || canRepeat {
                    // Retried below, over a new connection.
                }
            }
            return try exchange(over: connect())
        } catch is ClosedEarly {
            throw ClientError(
                .unreachable,
                "\(authority.text) closed the connection without a response"
            )
        }
    }

    private func connect() throws -> SocketConnection {
        try held.check()
        let limit = min(deadline, .now + limits.connectTimeout)
        let trust = origin.isSecure ? try trust() : nil
        do {
            let addresses = try Resolver.shared.addresses(of: authority, until: limit, for: held)
            return try SocketConnection.connect(
                to: addresses,
                of: authority,
                trusting: trust,
                until: limit,
                isWanted: held.hold
            )
        } catch {
            try held.check()
            throw error
        }
    }

    /// The error of a connection that was closed before the response's first byte.
    private struct ClosedEarly: Error {
        let written: Int
    }

    /// Whether the request is idempotent, so that it may be sent again.
    private var canRepeat: Bool { method != .post && method != .patch }

    private func exchange(over connection: SocketConnection) throws -> Response {
        guard held.hold(connection) else {
            // The connection is unused.
            pool.keep(connection, for: origin)
            throw CancellationError()
        }
        defer { held.release() }
        var reader = ResponseReader(answering: method, maximumBody: limits.maximumResponse)
        var bytes = bytes
        if let timeoutPlace {
            bytes.insert(contentsOf: RequestBytes.timeout(deadline - .now), at: timeoutPlace)
        }
        let written = try write(bytes, to: connection, &reader)
        while !reader.isDone {
            switch try read(from: connection, &reader) {
            case .bytes: continue
            case .nothing: try connection.wait(toReadUntil: deadline)
            case .end, .broken:
                guard reader.hasBegun else { throw ClosedEarly(written: written) }
                try reader.finish()
            }
        }
        guard let response = reader.response else {
            throw ClientError(.invalidResponse, "The response has no head")
        }
        if reader.canReuse, written == bytes.count {
            held.release()
            pool.keep(connection, for: origin)
        }
        return (response, reader.body)
    }

    /// Writes the request and returns the number of bytes sent.
    ///
    /// A server may respond early, with a `413` for example, and close the connection.
    private func write(
        _ bytes: [UInt8],
        to connection: SocketConnection,
        _ reader: inout ResponseReader
    ) throws -> Int {
        var written = 0
        while written < bytes.count || connection.hasUnsent {
            let event = try connection.wait(toWriteUntil: deadline)
            try held.check()
            if event.isReadable {
                switch try read(from: connection, &reader) {
                case .bytes where !reader.isDone: continue
                case .nothing: break
                case .bytes, .end, .broken: return written
                }
            }
            if event.isWritable {
                guard let count = connection.write(bytes[written...]) else { return written }
                written += count
            }
        }
        return written
    }

    /// Passes received bytes to the reader.
    ///
    /// - Throws: ``ClientError`` if the bytes violate HTTP or TLS, or if the connection broke
    ///   within a response.
    private func read(
        from connection: SocketConnection,
        _ reader: inout ResponseReader
    ) throws -> SocketConnection.ReadResult {
        let result = try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
            let result = try connection.read(into: room, until: deadline)
            if case .bytes(let count) = result {
                try reader.feed(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
            return result
        }
        try held.check()
        if result == .broken, reader.hasBegun {
            throw ClientError(
                .invalidResponse,
                "\(authority.text) closed the connection within the response"
            )
        }
        return result
    }
}
#endif
