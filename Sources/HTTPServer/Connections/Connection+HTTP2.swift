import HTTP2
import HTTPSyntax

extension Connection {
    /// Checks bytes that aren't an HTTP/1.1 request for the HTTP/2 preface.
    ///
    /// The preface is valid only as the first bytes of a connection: after a request it could be
    /// smuggled. Within TLS, HTTP/2 needs ALPN (RFC 9113 §3.2).
    func preface(_ bytes: ByteSpan) -> HTTP2Session.Preface {
        exchange.isFirst && tls == nil ? HTTP2Session.preface(bytes) : .none
    }

    /// Switches to HTTP/2, by prior knowledge or after ALPN.
    ///
    /// The client's preface is in the bytes of the next `readHTTP2`.
    func beginHTTP2() {
        guard let http2 = makeHTTP2() else { return close() }
        begin(http2)
        // The settings are the server's preface. It may send them before the client's preface
        // arrives.
        if tls != nil { writeHTTP2() }
    }

    private func makeHTTP2() -> HTTP2Connection? {
        HTTP2Connection(
            loop: loop,
            token: token,
            peer: peer(address),
            isProxied: isProxied,
            tls: tls,
            backlog: backlog
        )
    }

    private func begin(_ http2: HTTP2Connection) {
        self.http2 = http2
        handle(.beginHTTP2)
        if loop.isDraining { http2.drain() }
    }

    /// Upgrades to HTTP/2 if the client has offered it (RFC 7540 §3.2).
    ///
    /// Returns false if upgrades are disabled or the client's settings are invalid; the request
    /// stays HTTP/1.1. So does one with Expect: 100-continue (RFC 9110 §7.8: 100 would have to
    /// precede 101).
    func upgradeToHTTP2(_ request: borrowing IncomingRequest, _ bytes: ByteSpan) -> Bool {
        guard loop.configuration.acceptsUpgrades, tls == nil, !request.peer.isReserved,
            !loop.isDraining,
            request.head.keepsAlive, request.head.field("expect") == nil,
            let settings = request.head.field("http2-settings"),
            let http2 = makeHTTP2(),
            let stream = http2.upgrade(settings: settings, isHead: request.head.method == .head)
        else { return false }
        stream.client = request.peer.address
        loop.output.append("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n")
        loop.output.append("Upgrade: h2c\r\n\r\n")
        begin(http2)
        let rest = bytes.slice(request.head.length, bytes.count)
        let none = ByteSpan(start: nil, count: 0)
        http2.send(loop.responder.respond(request, body: none), on: stream)
        readHTTP2(rest)
        return true
    }

    /// Reads the client's bytes and writes the responses to the loop's output.
    func readHTTP2(_ bytes: ByteSpan) {
        guard let http2 else { return }
        http2.receive(bytes)
        if !interest.contains(.write) { http2.write() }
    }

    /// Sends the session's output, unless earlier output still waits for the socket.
    func writeHTTP2(isWritable: Bool = false) {
        guard !isBlocked, let http2 else { return }
        if isWritable || !interest.contains(.write) { http2.write() }
        flush()
    }

    /// Checks the streams' timeouts while output waits for the socket.
    ///
    /// Without this check a client that reads one stream could leave all others stalled.
    func readBeforeCheck() {
        guard let http2, http2.isOverdue else { return }
        // Bytes that have already arrived count as progress. They aren't read while the socket is
        // full.
        let count = receive()
        if count > 0 { http2.receive(ByteSpan(start: loop.readBuffer, count: count)) }
        http2.checkStreams()
    }

    /// Sets the poller's interest and the timer for what the session waits for.
    func settle(_ http2: HTTP2Connection) {
        let wait = http2.wait(timer: timer, isHungUp: state.isHungUp)
        guard let wait else { return close() }
        settle(wait)
    }

    /// Ends the session.
    ///
    /// Reads the client's bytes for a while if the client may not know yet.
    func endHTTP2() {
        guard let http2 else { return }
        handle(.endHTTP2(isAtOnce: http2.closesAtOnce))
        self.http2 = nil
        http2.end()
    }
}
