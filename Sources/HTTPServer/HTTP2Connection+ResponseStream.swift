import HTTP2
import HTTPSyntax
import Logging

extension HTTP2Stream {
    /// Whether what is sent may go on.
    var mayGoOn: Bool {
        if case .stream(let sending) = body { sending.mayGoOn } else { true }
    }

    /// The answer is of no more use.
    func cancelTask() {
        task?.cancel()
        // It may wait for room, which cancelling doesn't end.
        if case .stream(let sending) = body { sending.resume(false) }
    }
}

extension HTTP2Connection {
    /// The stream that sends this body, if it is still there.
    fileprivate func stream(_ id: Int32, sending body: OutgoingBody) -> HTTP2Stream? {
        guard let stream = stream(id), case .stream(let sending) = stream.body, sending === body
        else { return nil }
        return stream
    }

    /// Sends a piece of a body.
    func append(_ piece: [UInt8], to stream: HTTP2Stream) {
        piece.withUnsafeBufferPointer { stream.pieces.append($0) }
        wake(stream)
    }

    func end(_ stream: HTTP2Stream) {
        stream.state.isEnded = true
        stream.task = nil
        wake(stream)
    }

    /// The body breaks off, in a way that the client can see (RFC 9113 §8.1.1).
    fileprivate func breakOff(_ stream: HTTP2Stream, _ error: any Error) {
        if error is CancellationError {
            // One without an end of its own was cancelled to end.
            if stream.state.isEndless { return end(stream) }
        } else {
            loop.logger.error("an answer's stream broke off: \(error)")
        }
        stream.task = nil
        session.reset(stream.id, .internalError)
        loop.writeLater(self)
    }

    private func wake(_ stream: HTTP2Stream) {
        if stream.state.isDeferred {
            stream.state.isDeferred = false
            stream.stamp = loop.milliseconds
            session.resume(stream.id)
        }
        loop.writeLater(self)
    }
}

extension EventLoop {
    /// As `perform(_:for:)`, for a stream of an HTTP/2 connection.
    nonisolated(nonsending)
        func perform(_ work: Reply.Work, for token: UInt64, stream id: Int32) async
    {
        let response = await work()
        guard let body = connection(token)?.http2?.complete(id, response),
            case .stream(let source) = response.body
        else { return }
        await send(source, as: body, to: token, stream: id)
    }

    /// As `send(_:as:to:)`, for a stream of an HTTP/2 connection.
    func send(
        _ source: ResponseStream,
        as body: OutgoingBody,
        to token: UInt64,
        stream id: Int32
    ) async {
        func stream() -> (HTTP2Connection, HTTP2Stream)? {
            guard let http2 = connection(token)?.http2, let stream = http2.stream(id, sending: body)
            else { return nil }
            return (http2, stream)
        }
        do {
            while stream() != nil, let piece = try await source.next() {
                guard let (http2, open) = stream() else { throw CancellationError() }
                guard !piece.isEmpty else { continue }
                http2.append(piece, to: open)
                guard open.pieces.count >= OutgoingBody.window else { continue }
                guard await withUnsafeContinuation({ body.wait($0) }) else {
                    throw CancellationError()
                }
            }
            if let (http2, open) = stream() { http2.end(open) }
        } catch {
            if let (http2, open) = stream() { http2.breakOff(open, error) }
        }
    }

    /// Lets a body come on, from any thread.
    func resumeUpload(_ token: UInt64, _ stream: Int32) {
        _ = inbox.post(.resumeUpload(token, stream))
    }

    /// Writes what a connection has to send before the loop sleeps.
    func writeLater(_ http2: HTTP2Connection) {
        guard !http2.isReceiving, !http2.isQueued else { return }
        http2.isQueued = true
        unwritten.append(http2.connection.token)
    }

    func writeQueued() {
        guard !unwritten.isEmpty else { return }
        var tokens: [UInt64] = []
        swap(&tokens, &unwritten)
        for token in tokens {
            guard let connection = connection(token), let http2 = connection.http2 else { continue }
            http2.isQueued = false
            connection.writeHTTP2()
        }
    }
}
