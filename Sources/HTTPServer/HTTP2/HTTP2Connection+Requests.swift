import HTTP2
import HTTPSyntax

extension HTTP2Connection {
    /// The most bytes that are dropped of a request that already has its response.
    private static let discardLimit = 1024 * 1024
    /// The approximate memory of a request that waits for its body, besides its bytes.
    private static let streamCost = 1024

    func began(_ id: Int32, _ place: UnsafePointer<RequestHead>, isComplete: Bool) {
        var peer = peer
        if isProxied {
            do throws(ProtocolError) {
                let trusted = loop.configuration.trustedProxies
                peer = peer.with(try trusted.client(of: place.pointee, from: peer.address))
            } catch {
                return failed(id, error, isHead: place.pointee.method == .head)
            }
        }
        began(id, IncomingRequest(place, from: peer), isComplete: isComplete)
    }

    /// The peer of a stream's request.
    func peer(of stream: HTTP2Stream) -> Peer {
        isProxied ? peer.with(stream.client) : peer
    }

    private func began(_ id: Int32, _ request: borrowing IncomingRequest, isComplete: Bool) {
        if let tls, tls.isMisdirected(request.head.authority) {
            return failed(id, .misdirected, isHead: request.head.method == .head)
        }
        guard let stream = openStream(id, isHead: request.head.method == .head) else { return }
        stream.client = request.peer.address
        if request.peer.isReserved { stream.exchange.keepsAlive = false }
        if tls != nil, Authority.isDomainName(request.head.authority) {
            stream.exchange.omitted = []
        }
        // The request wasn't processed, so the client may retry (RFC 9113 §8.7).
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
        stream.client = peer.address
        respond(stream, loop.problem(error, for: peer))
    }

    /// Decides how the request's body is read.
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
            return respond(stream, loop.problem(.bodyTooLarge, for: request.peer))
        }
        if request.head.expectsContinue { session.sendContinue(stream.id) }
        guard isUpload else {
            stream.head = session.keepHead()
            stream.admitted = admitted
            stream.state.phase = .collecting
            // The head is stored as long as the body, and one for each stream.
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
            stream.task = Task(executorPreference: loop.executor) {
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

    /// Drops the body of a request that already has its response, for a while.
    ///
    /// curl 7.88 loses the response if it reads response and reset at once.
    private func discard(_ stream: HTTP2Stream, _ count: Int) {
        stream.received += count
        if stream.state.phase == .responding {
            // The response isn't sent yet.
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

    /// Counts bytes of a collected request; rejects the request if the loop's limit is exceeded.
    ///
    /// The request's own head doesn't count: at least one body fits, however large its head.
    private func count(_ bytes: Int, for stream: HTTP2Stream) {
        stream.collected += bytes
        loop.counters.collected.add(bytes)
        let head = stream.collected - stream.received
        if loop.counters.collected.value - head > loop.bodyBudget {
            reject(stream, .tooManyBodies)
        }
    }

    /// Ends the collection of a body, which is complete or not needed.
    func stopCollecting(_ stream: HTTP2Stream) {
        guard stream.state.phase == .collecting else { return }
        loop.counters.collected.add(-stream.collected)
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

    /// Counts received body bytes; a body slower than `minimumRate` times out like a stopped one.
    private func countProgress(_ stream: HTTP2Stream, _ count: Int) {
        stream.progress += count
        guard stream.progress >= loop.minimumBodyProgress else { return }
        stream.progress = 0
        stream.stamp = loop.milliseconds
    }

    /// Lets the client send more after the task has consumed enough.
    func resumeUpload(_ id: Int32) {
        guard let stream = stream(id), stream.state.isFull else { return }
        stream.state.isFull = false
        stream.stamp = loop.milliseconds
        session.consume(stream.held, of: id)
        stream.held = 0
        writeLater()
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
            // This client's other streams may hold too much by now. The request wasn't processed.
            guard allowsStart else { return session.reset(stream.id, .refusedStream) }
            let request = IncomingRequest(
                head.headPlace,
                from: peer(of: stream),
                admitted: stream.admitted.take()
            )
            send(loop.responder.respond(request, body: body.bytes), on: stream)
        }
    }
}
