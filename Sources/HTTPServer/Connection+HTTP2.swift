import HTTP2
import HTTPSyntax

extension Connection {
    /// Judges bytes that are no HTTP/1.1 request.
    ///
    /// The preface may only come first of all: after a request it would be a smuggled one.
    /// Within TLS it needs ALPN (RFC 9113 §3.2).
    func preface(_ bytes: ByteSpan) -> HTTP2Session.Preface {
        exchange.isFirst && tls == nil ? HTTP2Session.preface(bytes) : .none
    }

    /// Goes on in HTTP/2 for good: by prior knowledge, or since TLS has agreed on it.
    ///
    /// The client's preface is among the bytes that `readHTTP2` gets next.
    func beginHTTP2() {
        guard let http2 = HTTP2Connection(self) else { return close() }
        begin(http2)
        // The settings are the server's preface, and may go out before the client's has come.
        if tls != nil { writeHTTP2() }
    }

    private func begin(_ http2: HTTP2Connection) {
        self.http2 = http2
        handle(.beginHTTP2)
        if loop.isDraining { http2.drain() }
    }

    /// Goes on in HTTP/2 where the client has offered to (RFC 7540 §3.2); false if its settings are
    /// invalid or that isn't wanted, and then the request is one of HTTP/1.1.
    ///
    /// A client that expects 100 stays with HTTP/1.1 (RFC 9110 §7.8: 100 would have to come first).
    func upgradeToHTTP2(_ request: borrowing IncomingRequest, _ bytes: ByteSpan) -> Bool {
        guard loop.configuration.takesUpgrades, tls == nil, !loop.isDraining,
            request.head.keepsAlive, request.head.field("expect") == nil,
            let settings = request.head.field("http2-settings"),
            let http2 = HTTP2Connection(self),
            let stream = http2.upgrade(settings: settings, isHead: request.head.method == .head)
        else { return false }
        loop.output.append("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n")
        loop.output.append("Upgrade: h2c\r\n\r\n")
        begin(http2)
        let rest = bytes.slice(request.head.length, bytes.count)
        let none = ByteSpan(start: nil, count: 0)
        http2.send(loop.responder.respond(request, body: none), on: stream)
        readHTTP2(rest)
        return true
    }

    /// Reads what the client sent, and puts the responses into the loop's output.
    func readHTTP2(_ bytes: ByteSpan) {
        guard let http2 else { return }
        http2.receive(bytes)
        if !interest.contains(.write) { http2.write() }
    }

    /// Sends what waits in the session, unless the socket has still to take what it got.
    func writeHTTP2(isWritable: Bool = false) {
        guard !isBlocked, let http2 else { return }
        if isWritable || !interest.contains(.write) { http2.write() }
        loop.flush(self)
    }

    /// Looks at each stream's time while the timer is that of what the connection is to take: who goes
    /// on with one stream could else leave all others as they are.
    func readBeforeCheck() {
        guard let http2, http2.isOverdue else { return }
        // What has come by now counts, though it isn't read while the socket is full.
        let count = receive()
        if count > 0 { http2.receive(ByteSpan(start: loop.readBuffer, count: count)) }
        http2.checkStreams()
    }

    /// Brings the poller and the timer in line with what the session waits for.
    func settle(_ http2: HTTP2Connection) {
        let session = http2.wait(isHungUp: state.isHungUp)
        guard let wait = state.wait(for: session, timer: timer) else { return close() }
        settle(wait)
    }

    /// The session is over: what is still coming is read for a while if the client may not have
    /// seen that.
    func endHTTP2() {
        guard let http2 else { return }
        handle(.endHTTP2(isAtOnce: http2.closesAtOnce))
        self.http2 = nil
        http2.end()
    }
}
