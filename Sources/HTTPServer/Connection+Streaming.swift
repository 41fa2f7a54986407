import Glibc
import HTTPSyntax

extension Connection {
    /// Begins a request whose body goes to its task piece by piece.
    ///
    /// Returns how many of the bytes were used.
    func beginStream(_ head: RequestHead, _ bytes: ByteSpan, _ collecting: Collecting) -> Int {
        let (loop, exchange) = (loop, ExchangeID(connection: token))
        let stream = BodyStream(loop.untaken) { loop.resumeUpload(exchange) }
        let operation: Reply.Work
        let request = IncomingRequest(head, from: peer, admitted: admitted.take())
        switch loop.responder.respond(request, stream: stream) {
        case .now(let response):
            refuse(response)
            return bytes.count
        case .later(let later): operation = later
        }
        let start = head.length
        self.stream = stream
        self.collecting = collecting
        streamed = 0
        bodyProgress = 0
        handle(.stream)
        task = Task(executorPreference: loop) { await loop.perform(operation, for: exchange) }
        return feed(bytes, from: start)
    }

    /// Hands body bytes to the stream.
    ///
    /// Returns how many of the bytes were used.
    func feed(_ bytes: ByteSpan, from start: Int) -> Int {
        guard state.reading == .streaming, let stream else { return start }
        var offset = start
        var hasRoom = true
        switch collecting {
        case .length(let remaining):
            let count = min(remaining, bytes.count - start)
            hasRoom = stream.yield(bytes.slice(start, start + count))
            offset += count
            collecting = .length(remaining: remaining - count)
            if count == remaining { return finishStream(offset) }
        case .chunked(var decoder):
            reading: while true {
                switch decoder.next(bytes, &offset) {
                case .data(let range):
                    streamed += range.count
                    guard streamed <= bodyLimit else { return breakStream(.bodyTooLarge, bytes) }
                    hasRoom = stream.yield(bytes.slice(range.lowerBound, range.upperBound))
                case .needsMore: break reading
                case .end(let end): return finishStream(end)
                case .failed(let error): return breakStream(error, bytes)
                }
            }
            collecting = .chunked(decoder)
        }
        guard !loop.untaken.areTooMany || hasRoom else { return breakStream(.tooManyBodies, bytes) }
        if hasRoom { countBodyProgress(offset - start) } else { handle(.filled) }
        return offset
    }

    private func finishStream(_ end: Int) -> Int {
        stream?.finish()
        stream = nil
        handle(.streamed)
        return end
    }

    private func breakStream(_ error: ProtocolError, _ bytes: ByteSpan) -> Int {
        refuse(error)
        return bytes.count
    }

    /// The body is of no more use, since it broke off or was answered before its end.
    func abandonStream() {
        guard let stream else { return }
        self.stream = nil
        task?.cancel()
        task = nil
        stream.fail(CancellationError())
    }
}
