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
        flush()
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
            if file != nil || loop.output.count > LoopResources.outputLimit { flush() }
            guard allowsRequest else { return used }
            guard state.ending == .persists else {
                handle(.excess)
                return bytes.count
            }
            guard served < LoopResources.turn else {
                handle(.shared)
                return used
            }
            served += 1
            if isProxied { client = address }
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
                if isProxied, let error = findClient() {
                    exchange = Exchange(isHead: loop.parser.head.method == .head)
                    reject(error)
                    return bytes.count
                }
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
            keepsAlive: request.head.keepsAlive && !request.peer.isReserved
        )
        if let tls {
            guard !tls.isMisdirected(request.head.authority) else {
                reject(.misdirected)
                return bytes.count
            }
            if Authority.isDomainName(request.head.authority) { exchange.omitted = [] }
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
