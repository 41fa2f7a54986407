import System
import Glibc
import HTTP2
import HTTPSyntax

extension HTTP2Connection {
    /// The bytes of each response that a client has to receive within the write timeout.
    private static let minimumStreamTaken = 1024

    /// Sends a response, or starts the task that makes it.
    func send(_ reply: Reply, on stream: HTTP2Stream) {
        switch reply {
        case .now(let response):
            respond(stream, response)
            guard case .stream(let sending) = stream.body, case .stream(let source) = response.body
            else { return }
            start(stream) { [loop] in await loop.send(source, as: sending) }
        case .later(let operation):
            stream.state.phase = .responding
            let exchange = id(of: stream)
            start(stream) { [loop] in await loop.perform(operation, for: exchange) }
        }
    }

    func id(of stream: HTTP2Stream) -> ExchangeID {
        ExchangeID(connection: token, stream: stream.id)
    }

    /// Starts the task that makes a response, and runs it until its first suspension.
    private func start(_ stream: HTTP2Stream, _ work: @escaping @Sendable () async -> Void) {
        let id = stream.id
        let task = Task.immediate(executorPreference: loop.executor, operation: work)
        // A task that never suspended has ended, and its stream may be closed.
        guard stream.id == id else { return }
        switch (stream.state.phase, stream.body) {
        case (.responding, _): stream.task = task
        case (.answering, .stream) where !stream.state.isEnded: stream.task = task
        default: break
        }
    }

    /// Sends the promised response.
    ///
    /// Returns its body if the task has to make it.
    func complete(_ id: Int32, _ response: Response) -> OutgoingBody? {
        guard let stream = stream(id) else { return nil }
        switch stream.state.phase {
        case .responding, .streaming: break
        case .free, .collecting, .answering, .answered: return nil
        }
        writeLater()
        let preparation = stream.exchange.prepare(response)
        respond(stream, response, preparation)
        guard case .stream(let sending) = stream.body else {
            stream.task = nil
            return nil
        }
        return sending
    }

    /// Rejects a request in place of its response.
    func reject(_ stream: HTTP2Stream, _ error: ProtocolError) {
        // A response that has begun can't be replaced.
        if stream.state.phase == .answering { return session.reset(stream.id, .cancel) }
        let task = stream.task
        stream.task = nil
        respond(stream, loop.problem(error, for: peer(of: stream)))
        task?.cancel()
    }

    func respond(_ stream: HTTP2Stream, _ response: Response) {
        respond(stream, response, stream.exchange.prepare(response))
    }

    /// Begins a response (RFC 9113 §8.1), or resets the stream if too many bytes wait for slow
    /// clients.
    ///
    /// The rest of the request's body is dropped.
    private func respond(
        _ stream: HTTP2Stream,
        _ response: Response,
        _ preparation: Preparation
    ) {
        if preparation.heldBytes > Self.smallFile, !allows(preparation.heldBytes) {
            stream.task = nil
            return session.reset(stream.id, .enhanceYourCalm)
        }
        stopCollecting(stream)
        stream.state.phase = .answering
        stream.stamp = loop.milliseconds
        if preparation.sendsBody { stream.body = body(response, preparation, of: stream) }
        // A streamed response may be made from the request's body.
        if case .stream = stream.body {} else { stream.abandonUpload() }
        stream.length = preparation.length ?? 0
        stream.answer = HTTP2Session.ResponseHead(
            status: response.status,
            date: loop.dateLine,
            fields: response.fields,
            defaultFields: loop.defaultFields[
                without: response.omitted.union(stream.exchange.omitted)
            ],
            length: preparation.length
        )
        session.respond(stream.id, stream.context, hasBody: preparation.sendsBody)
        if preparation.closes { session.close() }
    }

    /// The response's body for the stream; a small file is read at once.
    private func body(
        _ response: Response,
        _ preparation: Preparation,
        of stream: HTTP2Stream
    ) -> HTTP2Stream.Body {
        switch response.body {
        case .none: return .none
        case .bytes(let bytes): return hold(bytes, preparation.heldBytes, in: stream)
        case .file(let file):
            guard file.range.count <= Self.smallFile, let bytes = file.descriptor.read(file.range)
            else { return .file(file) }
            return hold(bytes, bytes.count, in: stream)
        case .stream(let source):
            stream.state.isEndless = source.heartbeat != nil
            return .stream(OutgoingBody(source, isChunked: false, to: stream))
        }
    }

    private func hold(_ bytes: [UInt8], _ held: Int, in stream: HTTP2Stream) -> HTTP2Stream.Body {
        (stream.bytes, stream.unread) = (bytes, held)
        count(held)
        return .bytes
    }

    func head(_ context: UnsafeMutableRawPointer) -> HTTP2Session.ResponseHead? {
        HTTP2Stream.with(context) { $0.answer.take() }
    }

    // MARK: The body

    func next(_ context: UnsafeMutableRawPointer, limit: Int) -> HTTP2Piece? {
        HTTP2Stream.with(context) { next($0, limit: limit) }
    }

    @inline(__always)
    private func next(_ stream: HTTP2Stream, limit: Int) -> HTTP2Piece? {
        guard case .stream = stream.body else {
            let count = min(limit, stream.length - stream.framed)
            stream.framed += count
            return HTTP2Piece(count: count, isLast: stream.framed == stream.length)
        }
        let count = min(limit, stream.pieces.count)
        let isLast = stream.state.isEnded && count == stream.pieces.count
        stream.state.isDeferred = count == 0 && !isLast
        return stream.state.isDeferred ? nil : HTTP2Piece(count: count, isLast: isLast)
    }

    func write(
        _ context: UnsafeMutableRawPointer,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        HTTP2Stream.with(context) { write($0, count, to: place) }
    }

    @inline(__always)
    private func write(
        _ stream: HTTP2Stream,
        _ count: Int,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        stamp(stream, count)
        switch stream.body {
        case .none: return false
        case .bytes:
            let start = stream.written
            guard start + count <= stream.bytes.count else { return false }
            stream.bytes.withUnsafeBufferPointer { bytes in
                if let base = bytes.baseAddress { place.update(from: base + start, count: count) }
            }
        case .file(let file):
            let start = file.range.lowerBound + stream.written
            // A file that shrank can't fill its announced length.
            guard file.descriptor.read(count, at: start, to: place) == count else { return false }
        case .stream(let sending):
            guard let start = stream.pieces.bytes.baseAddress, count <= stream.pieces.count else {
                return false
            }
            place.update(from: start, count: count)
            stream.pieces.consume(count)
            self.count(pieces: -count)
            if stream.pieces.count < OutgoingBody.window { sending.resume(true) }
        }
        stream.written += count
        return true
    }

    /// Counts sent bytes.
    ///
    /// A client that receives less than `minimumStreamTaken` times out like a stopped one.
    @inline(__always)
    private func stamp(_ stream: HTTP2Stream, _ count: Int) {
        stream.taken += count
        // A streamed body may have no more bytes now.
        guard stream.taken >= Self.minimumStreamTaken || stream.pieces.count == count else {
            return
        }
        stream.taken = 0
        stream.stamp = loop.milliseconds
    }
}
