import HTTP2
import HTTPSyntax

extension HTTP2Connection {
    /// The most bytes that are dropped of a request that has its response.
    private static let discardLimit = 1024 * 1024
    /// About what a request costs that waits for its body, beside what its client has sent.
    private static let streamCost = 1024

    func began(_ id: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool) {
        began(id, IncomingRequest(place, from: connection.peer), isComplete: isComplete)
    }

    private func began(_ id: Int32, _ request: borrowing IncomingRequest, isComplete: Bool) {
        if let tls = connection.tls, tls.isMisdirected(request.head.authority) {
            return failed(id, .misdirected, isHead: request.head.method == .head)
        }
        guard let stream = openStream(id, isHead: request.head.method == .head) else { return }
        // Nothing was done with it: the client may try again (RFC 9113 §8.7).
        guard allowsStart else { return session.reset(id, .refusedStream) }
        if isComplete {
            let empty = ByteSpan(start: nil, count: 0)
            send(loop.responder.respond(request, body: empty), on: stream)
        } else {
            admit(stream, request)
        }
    }

    func failed(_ id: Int32, _ error: ProtocolError, isHead: Bool) {
        guard let stream = openStream(id, isHead: isHead) else { return }
        respond(stream, loop.problem(error, for: connection.peer))
    }

    /// Decides what becomes of a body that is still to come.
    private func admit(_ stream: HTTP2Stream, _ request: borrowing IncomingRequest) {
        let isUpload: Bool
        let admitted: (any AdmittedRequest)?
        switch loop.responder.admit(request) {
        case .reject(let reply): return send(reply, on: stream)
        case .collect(let limit, let ticket):
            (stream.bodyLimit, admitted, isUpload) = (limit, ticket, false)
        case .stream(let limit, let ticket):
            (stream.bodyLimit, admitted, isUpload) = (limit, ticket, true)
        }
        if case .length(let length) = request.head.framing, length > stream.bodyLimit {
            return respond(stream, loop.problem(.bodyTooLarge, for: connection.peer))
        }
        if request.head.expectsContinue { session.sendContinue(stream.id) }
        guard isUpload else {
            stream.head = session.keepHead()
            stream.admitted = admitted
            stream.state.phase = .collecting
            // It is kept as long as the body, and as many of them.
            return count(request.head.length + Self.streamCost, for: stream)
        }
        let (loop, exchange) = (loop, id(of: stream))
        let upload = BodyStream(loop.untaken) { loop.resumeUpload(exchange) }
        let whole = IncomingRequest(request.place, from: request.peer, admitted: admitted)
        switch loop.responder.respond(whole, stream: upload) {
        case .now(let response): respond(stream, response)
        case .later(let operation):
            stream.upload = upload
            stream.state.phase = .streaming
            stream.task = Task(executorPreference: loop) {
                await loop.perform(operation, for: exchange)
            }
        }
    }

    func received(_ context: UnsafeMutableRawPointer, _ bytes: ByteSpan) {
        let stream = HTTP2Stream.from(context)
        let isCollecting = stream.state.phase == .collecting
        guard isCollecting || stream.upload != nil else {
            return discard(stream, bytes.count)
        }
        guard stream.received + bytes.count <= stream.bodyLimit else {
            return reject(stream, .bodyTooLarge)
        }
        stream.received += bytes.count
        countProgress(stream, bytes.count)
        if isCollecting { collect(stream, bytes) } else { hand(stream, bytes) }
    }

    /// Drops what comes of a request that has its response already, for a while.
    ///
    /// A reset at once takes the response from clients that read both at once (curl 7.88).
    private func discard(_ stream: HTTP2Stream, _ count: Int) {
        stream.received += count
        if stream.state.phase == .responding {
            // Its response is still to come.
            stream.held += count
        } else if stream.received - stream.bodyLimit > Self.discardLimit {
            session.reset(stream.id, .noError)
        } else {
            session.consume(count, of: stream.id)
        }
    }

    func answeredEarly(_ context: UnsafeMutableRawPointer) {
        let stream = HTTP2Stream.from(context)
        stream.state.phase = .answered
        stream.abandonUpload()
        stream.stamp = loop.milliseconds
        stream.received = stream.bodyLimit
        if stream.held > 0 {
            session.consume(stream.held, of: stream.id)
            stream.held = 0
        }
    }

    private func collect(_ stream: HTTP2Stream, _ bytes: ByteSpan) {
        count(bytes.count, for: stream)
        guard stream.state.phase == .collecting else { return }
        stream.input.append(bytes)
        session.consume(bytes.count, of: stream.id)
    }

    /// Counts bytes of a request that is being collected; too many of all clients' are rejected.
    ///
    /// Its own head counts for others: there is room for one body at least, whatever stands before it.
    private func count(_ bytes: Int, for stream: HTTP2Stream) {
        stream.collected += bytes
        loop.collected += bytes
        let head = stream.collected - stream.received
        if loop.collected - head > loop.bodyBudget { reject(stream, .tooManyBodies) }
    }

    /// The stream's body is whole, or of no more use.
    func stopCollecting(_ stream: HTTP2Stream) {
        guard stream.state.phase == .collecting else { return }
        loop.collected -= stream.collected
        stream.collected = 0
        stream.state.phase = .responding
    }

    private func hand(_ stream: HTTP2Stream, _ bytes: ByteSpan) {
        if stream.upload?.yield(bytes) ?? true, !stream.state.isFull {
            session.consume(bytes.count, of: stream.id)
        } else {
            stream.state.isFull = true
            stream.held += bytes.count
            if loop.untaken.areTooMany { reject(stream, .tooManyBodies) }
        }
    }

    /// A body that trickles is as good as one that has stopped.
    private func countProgress(_ stream: HTTP2Stream, _ count: Int) {
        stream.progress += count
        guard stream.progress >= loop.leastBodyProgress else { return }
        stream.progress = 0
        stream.stamp = loop.milliseconds
    }

    /// The task has taken enough: the client may send on.
    func resumeUpload(_ id: Int32) {
        guard let stream = stream(id), stream.state.isFull else { return }
        stream.state.isFull = false
        stream.stamp = loop.milliseconds
        session.consume(stream.held, of: id)
        stream.held = 0
        loop.writeLater(self)
    }

    func ended(_ context: UnsafeMutableRawPointer) {
        let stream = HTTP2Stream.from(context)
        switch stream.state.phase {
        case .free, .responding, .answered: return
        case .streaming, .answering:
            stream.upload?.finish()
            stream.upload = nil
            if stream.state.phase == .streaming { stream.state.phase = .responding }
        case .collecting:
            guard let head = stream.head else { return }
            var body = OwnedBytes()
            swap(&body, &stream.input)
            stream.head = nil
            stopCollecting(stream)
            // Others of this client's may be held by now. Nothing was done with it, either.
            guard allowsStart else { return session.reset(stream.id, .refusedStream) }
            let request = IncomingRequest(
                head.headPlace,
                from: connection.peer,
                admitted: stream.admitted.take()
            )
            send(loop.responder.respond(request, body: body.bytes), on: stream)
        }
    }
}
