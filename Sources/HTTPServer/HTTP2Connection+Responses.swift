import Glibc
import HTTPCodec
import Logging

extension HTTP2Connection {
    /// Sends an answer, or starts the task that makes it.
    func answer(_ stream: HTTP2Stream, _ reply: Reply) {
        let (loop, token, id) = (loop, connection.token, stream.id)
        switch reply {
        case .now(let response):
            respond(stream, response)
            guard case .stream(let sending) = stream.body, case .stream(let source) = response.body
            else { return }
            start(stream) { await loop.send(source, as: sending, to: token, stream: id) }
        case .later(let operation):
            stream.state = .responding
            start(stream) { await loop.perform(operation, for: token, stream: id) }
        }
    }

    /// Starts the task that makes an answer, and runs it until it first has to wait.
    private func start(_ stream: HTTP2Stream, _ work: @escaping @Sendable () async -> Void) {
        let id = stream.id
        let task = Task.immediate(executorPreference: loop, operation: work)
        // One that had nothing to wait for is done.
        guard stream.id == id else { return }
        switch (stream.state, stream.body) {
        case (.responding, _): stream.task = task
        case (.answering, .stream) where !stream.isEnded: stream.task = task
        default: break
        }
    }

    /// The promised answer has come.
    ///
    /// Returns its body if the task has to go on with it.
    func complete(_ id: Int32, _ response: Response) -> OutgoingBody? {
        guard let stream = stream(id) else { return nil }
        switch stream.state {
        case .responding, .streaming: break
        case .free, .collecting, .answering, .answered: return nil
        }
        respond(stream, response)
        loop.writeLater(self)
        guard case .stream(let sending) = stream.body else {
            stream.task = nil
            return nil
        }
        return sending
    }

    /// Answers in place of what was to be answered.
    func refuse(_ stream: HTTP2Stream, _ error: ProtocolError) {
        // An answer that has begun can't become another.
        if case .answering = stream.state { return session.reset(stream.id, .cancel) }
        let task = stream.task
        stream.task = nil
        respond(stream, loop.problem(error))
        task?.cancel()
    }

    /// Begins an answer (RFC 9113 §8.1).
    ///
    /// What is left of the request's body isn't needed then.
    func respond(_ stream: HTTP2Stream, _ response: Response) {
        stopCollecting(stream)
        stream.state = .answering
        stream.stamp = loop.milliseconds
        let allowsBody = StatusCode.allowsBody(response.status)
        let sendsBody = allowsBody && !stream.isHead
        var length: Int?
        switch response.body {
        case .none: break
        case .bytes(let bytes):
            length = bytes.count
            if sendsBody { stream.body = .bytes(bytes) }
        case .file(let file):
            length = file.range.count
            if sendsBody { stream.body = .file(file) }
        case .stream(let source):
            guard sendsBody else { break }
            let heartbeat = source.heartbeat
            stream.body = .stream(OutgoingBody(isChunked: false, heartbeat: heartbeat))
        }
        // A body that is made while it is sent may be made of the request's.
        if case .stream = stream.body {} else { stream.abandonUpload() }
        stream.length = length ?? 0
        var hasBody = stream.length > 0 && sendsBody
        if case .stream = stream.body { hasBody = true }
        let head = HTTP2Session.ResponseHead(
            status: response.status,
            date: loop.dateLine,
            fields: response.fields,
            length: allowsBody ? length : nil
        )
        stream.fields = session.respond(stream.id, stream.context, head, hasBody: hasBody)
        if response.closes { session.close() }
    }

    // MARK: The body

    func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece? {
        let stream = HTTP2Stream.from(context)
        guard case .stream = stream.body else {
            let count = min(limit, stream.length - stream.framed)
            stream.framed += count
            return HTTP2Piece(count: count, isLast: stream.framed == stream.length)
        }
        let count = min(limit, stream.pieces.count)
        let isLast = stream.isEnded && count == stream.pieces.count
        stream.isDeferred = count == 0 && !isLast
        return stream.isDeferred ? nil : HTTP2Piece(count: count, isLast: isLast)
    }

    func write(
        _ context: UnsafeMutableRawPointer,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let stream = HTTP2Stream.from(context)
        stream.stamp = loop.milliseconds
        switch stream.body {
        case .none: return false
        case .bytes(let bytes):
            let start = stream.written
            guard start + count <= bytes.count else { return false }
            bytes.withUnsafeBufferPointer { bytes in
                if let base = bytes.baseAddress { place.update(from: base + start, count: count) }
            }
        case .file(let file):
            guard Self.read(file, stream.written, count, to: place) else { return false }
        case .stream(let sending):
            guard let start = stream.pieces.bytes.baseAddress, count <= stream.pieces.count else {
                return false
            }
            place.update(from: start, count: count)
            stream.pieces.consume(count)
            if stream.pieces.count < OutgoingBody.window { sending.resume(true) }
        }
        stream.written += count
        return true
    }

    /// Reads a part of a file; false if the file is shorter than it was.
    private static func read(
        _ file: FileBody,
        _ start: Int,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var done = 0
        while done < count {
            let offset = off_t(file.range.lowerBound + start + done)
            let read = pread(file.descriptor.raw, place + done, count - done, offset)
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return false }
            done += read
        }
        return true
    }
}

// MARK: Bodies that are made while they are sent

extension HTTP2Stream {
    var heartbeat: [UInt8]? {
        if case .stream(let sending) = body { sending.heartbeat } else { nil }
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

    fileprivate func end(_ stream: HTTP2Stream) {
        stream.isEnded = true
        stream.task = nil
        wake(stream)
    }

    /// The body breaks off, in a way that the client can see (RFC 9113 §8.1.1).
    fileprivate func breakOff(_ stream: HTTP2Stream, _ error: any Error) {
        if error is CancellationError {
            // One without an end of its own was cancelled to end.
            if stream.heartbeat != nil { return end(stream) }
        } else {
            loop.logger.error("an answer's stream broke off: \(error)")
        }
        stream.task = nil
        session.reset(stream.id, .internalError)
        loop.writeLater(self)
    }

    private func wake(_ stream: HTTP2Stream) {
        if stream.isDeferred {
            stream.isDeferred = false
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
