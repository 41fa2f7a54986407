import HTTP2
import HTTPSyntax

/// What a connection has beyond its socket once it speaks HTTP/2 (RFC 9113): the session and its
/// streams.
///
/// The session calls back while it reads and writes. Responses that are ready then go out with the rest
/// of the read; later ones are written before the loop sleeps.
final class HTTP2Connection: HTTP2Handler {
    /// What is written in one go: the rest follows when the socket has taken it, so that a client
    /// which doesn't read costs no more than this.
    static let outputBurst = 128 * 1024

    /// A file up to this size is read at once, so that it doesn't stay open until it is sent.
    static let smallFile = 16 * 1024

    unowned(unsafe) let connection: Connection
    let loop: EventLoop
    let session: HTTP2Session
    /// All streams that there ever were at a time; those that are done are used again.
    @exclusivity(unchecked) private var streams: [HTTP2Stream] = []
    @exclusivity(unchecked) private var free: [Unmanaged<HTTP2Stream>] = []
    /// The bytes that the streams hold: of responses that are ready, and of pieces.
    @exclusivity(unchecked) private(set) var stored = 0
    /// Those of pieces, which the streams bound themselves.
    @exclusivity(unchecked) private var pieces = 0
    /// The number of streams in use.
    @exclusivity(unchecked) private(set) var open = 0
    /// The session is reading: what it calls for is written when it has read all.
    @exclusivity(unchecked) private(set) var isReceiving = false
    /// The loop writes before it sleeps.
    @exclusivity(unchecked) var isQueued = false
    /// When the head began that hasn't come whole, in the loop's milliseconds.
    @exclusivity(unchecked) private var headBegan: Int?
    /// A request came since the idle timer was armed.
    @exclusivity(unchecked) private var wasActive = false
    /// Nothing of the client's is under way: the connection can be closed without a wait.
    @exclusivity(unchecked) private(set) var closesAtOnce = false

