import Glibc
import HTTP2
import HTTPSyntax

extension Connection {
    /// The most bytes that are dropped after the last response.
    private static let lingerLimit = 4 * 1024 * 1024

    /// Handles a readable socket; `hungUp` if the client's end follows the bytes.
    func readable(hungUp: Bool = false) {
        assert(loop.output.isEmpty, "the loop's output holds only this connection's bytes")
        let actions = on(.readable(isHungUp: hungUp))
        // The common case skips the list of all actions, which costs 2 % of a request.
        if actions == .read { read() } else { perform(actions) }
    }

    /// Reads once and serves the bytes.
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

    /// Serves the requests from `start` on and stores the rest.
    private func serve(_ bytes: ByteSpan, from start: Int) {
        let rest = bytes.slice(start, bytes.count)
        keep(rest, from: serve(rest))
    }

    /// Serves the requests in `input`.
    func serveInput(newBytes: Int) {
        // A partial head is parsed again only after a line end or an invalid byte. So a client that
        // sends byte by byte costs one check per byte instead of one parse per byte.
        let bytes = input.bytes
        if newBytes < bytes.count, bytes.count < loop.parser.limits.head {
            let news = bytes.slice(bytes.count - newBytes, bytes.count)
            guard news.contains(where: { !ByteClass.isFieldValue($0) }) else { return }
        }
        // `serve` may collect a body into `input`, so the bytes that it parses must be elsewhere.
        var pending = OwnedBytes()
        swap(&pending, &input)
        let used = serve(pending.bytes)
        guard used < pending.count else { return }
        guard state.storesRest else { return }
        pending.consume(used)
        swap(&pending, &input)
        awaitRest()
    }

    /// Stores the unused bytes.
    private func keep(_ bytes: ByteSpan, from used: Int) {
        guard used < bytes.count, state.storesRest else { return }
        input.append(bytes.slice(used, bytes.count))
        awaitRest()
    }

    /// Starts the head's timeout at its first byte; later bytes don't extend it.
    private func awaitRest() {
        guard allowsRequest, hasBegunHead, timer != headTimer else { return }
        arm(headTimer)
    }

    /// Serves the requests in these bytes in order, while each has its response at once.
    ///
    /// Returns the number of bytes used.
    private func serve(_ bytes: ByteSpan) -> Int {
        var used = 0
        var served = 0
        while used < bytes.count {
            // Sends a file or much output before the next request. If the socket is full, the
            // connection stops here until the socket accepts more.
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
                    // The client doesn't speak HTTP/2, so it couldn't read a GOAWAY (RFC 9113
                    // §3.4).
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

    /// Begins a request with a complete head.
    ///
    /// Returns the number of bytes used.
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
        // `announced` comes from the client: adding to it before the check could overflow.
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

    /// Adds body bytes to `input`, or passes them to the task that streams them.
    ///
    /// Returns the number of bytes used.
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
            // A chunk that exceeds the limit is rejected by its size, before its data.
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

    /// Stores body bytes; returns false if the task has no room for more.
    private func storeBody(_ bytes: ByteSpan) -> Bool {
        received += bytes.count
        if let stream { return stream.yield(bytes) }
        input.append(bytes)
        return true
    }

    /// Rejects a request in the middle of its body; all the bytes count as used.
    private func reject(_ error: ProtocolError, instead bytes: ByteSpan) -> Int {
        reject(error)
        return bytes.count
    }

    /// Counts received body bytes; a body slower than `minimumRate` times out like a stopped one.
    func countBodyProgress(_ count: Int) {
        bodyProgress += count
        guard bodyProgress >= loop.minimumBodyProgress else { return }
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
        // The head was valid when it arrived. It is parsed again because its spans pointed into
        // that buffer.
        guard case .complete = loop.parser.parse(buffer.bytes) else {
            reject(ProtocolError(500, "the request's head can't be parsed again"))
            return bytes.count
        }
        let body = buffer.bytes.slice(headLength, buffer.count)
        let request = IncomingRequest(loop.parser.headPlace, from: peer, admitted: admitted.take())
        send(loop.responder.respond(request, body: body))
        return end
    }

    /// Handles a read without bytes: the client's end, or a broken connection.
    private func readEnded(_ count: Int) {
        if count < 0, errno == EAGAIN || errno == EINTR { return handle(.exhausted) }
        if let tls, tls.hasAlerted { return breakOff(tls) }
        handle(count == 0 ? .ended : .failed)
    }

    /// Drops bytes after the last response, until the client closes or the time is up.
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
        "the body is larger than this resource accepts"
    )
    /// RFC 9110 §7.4: an https target needs a TLS connection.
    static let unsecured = ProtocolError(
        421,
        "the target's scheme is https, but this connection doesn't use TLS"
    )
    static let outputFull = ProtocolError(
        503,
        "too many response bytes are waiting for slow clients; retry later"
    )
    static let tooManyBodies = ProtocolError(
        503,
        "too many request bodies are in memory; retry later"
    )
}
