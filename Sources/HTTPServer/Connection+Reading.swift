import Glibc
import HTTP2
import HTTPSyntax

extension Connection {
    /// The most bytes that are dropped of what a client sends after its last response.
    private static let lingerLimit = 4 * 1024 * 1024

    /// The socket has bytes, or its end; `hungUp` if the end is after what it has.
    func readable(hungUp: Bool = false) {
        assert(loop.output.isEmpty, "what the loop's output holds is this connection's")
        let actions = on(.readable(isHungUp: hungUp))
        // Most often: past the list of all actions, which would be 2 % of a request.
        if actions == .read { read() } else { perform(actions) }
    }

    /// Reads once and serves what came.
    @inline(__always)
    func read() {
        let count = receive()
        guard count > 0 else { return readEnded(count) }
        let read = ByteSpan(start: loop.readBuffer, count: count)
        switch state.reading {
        case .http2: readHTTP2(read)
        case .collecting, .streaming: serve(read, from: receiveBody(read, from: 0))
        case _ where input.isEmpty: serve(read, from: 0)
        default:
            input.append(read)
            serveInput(newBytes: count)
        }
        loop.flush(self)
    }

    /// Serves the requests from `start` on, and keeps what can't be used yet.
    private func serve(_ bytes: ByteSpan, from start: Int) {
        let rest = bytes.slice(start, bytes.count)
        keep(rest, from: serve(rest))
    }

    /// Serves what is in `input`.
    func serveInput(newBytes: Int) {
        // A head in pieces is parsed again only when a line has ended or a byte came that may be
        // wrong: a client that sends byte by byte costs a look at each byte, not at each head.
        let bytes = input.bytes
        if newBytes < bytes.count, bytes.count < loop.parser.limits.head {
            let news = bytes.slice(bytes.count - newBytes, bytes.count)
            guard news.contains(where: { !ByteClass.isFieldValue($0) }) else { return }
        }
        // `serve` may collect a body into `input`: what it reads must not move meanwhile.
        var pending = OwnedBytes()
        swap(&pending, &input)
        let used = serve(pending.bytes)
        guard used < pending.count else { return }
        guard state.storesRest else { return }
        pending.consume(used)
        swap(&pending, &input)
        awaitRest()
    }

    /// Keeps what wasn't used.
    private func keep(_ bytes: ByteSpan, from used: Int) {
        guard used < bytes.count, state.storesRest else { return }
        input.append(bytes.slice(used, bytes.count))
        awaitRest()
    }

    /// The head has begun: its time runs from here, whatever else of it comes.
    private func awaitRest() {
        guard allowsRequest, hasBegunHead, timer != headTimer else { return }
        arm(headTimer)
    }

    /// Serves the requests in these bytes, in their order, as long as each has its response at once.
    ///
    /// Returns how many bytes were used.
    private func serve(_ bytes: ByteSpan) -> Int {
        var used = 0
        var served = 0
        while used < bytes.count {
            // A file and much output go out before what follows is served, so that a
            // connection that stops here for a full socket is woken when it takes more.
            if file != nil || loop.output.count > EventLoop.outputLimit { loop.flush(self) }
            guard allowsRequest else { return used }
            guard state.ending == .persists else {
                handle(.excess)
                return bytes.count
            }
            guard served < EventLoop.turn else {
                handle(.shared)
                return used
            }
            served += 1
            let rest = bytes.slice(used, bytes.count)
            switch loop.parser.parse(rest) {
            case .partial: return used
            case .failed(let error):
                switch preface(rest) {
                case .none: break
                case .partial: return used
                case .broken:
                    // GOAWAY would tell it nothing (RFC 9113 §3.4).
                    close()
                    return bytes.count
                case .complete:
                    beginHTTP2()
                    readHTTP2(rest)
                    return bytes.count
                }
                exchange = Exchange(isHead: loop.parser.head.method == .head)
                reject(error)
                return bytes.count
            case .complete:
                used += begin(IncomingRequest(loop.parser.headPlace, from: peer), rest)
            }
        }
        return used
    }

    /// Begins a request whose head is complete.
    ///
    /// Returns how many of the bytes were used.
    private func begin(_ request: borrowing IncomingRequest, _ bytes: ByteSpan) -> Int {
        if timer == .head || timer == .linger { arm(nil) }
        let isHead = if case .head = request.head.method { true } else { false }
        exchange = Exchange(
            isFirst: false,
            isHead: isHead,
            minorVersion: request.head.minorVersion,
            keepsAlive: request.head.keepsAlive
        )
        if let tls {
            guard !tls.isMisdirected(request.head.authority) else {
                reject(.misdirected)
                return bytes.count
            }
        } else if case .absolute = request.head.form, case .https = request.head.scheme {
            reject(.unsecured)
            return bytes.count
        }
        switch request.head.framing {
        case .none, .length(0):
            if request.head.offersHTTP2, upgradeToHTTP2(request, bytes) { return bytes.count }
            let end = request.head.length
            send(loop.responder.respond(request, body: ByteSpan(start: nil, count: 0)))
            return end
        case .length(let length):
            return beginBody(request, bytes, .length(remaining: length), announced: length)
        case .chunked:
            return beginBody(request, bytes, .chunked(ChunkedDecoder()), announced: 0)
        }
    }

