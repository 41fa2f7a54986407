import System
import Glibc
import HTTP2
import HTTPSyntax

extension HTTP2Connection {
    /// What a client has to take of an answer within the write timeout, in bytes: of each, however
    /// many share what it takes.
    private static let leastTaken = 1024

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
        loop.writeLater(self)
        if case .bytes(let bytes) = response.body, bytes.count > Self.smallFile, !response.isKept,
            !stream.isHead, !mayKeepMore
        {
            stream.task = nil
            session.reset(id, .enhanceYourCalm)
            return nil
        }
        respond(stream, response)
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
        respond(stream, loop.problem(error, for: connection.peer))
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
            if sendsBody { hold(bytes, isKept: response.isKept, in: stream) }
        case .file(let file):
            length = file.range.count
            guard sendsBody else { break }
            if file.range.count <= Self.smallFile, let bytes = file.descriptor.read(file.range) {
                hold(bytes, isKept: false, in: stream)
            } else {
                stream.body = .file(file)
            }
        case .stream(let source):
            guard sendsBody else { break }
            stream.body = .stream(OutgoingBody(source, isChunked: false))
        }
        // A body that is made while it is sent may be made of the request's.
        if case .stream = stream.body {} else { stream.abandonUpload() }
        stream.length = length ?? 0
        var hasBody = stream.length > 0 && sendsBody
        if case .stream = stream.body { hasBody = true }
        stream.answer = HTTP2Session.ResponseHead(
            status: response.status,
            date: loop.dateLine,
            fields: response.fields,
            length: allowsBody ? length : nil
        )
        session.respond(stream.id, stream.context, hasBody: hasBody)
        if response.closes { session.close() }
    }

    private func hold(_ bytes: [UInt8], isKept: Bool, in stream: HTTP2Stream) {
        (stream.body, stream.bytes) = (.bytes, bytes)
        guard !isKept else { return }
        stream.unread = bytes.count
        count(bytes.count)
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
        let isLast = stream.isEnded && count == stream.pieces.count
        stream.isDeferred = count == 0 && !isLast
        return stream.isDeferred ? nil : HTTP2Piece(count: count, isLast: isLast)
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
            if stream.pieces.count < OutgoingBody.window { sending.resume(true) }
        }
        stream.written += count
        return true
    }

    /// A client that takes an answer in drops is as good as one that takes nothing.
    @inline(__always)
    private func stamp(_ stream: HTTP2Stream, _ count: Int) {
        stream.taken += count
        // Of what is made while it is sent there may be no more.
        guard stream.taken >= Self.leastTaken || stream.pieces.count == count else { return }
        stream.taken = 0
        stream.stamp = loop.milliseconds
    }
}
