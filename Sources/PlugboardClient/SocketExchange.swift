#if canImport(Glibc) || canImport(Musl)
import HTTPTypes
import Locking
import Plug

/// One request and its response, carried by one thread and cancelled by any.
final class SocketExchange: Sendable {
    typealias Answer = (HTTPResponse, [UInt8])

    private struct State {
        var continuation: CheckedContinuation<Answer, any Error>?
        /// The connection in use: one that is here may be shut down, since it is not closed.
        var connection: SocketConnection?
        var isCancelled = false
    }

    private let state = Locked(State())
    private let method: HTTPRequest.Method
    private let authority: Authority
    private let bytes: [UInt8]
    private let limits: SocketTransport.Limits
    private let pool: ConnectionPool
    private let deadline: ContinuousClock.Instant

    init(
        method: HTTPRequest.Method,
        authority: Authority,
        bytes: [UInt8],
        limits: SocketTransport.Limits,
        pool: ConnectionPool
    ) {
        self.method = method
        self.authority = authority
        self.bytes = bytes
        self.limits = limits
        self.pool = pool
        deadline = .now + limits.timeout
    }

    /// Takes the continuation; false where the exchange was cancelled before.
    func begin(_ continuation: CheckedContinuation<Answer, any Error>) -> Bool {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.continuation = continuation }
            return state.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    /// Ends the exchange, once: whoever comes later finds no continuation.
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

    /// Ends the exchange with a `CancellationError` at once; its thread wakes up and lets go.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.connection?.shutDown()
        }
        end(.failure(CancellationError()))
    }

    /// Carries the exchange on this thread.
    func run() {
        do {
            end(.success(try answer()))
        } catch {
            end(.failure(error))
        }
    }

    private func answer() throws -> Answer {
        do {
            if let kept = pool.take(authority) {
                do {
                    return try exchange(over: kept)
                } catch let closed as ClosedEarly where closed.written == 0 || isIdempotent {
                    // Sent again below, over a connection of its own.
                }
            }
            return try exchange(over: connect())
        } catch is ClosedEarly {
            throw ClientError(
                .unreachable,
                "\(authority.text) closed the connection without an answer"
            )
        }
    }

    private func connect() throws -> SocketConnection {
        try checkCancelled()
        let limit = min(deadline, .now + limits.connectTimeout)
        return try SocketConnection.connect(authority, until: limit) { hold($0) }
    }

    /// A connection which was closed before the first byte of a response.
    private struct ClosedEarly: Error {
        let written: Int
    }

    private var isIdempotent: Bool { method != .post && method != .patch }

    private func exchange(over connection: SocketConnection) throws -> Answer {
        guard hold(connection) else { throw CancellationError() }
        defer { release() }
        var parser = ResponseParser(
            answering: method,
            greatestBody: limits.greatestResponse
        )
        let written = try write(to: connection, &parser)
        while !parser.isDone {
            if try read(from: connection, &parser) { continue }
            try checkCancelled()
            guard parser.hasBegun else { throw ClosedEarly(written: written) }
            try parser.finish()
        }
        guard let response = parser.response else {
            throw ClientError(.invalidResponse, "The response has no head")
        }
        if parser.canReuse, written == bytes.count {
            release()
            pool.keep(connection, for: authority)
        }
        return (response, parser.body)
    }

    /// Writes the request and gives how much of it went out: a server may answer before it is
    /// whole, with a `413` for example, and close.
    private func write(
        to connection: SocketConnection,
        _ parser: inout ResponseParser
    ) throws -> Int {
        var written = 0
        while written < bytes.count {
            let event = try connection.wait(toWriteUntil: deadline)
            try checkCancelled()
            if event.isReadable {
                if try !read(from: connection, &parser) { return written }
                if parser.isDone { return written }
            } else if event.isWritable {
                guard let count = connection.write(bytes[written...]) else { return written }
                written += count
            }
        }
        return written
    }

    /// Feeds what has come to the parser; false at the connection's end.
    private func read(
        from connection: SocketConnection,
        _ parser: inout ResponseParser
    ) throws -> Bool {
        try connection.wait(toReadUntil: deadline)
        try checkCancelled()
        return try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
            let count = connection.read(into: room)
            guard count > 0 else { return false }
            try parser.feed(UnsafeRawBufferPointer(rebasing: room[..<count]))
            return true
        }
    }

    private func checkCancelled() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    /// Makes a connection known to ``cancel()``; false where that has been called.
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
