import HTTP2
import HTTPSyntax

/// The HTTP/2 part of a connection (RFC 9113): the session and its streams.
///
/// The session calls back while it reads and writes. Responses that are ready at once are sent
/// together after the read. Later responses are written before the loop sleeps.
final class HTTP2Connection: HTTP2Handler {
    /// The most bytes written in one go.
    ///
    /// The rest follows when the socket has accepted them, so this limits the memory for a client
    /// that doesn't read.
    static let outputBurst = 128 * 1024

    /// The largest file that is read at once; larger files stay open until they are sent.
    static let smallFile = 16 * 1024

    let loop: LoopResources
    /// The token of the connection that carries the session.
    let token: UInt64
    /// The connection's peer: the client of all requests, or a trusted proxy.
    let peer: Peer
    /// Whether the peer is a trusted proxy, so that each request names its client.
    let isProxied: Bool
    /// The connection's TLS session, to which `peer` refers; nil on a plain connection.
    let tls: TLSSession?
    /// The bytes that wait for the client, those of the connection included.
    let backlog: Backlog
    let session: HTTP2Session
    /// All streams, including those in `free`; closed streams are reused.
    @exclusivity(unchecked) private(set) var streams: [HTTP2Stream] = []
    @exclusivity(unchecked) private var free: [Unmanaged<HTTP2Stream>] = []
    /// The bytes that the streams store: finished responses and pieces of streamed ones.
    @exclusivity(unchecked) private(set) var stored = 0
    /// The bytes of pieces, which each stream limits itself.
    @exclusivity(unchecked) private var pieces = 0
    /// The number of streams in use.
    @exclusivity(unchecked) private(set) var open = 0
    /// The session is reading; output is written after the read.
    @exclusivity(unchecked) private(set) var isReceiving = false
    /// The connection is queued to be written before the loop sleeps.
    @exclusivity(unchecked) var isQueued = false
    /// The start of a partial head, in the loop's milliseconds.
    @exclusivity(unchecked) private(set) var headBegan: Int?
    /// A request arrived since the idle timer was armed.
    @exclusivity(unchecked) var wasActive = false
    /// No exchange is open: the connection can be closed without lingering.
    @exclusivity(unchecked) var closesAtOnce = false

    /// Creates a session; nil if there is no memory.
    init?(
        loop: LoopResources,
        token: UInt64,
        peer: Peer,
        isProxied: Bool,
        tls: TLSSession?,
        backlog: Backlog
    ) {
        self.loop = loop
        self.token = token
        self.peer = peer
        self.isProxied = isProxied
        self.tls = tls
        self.backlog = backlog
        var limits = HTTP2Limits()
        limits.head = loop.configuration.head
        guard
            let session = HTTP2Session(
                limits: limits,
                memory: loop.memory,
                now: loop.milliseconds
            )
        else { return nil }
        self.session = session
        session.handler = self
    }

    /// Reads the client's bytes and responds to complete requests.
    func receive(_ bytes: ByteSpan) {
        isReceiving = true
        session.receive(bytes, now: loop.milliseconds)
        isReceiving = false
        headBegan = session.isInHead ? headBegan ?? loop.milliseconds : nil
    }

    /// Schedules the session's output to be written before the loop sleeps.
    func writeLater() {
        guard !isReceiving, !isQueued else { return }
        isQueued = true
        loop.unwritten.append(token)
    }

    /// Writes the session's output to the loop's output.
    func write() {
        session.write(to: &loop.output, limit: Self.outputBurst)
    }

    /// Whether the session could send more now.
    var hasOutput: Bool { session.hasOutput }

    /// Whether the session has sent everything, so that the connection can be closed.
    var isFinished: Bool { session.isFinished }

    /// Whether the session ended because of a client error.
    var hasFailed: Bool { session.failure != nil }

    /// Whether no request is open or partially received.
    var isIdle: Bool { open == 0 && !session.isInHead }

    // MARK: Streams

    /// Opens a stream for a new request; nil if the stream is already closed.
    func openStream(_ id: Int32, isHead: Bool) -> HTTP2Stream? {
        let stream = takeFree()
        guard session.attach(stream.context, to: id) else {
            free.append(.passUnretained(stream))
            return nil
        }
        begin(stream, id, isHead: isHead)
        return stream
    }

    /// Opens stream 1 for a request received in HTTP/1.1 (RFC 7540 §3.2); nil if the settings are
    /// invalid.
    func upgrade(settings: ByteSpan, isHead: Bool) -> HTTP2Stream? {
        let stream = takeFree()
        let isUpgraded = session.upgrade(
            settings: settings,
            isHead: isHead,
            stream.context
        )
        guard isUpgraded else { return nil }
        begin(stream, 1, isHead: isHead)
        return stream
    }

    private func takeFree() -> HTTP2Stream {
        if let stream = free.popLast() { return stream.takeUnretainedValue() }
        let stream = HTTP2Stream(of: self)
        streams.append(stream)
        return stream
    }

    private func begin(_ stream: HTTP2Stream, _ id: Int32, isHead: Bool) {
        stream.open(id, isHead: isHead, now: loop.milliseconds)
        open += 1
        wasActive = true
    }

    /// Whether another response may begin, although the client hasn't received the previous ones.
    var allowsStart: Bool {
        loop.outputBudget.allowsStart(
            own: stored,
            ready: stored - pieces,
            all: loop.counters.waiting.value
        )
    }

    /// Whether a finished response of `count` bytes may be stored.
    func allows(_ count: Int) -> Bool { loop.allows(count, for: backlog) }

    /// Adds to the stored bytes; negative to subtract.
    func count(_ bytes: Int) {
        stored += bytes
        if stored == 0 { backlog.forgetProgress() }
        loop.addWaiting(bytes, to: backlog)
    }

    /// Adds to the stored bytes of pieces; negative to subtract.
    func count(pieces bytes: Int) {
        pieces += bytes
        count(bytes)
    }

    /// The stream with that number; nil if it is closed.
    func stream(_ id: Int32) -> HTTP2Stream? {
        session.context(id).map(HTTP2Stream.from)
    }

    func closed(_ context: UnsafeMutableRawPointer) {
        HTTP2Stream.with(context) { close($0) }
    }

    /// Closes a stream, which can be reused.
    func close(_ stream: HTTP2Stream) {
        guard stream.id != 0 else { return }
        stopCollecting(stream)
        count(-stream.unread)
        count(pieces: -stream.pieces.count)
        stream.close()
        open -= 1
        free.append(.passUnretained(stream))
    }
}
