#if canImport(Glibc) || canImport(Musl)
import HTTPTypes
import Locking

/// One request and its response, whose bodies have any size.
///
/// It holds no thread. A task sends the request's body while the caller reads the response.
/// Releasing the stream ends both and closes the connection, unless the response is complete.
final class SocketStream: Sendable {
    /// A request without its body, or with a body in memory.
    struct Head: Sendable {
        let method: HTTPRequest.Method
        let bytes: [UInt8]

        /// Whether the request is idempotent, so that it may be sent again.
        var isRepeatable: Bool { method != .post && method != .patch }
    }

    /// The error of a connection that was closed before the response's first byte.
    private struct ClosedEarly: Error {
        let isUnsent: Bool
    }

    private let connection: SocketConnection
    private let origin: Origin
    private let limits: TransportLimits
    private let pool: ConnectionPool
    private let reader: Locked<ResponseReader>
    private let upload: SocketUpload?
    /// The task that sends the request's body.
    private let sending = Locked<Task<Void, Never>?>(nil)
    private let isEnded = Locked(false)
    /// Whether the head, and a body in memory, were sent whole.
    private let hasSent = Locked(false)
    /// The error that ended the exchange; each further read throws it.
    private let failure = Locked<(any Error)?>(nil)

    /// Sends a request and returns the response after its head.
    ///
    /// A request is sent again only if a pooled connection was closed before the response's first
    /// byte. It must also be idempotent and in memory, or none of its bytes had been sent.
    static func open(
        _ head: Head,
        _ pieces: BodyPieces?,
        _ connector: SocketConnector,
        _ pool: ConnectionPool
    ) async throws -> (HTTPResponse, BodyPieces) {
        func start(_ connection: SocketConnection) async throws -> (HTTPResponse, BodyPieces) {
            let stream = SocketStream(connection, head, pieces, connector, pool)
            return try await stream.start(head)
        }
        try Task.checkCancellation()
        do {
            if let kept = pool.take(connector.origin) {
                do {
                    return try await start(kept)
                } catch let closed as ClosedEarly
                    where closed.isUnsent || head.isRepeatable && pieces == nil
                {
                    // Sent again below, over a new connection.
                }
            }
            return try await start(connector.connect())
        } catch is ClosedEarly {
            throw ClientError(
                .unreachable,
                "\(connector.origin.authority.text) closed the connection without a response"
            )
        }
    }

    private init(
        _ connection: SocketConnection,
        _ head: Head,
        _ pieces: BodyPieces?,
        _ connector: SocketConnector,
        _ pool: ConnectionPool
    ) {
        self.connection = connection
        self.pool = pool
        origin = connector.origin
        limits = connector.limits
        upload = pieces.map { SocketUpload($0, to: connection, timeout: connector.limits.timeout) }
        reader = Locked(
            ResponseReader(
                answering: head.method,
                maximumBody: connector.limits.maximumResponse,
                isStreamed: true
            )
        )
    }

    deinit {
        guard !isEnded.withLock({ $0 }) else { return }
        abort()
    }

    /// Ends the exchange at once, since the connection can't be used for another.
    private func abort() {
        // First, so that the cancelled task can't end the body as if it were complete.
        connection.shutDown()
        sending.withLock { $0?.cancel() }
    }

    private func start(_ head: Head) async throws -> (HTTPResponse, BodyPieces) {
        let isSent = try await send(head.bytes)
        hasSent.withLock { $0 = isSent }
        if isSent, let upload {
            sending.withLock { $0 = Task { await upload.run() } }
        }
        while reader.withLock({ $0.response == nil || !$0.streamsBody && !$0.isDone }) {
            try await receive()
        }
        if reader.withLock({ $0.isDone }) { finish() }
        guard let response = reader.withLock({ $0.response }) else {
            throw ClientError(.invalidResponse, "The response has no head")
        }
        guard reader.withLock({ $0.streamsBody }) else {
            return (response, BodyPieces(reader.withLock { $0.body }))
        }
        return (response, BodyPieces { try await self.next() })
    }

    /// Sends the head; returns whether all of it was sent.
    ///
    /// A server may respond early, with a `413` for example, and close the connection.
    private func send(_ bytes: [UInt8]) async throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty || connection.hasUnsent {
            // Reads first: the end of an idle connection, or an early response, is here already.
            var result = try read(until: .now + limits.timeout)
            if result == .nothing {
                if let count = connection.write(rest) {
                    rest = rest.dropFirst(count)
                    guard count == 0 || connection.hasUnsent else { continue }
                } else {
                    result = .broken
                }
            }
            switch result {
            case .bytes where reader.withLock({ $0.isDone }): return false
            case .bytes: continue
            case .end, .broken:
                guard reader.withLock({ $0.hasBegun }) else {
                    throw ClosedEarly(isUnsent: rest.count == bytes.count)
                }
                return false
            case .nothing: break
            }
            let deadline = ContinuousClock.now + limits.timeout
            guard try await connection.waits(for: .any, until: deadline) else {
                throw SocketConnection.timedOut
            }
        }
        return true
    }

    /// Returns the next piece of the response's body; nil after the last.
    private func next() async throws -> [UInt8]? {
        while true {
            let (piece, isDone) = reader.withLock { ($0.takeBody(), $0.isDone) }
            if isDone { finish() }
            if !piece.isEmpty { return piece }
            if isDone { return nil }
            try await receive()
        }
    }

    /// Waits for bytes and passes them to the reader.
    private func receive() async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        do {
            try Task.checkCancellation()
            let begin = ContinuousClock.now
            while true {
                let result = try read(until: .now + limits.timeout)
                switch result {
                case .bytes: return
                case .end, .broken: return try end(result)
                case .nothing: break
                }
                let deadline = max(begin + limits.timeout, upload?.patience ?? begin)
                guard deadline > .now else { throw SocketConnection.timedOut }
                _ = try await connection.waits(for: .readable, until: deadline)
            }
        } catch {
            abort()
            let cause = upload?.error ?? error
            failure.withLock { $0 = cause }
            throw cause
        }
    }

    /// Handles the end of the connection.
    private func end(_ result: SocketConnection.ReadResult) throws {
        if let error = upload?.error { throw error }
        guard reader.withLock({ $0.hasBegun }) else { throw ClosedEarly(isUnsent: false) }
        guard result == .end else {
            throw ClientError(
                .invalidResponse,
                "\(origin.authority.text) closed the connection within the response"
            )
        }
        try reader.withLock { reader throws(ClientError) in try reader.finish() }
    }

    private func read(
        until deadline: ContinuousClock.Instant
    ) throws -> SocketConnection.ReadResult {
        try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { room in
            let result = try connection.read(into: room, until: deadline)
            if case .bytes(let count) = result {
                try reader.withLock { reader throws(ClientError) in
                    try reader.feed(UnsafeRawBufferPointer(rebasing: room[..<count]))
                }
            }
            return result
        }
    }

    /// Ends a complete exchange, and stores the connection if it can be reused.
    private func finish() {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        guard isFirst else { return }
        let canReuse = reader.withLock { $0.canReuse }
        // The server would take the next request for the rest of an unfinished one.
        let hasSent = hasSent.withLock { $0 } && upload?.isComplete != false
        if canReuse, hasSent {
            pool.keep(connection, for: origin)
        } else {
            abort()
        }
    }
}
#endif
