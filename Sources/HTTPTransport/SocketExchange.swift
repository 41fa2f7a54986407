#if canImport(Glibc) || canImport(Musl)
import HTTPTypes
import Locking

/// One request and its response; one thread runs it, and any thread may cancel it.
final class SocketExchange: Sendable {
    typealias Answer = (HTTPResponse, [UInt8])

    private struct State {
        var continuation: CheckedContinuation<Answer, any Error>?
        /// The connection in use; it is still open, so another thread may shut it down.
        var connection: SocketConnection?
        var isCancelled = false
    }

    private let state = Locked(State())
    private let method: HTTPRequest.Method
    private let origin: Origin
    private var authority: HostAndPort { origin.authority }
    private let bytes: [UInt8]
    /// The position for the line with the remaining time; nil if the request has its own.
    private let timeoutPlace: Int?
    private let limits: SocketTransport.Limits
    private let pool: ConnectionPool
    private let trust: @Sendable () throws(ClientError) -> TrustStore
    /// The source of the request's body; nil if the body is part of ``bytes``.
    private let source: BodySource?
    /// The sink for a success's body; nil if the body is collected.
    private let sink: BodySink?
    private let wholeDeadline: ContinuousClock.Instant

    /// The deadline of the current step; with a streamed body, each step has its own.
    private var deadline: ContinuousClock.Instant {
        sink == nil && source == nil ? wholeDeadline : .now + limits.timeout
    }

    init(
        method: HTTPRequest.Method,
        origin: Origin,
        bytes: [UInt8],
        timeoutPlace: Int?,
        limits: SocketTransport.Limits,
        pool: ConnectionPool,
        source: BodySource?,
        sink: BodySink?,
        trust: @escaping @Sendable () throws(ClientError) -> TrustStore
    ) {
        self.method = method
        self.origin = origin
        self.trust = trust
        self.bytes = bytes
        self.timeoutPlace = timeoutPlace
        self.limits = limits
        self.pool = pool
        self.source = source
        self.sink = sink
        wholeDeadline = .now + limits.timeout
    }

    /// Stores the continuation; returns false if the exchange is already cancelled.
    func begin(_ continuation: CheckedContinuation<Answer, any Error>) -> Bool {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.continuation = continuation }
            return state.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    /// Ends the exchange; only the first call has an effect.
    func end(_ result: Result<Answer, any Error>) {
        let continuation = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            return continuation
        }
        switch result {
        case .success(let answer): continuation?.resume(returning: answer)
        case .failure(let error): continuation?.resume(throwing: error)
        }
    }

    /// Ends the exchange with a `CancellationError` at once, and wakes its thread.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.connection?.shutDown()
        }
        end(.failure(CancellationError()))
    }

    /// Runs the exchange on this thread.
    func run() {
        do {
            end(.success(try answer()))
        } catch {
            end(.failure(error))
        }
    }

    private func answer() throws -> Answer {
        do {
            if let kept = pool.take(origin) {
                do {
                    return try exchange(over: kept)
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
        try checkCancelled()
        let limit = min(deadline, .now + limits.connectTimeout)
        let trust = origin.isSecure ? try trust() : nil
        do {
            return try SocketConnection.connect(authority, trusting: trust, until: limit) {
                hold($0)
            }
        } catch {
            try checkCancelled()
            throw error
        }
    }

    /// The error of a connection that was closed before the response's first byte.
    private struct ClosedEarly: Error {
        let written: Int
    }

    /// Whether the request may be sent again: it is idempotent and completely in memory.
    private var canRepeat: Bool { method != .post && method != .patch && source == nil }

    private func exchange(over connection: SocketConnection) throws -> Answer {
        guard hold(connection) else { throw CancellationError() }
        defer { release() }
        var reader = ResponseReader(
            answering: method,
            maximumBody: limits.maximumResponse,
            isStreamed: sink != nil
        )
        var bytes = bytes
        if let timeoutPlace {
            bytes.insert(contentsOf: RequestBytes.timeout(deadline - .now), at: timeoutPlace)
        }
        let written = try write(bytes, to: connection, &reader)
        var isSent = written == bytes.count
        var size = 0
        if isSent, let source {
            (isSent, size) = try write(from: source, to: connection, &reader)
        }
        while !reader.isDone {
            try pass(&reader)
            switch try read(from: connection, &reader) {
            case .bytes: continue
            // The server may need longer to process a body that took long to send.
            case .nothing: try connection.wait(toReadUntil: deadline + .seconds(size >> 20))
            case .end, .broken:
                guard reader.hasBegun else { throw ClosedEarly(written: written) }
                try reader.finish()
            }
        }
        try pass(&reader)
        guard let response = reader.response else {
            throw ClientError(.invalidResponse, "The response has no head")
        }
        if reader.canReuse, isSent {
            release()
            pool.keep(connection, for: origin)
        }
        return (response, reader.body)
    }

    /// Passes the received part of a streamed body to the sink.
    private func pass(_ reader: inout ResponseReader) throws {
        guard let sink else { return }
        let piece = reader.takeBody()
        if !piece.isEmpty { try sink(piece) }
    }

    /// Writes a streamed body; returns whether all of it was sent, and its size.
    private func write(
        from source: BodySource,
        to connection: SocketConnection,
        _ reader: inout ResponseReader
    ) throws -> (isWhole: Bool, size: Int) {
        var size = 0
        while true {
            try checkCancelled()
            // A server that has responded doesn't need the rest.
            guard !reader.isDone else { return (false, size) }
            let piece = try source()
            let chunk = RequestBytes.chunk(piece)
            guard try write(chunk, to: connection, &reader) == chunk.count else {
                return (false, size)
            }
            guard let piece else { return (true, size) }
            size += piece.count
        }
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
            try checkCancelled()
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
        try checkCancelled()
        if result == .broken, reader.hasBegun {
            throw ClientError(
                .invalidResponse,
                "\(authority.text) closed the connection within the response"
            )
        }
        return result
    }

    private func checkCancelled() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    /// Registers a connection for ``cancel()``; returns false if the exchange is already cancelled.
    private func hold(_ connection: SocketConnection) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.connection = connection }
            return !state.isCancelled
        }
    }

    private func release() {
        state.withLock { $0.connection = nil }
    }
}
#endif