    /// Makes a session; nil if there is no memory.
    init?(_ connection: Connection) {
        self.connection = connection
        loop = connection.loop
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

    /// Reads what the client sent, and responds to what can be done at once.
    func receive(_ bytes: ByteSpan) {
        isReceiving = true
        session.receive(bytes, now: loop.milliseconds)
        isReceiving = false
        headBegan = session.isInHead ? headBegan ?? loop.milliseconds : nil
    }

    /// Writes what is to be sent into the loop's output.
    func write() {
        session.write(to: &loop.output, limit: Self.outputBurst)
    }

    /// More could be sent now.
    var hasOutput: Bool { session.hasOutput }

    /// Everything is said: the connection can be closed.
    var isFinished: Bool { session.isFinished }

    /// The session ended for the client's fault.
    var hasFailed: Bool { session.failure != nil }

    /// There is no request, nor the beginning of one.
    var isIdle: Bool { open == 0 && !session.isInHead }

    // MARK: Streams

    /// A stream for a new request; nil if it is gone already.
    func openStream(_ id: Int32, isHead: Bool) -> HTTP2Stream? {
        let stream = takeFree()
        guard session.attach(stream.context, to: id) else {
            free.append(.passUnretained(stream))
            return nil
        }
        begin(stream, id, isHead: isHead)
        return stream
    }

    /// Stream 1, whose request came in HTTP/1.1 (RFC 7540 §3.2); nil if the settings are invalid.
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

    /// Whether one more response may be begun, though the client hasn't read those before it.
    var allowsStart: Bool {
        loop.outputBudget.allowsStart(
            own: stored,
            ready: stored - pieces,
            all: loop.counters.waiting.value
        )
    }

    /// Whether a response of so many bytes that is ready may be stored.
    func allows(_ count: Int) -> Bool { connection.allows(count) }

    /// Counts bytes of responses that are held from now on, or no more.
    func count(_ bytes: Int) {
        stored += bytes
        loop.counters.waiting.add(bytes)
    }

    /// Counts bytes of pieces that are held from now on, or no more.
    func count(pieces bytes: Int) {
        pieces += bytes
        count(bytes)
    }

    /// The stream of that number, if it is still there.
    func stream(_ id: Int32) -> HTTP2Stream? {
        session.context(id).map(HTTP2Stream.from)
    }

    func closed(_ context: UnsafeMutableRawPointer) {
        HTTP2Stream.with(context) { close($0) }
    }

    private func close(_ stream: HTTP2Stream) {
        guard stream.id != 0 else { return }
        stopCollecting(stream)
        count(-stream.unread)
        count(pieces: -stream.pieces.count)
        stream.close()
        open -= 1
        free.append(.passUnretained(stream))
    }

    // MARK: Time

    /// The timer of what the client has to do; nil if it is the server's turn.
    var timer: TimerKind? {
        if session.isInHead { return .head }
        // A client that was sent GOAWAY may have a request on its way, until it has responded.
        if open == 0 { return session.isClosing ? .linger : .idle }
        return streams.contains { $0.state.awaitsClient || $0.state.isEndless } ? .streams : nil
    }

    /// What the session waits for; `isHungUp` if the client has closed its side.
    func wait(isHungUp: Bool) -> SessionWait {
        defer { wasActive = false }
        if hasOutput { return hasFailed ? .roomAfterError : .room }
        guard isHungUp else { return .client(timer, isNew: wasActive) }
        guard isAnswering else { return .nothing }
        return awaitsRoom ? .window : .task
    }

    /// Whether something is due: the end of what the client should have sent or taken by now, or a
    /// sign of life for it.
    var isOverdue: Bool { isHeadOverdue || streams.contains { due($0) != nil } }

    private var isHeadOverdue: Bool {
        guard let headBegan else { return false }
        return loop.milliseconds - headBegan >= loop.configuration.headTimeout * 1000
    }

    private func due(_ stream: HTTP2Stream) -> HTTP2StreamState.Due? {
        stream.state.due(
            after: loop.milliseconds - stream.stamp,
            loop.configuration,
            hasRoom: session.hasOutput && session.hasRoom(stream.id)
        )
    }

    /// Gives up the streams whose client does nothing, and shows a sign of life where one is due.
    func checkStreams() {
        for stream in streams {
            switch due(stream) {
            case .none: break
            case .reset: session.reset(stream.id, .noError)
            case .cancel: session.reset(stream.id, .cancel)
            case .rejectLate: reject(stream, ProtocolError(408, "the body didn't come in time"))
            case .sendHeartbeat: if case .stream(let body) = stream.body { body.beat() }
            }
        }
        if isHeadOverdue { fail(.enhanceYourCalm) }
    }

    // MARK: Ending

    /// Ends the session with an error's GOAWAY.
    func fail(_ code: HTTP2ErrorCode) {
        session.fail(code)
    }

    /// Takes no more requests than those that are on their way, and lets those complete.
    func drain() {
        session.close()
        // A stream without an end of its own ends now.
        for stream in streams where stream.state.isEndless { stream.cancelTask() }
    }

    /// Nobody waits for anything.
    func endAtOnce() {
        closesAtOnce = true
        session.closeNow()
    }

    /// Nothing more comes from the client: half a request is no request.
    func hangUp() {
        for stream in streams {
            switch stream.state.phase {
            case .collecting, .streaming: session.reset(stream.id, .cancel)
            case .free, .responding, .answering, .answered: continue
            }
        }
    }

    /// Gives up the responses that a client which sends nothing more can't make room for, and pings it:
    /// one that is gone resets the connection.
    func probe() {
        for stream in streams where stream.state.awaitsRoom { session.reset(stream.id, .cancel) }
        checkStreams()
        session.ping()
    }

    /// Whether a response waits for the client's window, given that nothing can be sent.
    var awaitsRoom: Bool { streams.contains { $0.state.awaitsRoom } }

    /// Whether a task makes a response or its body.
    var isAnswering: Bool { streams.contains { $0.task != nil } }

    /// The connection is gone.
    func end() {
        for stream in streams { close(stream) }
    }
}