    private func beginBody(
        _ request: borrowing IncomingRequest,
        _ bytes: ByteSpan,
        _ collecting: Collecting,
        announced: Int
    ) -> Int {
        let headLength = request.head.length
        // `announced` is the client's number: nothing is added to it before it is judged.
        let isHere = announced > 0 && bytes.count - headLength >= announced
        if isHere, announced <= loop.responder.bodyLimit {
            let end = headLength + announced
            send(loop.responder.respond(request, body: bytes.slice(headLength, end)))
            return end
        }
        let isStream: Bool
        switch loop.responder.admit(request) {
        case .reject(let reply):
            reject(reply)
            return bytes.count
        case .collect(let limit, let request):
            (bodyLimit, admitted, isStream) = (limit, request, false)
        case .stream(let limit, let request):
            (bodyLimit, admitted, isStream) = (limit, request, true)
        }
        guard announced <= bodyLimit else {
            reject(.bodyTooLarge)
            return bytes.count
        }
        if request.head.expectsContinue, bytes.count == headLength {
            loop.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
        if isStream { return beginStream(request.place, bytes, collecting) }
        input.append(bytes.slice(0, headLength))
        self.collecting = collecting
        self.headLength = headLength
        (received, bodyProgress) = (0, 0)
        handle(.collect)
        return receiveBody(bytes, from: headLength)
    }

    /// Receives body bytes: after the head in `input`, or for the task that takes them.
    ///
    /// Returns how many of the bytes were used.
    func receiveBody(_ bytes: ByteSpan, from start: Int) -> Int {
        var (offset, hasRoom) = (start, true)
        switch collecting {
        case .length(let remaining):
            let count = min(remaining, bytes.count - start)
            hasRoom = storeBody(bytes.slice(start, start + count))
            offset += count
            collecting = .length(remaining: remaining - count)
            if count == remaining { return finishBody(bytes, offset) }
        case .chunked(var decoder):
            reading: while true {
                switch decoder.next(bytes, &offset) {
                case .data(let range):
                    guard received + range.count <= bodyLimit else {
                        return reject(.bodyTooLarge, instead: bytes)
                    }
                    hasRoom = storeBody(bytes.slice(range.lowerBound, range.upperBound))
                case .needsMore: break reading
                case .end(let end): return finishBody(bytes, end)
                case .failed(let error): return reject(error, instead: bytes)
                }
            }
            collecting = .chunked(decoder)
            // A chunk that can't fit is rejected by its size, before its data.
            guard stream != nil || received + decoder.announced <= bodyLimit else {
                return reject(.bodyTooLarge, instead: bytes)
            }
        }
        if stream == nil { collected = received }
        guard
            stream == nil ? loop.collected <= loop.bodyBudget : hasRoom || !loop.untaken.areTooMany
        else { return reject(.tooManyBodies, instead: bytes) }
        if hasRoom { countBodyProgress(offset - start) } else { handle(.filled) }
        return offset
    }

    /// Stores body bytes; false if the task has no room for more.
    private func storeBody(_ bytes: ByteSpan) -> Bool {
        received += bytes.count
        if let stream { return stream.yield(bytes) }
        input.append(bytes)
        return true
    }

    /// Rejects a request in the middle of its body; the bytes count as used.
    private func reject(_ error: ProtocolError, instead bytes: ByteSpan) -> Int {
        reject(error)
        return bytes.count
    }

    /// A body that trickles is as good as one that has stopped.
    func countBodyProgress(_ count: Int) {
        bodyProgress += count
        guard bodyProgress >= loop.leastBodyProgress else { return }
        bodyProgress = 0
        arm(.body)
    }

    private func finishBody(_ bytes: ByteSpan, _ end: Int) -> Int {
        if let stream {
            self.stream = nil
            stream.finish()
            handle(.streamed)
            return end
        }
        var buffer = OwnedBytes()
        swap(&buffer, &input)
        collected = 0
        handle(.collected)
        // The head was valid when it came; it is parsed again since its spans were of that buffer.
        guard case .complete = loop.parser.parse(buffer.bytes) else {
            reject(ProtocolError(500, "the head can't be read again"))
            return bytes.count
        }
        let body = buffer.bytes.slice(headLength, buffer.count)
        let request = IncomingRequest(loop.parser.headPlace, from: peer, admitted: admitted.take())
        send(loop.responder.respond(request, body: body))
        return end
    }

    /// The client has closed its side, or the connection is broken.
    private func readEnded(_ count: Int) {
        if count < 0, errno == EAGAIN || errno == EINTR { return handle(.exhausted) }
        if let tls, tls.hasAlerted { return breakOff(tls) }
        handle(count == 0 ? .ended : .failed)
    }

    /// Drops what comes after the last response, until the client closes or the time is up.
    func drop() {
        let count = receiveUnwanted()
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        lingered += max(count, 0)
        if count <= 0 || lingered > Self.lingerLimit { return close() }
        settle()
    }
}

extension ProtocolError {
    static let bodyTooLarge = ProtocolError(
        413,
        "the body is larger than this resource takes"
    )
    /// RFC 9110 §7.4: a target of https needs a secured connection.
    static let unsecured = ProtocolError(
        421,
        "the target is of https, and this connection isn't secured"
    )
    static let outputFull = ProtocolError(
        503,
        "too many bytes wait for clients that receive slowly"
    )
    static let tooManyBodies = ProtocolError(
        503,
        "the server holds as many bodies as it may"
    )
}
