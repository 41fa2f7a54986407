import CLinux
import Glibc
import HTTPSyntax

/// A client's connection: the socket, the buffered bytes in both directions, and its state.
///
/// The state decides, the connection performs (`perform(_:)`).
///
/// It belongs to one loop and is used only on the loop's thread. An idle connection has no buffer:
/// reads go to the loop's buffer, and only unused bytes are stored here. `@exclusivity(unchecked)`:
/// see `EventLoop`.
final class Connection {
    /// The rest of the body that is being received.
    enum Collecting {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    let fd: CInt
    /// The client's address; nil on a Unix socket.
    let address: PeerAddress?
    /// Distinguishes this connection from earlier ones with the same descriptor.
    let generation: UInt32
    /// The connection's loop.
    ///
    /// It is a strong reference, which `close` ends by leaving the loop: reading through it needs
    /// no retain. An unowned one took nine retains for each response.
    let loop: EventLoop
    /// The TLS session; nil on a plain connection.
    @exclusivity(unchecked) var tls: TLSSession?

    @exclusivity(unchecked) var state = ConnectionState()
    /// The length of the head in `input`, while the body is collected after it.
    @exclusivity(unchecked) var headLength = 0
    @exclusivity(unchecked) var collecting = Collecting.length(remaining: 0)
    @exclusivity(unchecked) var bodyLimit = 0
    /// The responder's notes about the request whose body is being read.
    @exclusivity(unchecked) var admitted: (any AdmittedRequest)?
    /// The body bytes that count against the loop's limit.
    @exclusivity(unchecked) var collected = 0 {
        didSet { loop.collected += collected - oldValue }
    }
    @exclusivity(unchecked) var stream: BodyStream?
    /// The body bytes received so far.
    @exclusivity(unchecked) var received = 0
    /// Unused bytes: part of a head, a collected body, or requests that wait for their turn.
    @exclusivity(unchecked) var input = OwnedBytes()
    /// Bytes that the socket hasn't accepted yet.
    @exclusivity(unchecked) var output = OwnedBytes()
    /// The part of `output` that counts against the loop's limit.
    @exclusivity(unchecked) private var waiting = 0
    /// The response's streamed body; nil without one.
    @exclusivity(unchecked) var sending: OutgoingBody? {
        didSet { oldValue?.writer = nil }
    }
    /// A file that follows `output`.
    @exclusivity(unchecked) var file: FileTransfer?
    /// The facts of the request that its response depends on.
    @exclusivity(unchecked) var exchange = Exchange()
    @exclusivity(unchecked) var task: Task<Void, Never>?
    /// The HTTP/2 session, which replaces most of this once the connection speaks HTTP/2.
    @exclusivity(unchecked) var http2: HTTP2Connection?
    /// Body bytes received since the body's timer was armed.
    @exclusivity(unchecked) var bodyProgress = 0
    @exclusivity(unchecked) var interest = EpollPoller.Interest.read
    /// The socket may have bytes, or the client's end, that the poller has already reported.
    @exclusivity(unchecked) var hasUnread = false
    @exclusivity(unchecked) var lingered = 0
    /// The number of bytes that the socket has accepted.
    @exclusivity(unchecked) var sent = 0
    /// The number of acknowledged bytes when the write timer was armed.
    @exclusivity(unchecked) var acknowledgedBefore = 0

    @exclusivity(unchecked) var timer: TimerKind?
    @exclusivity(unchecked) var deadline = 0
    @exclusivity(unchecked) var timerPrevious: Unmanaged<Connection>?
    @exclusivity(unchecked) var timerNext: Unmanaged<Connection>?

    init(
        fd: CInt,
        address: PeerAddress?,
        generation: UInt32,
        loop: EventLoop,
        tls: TLSSession?
    ) {
        self.fd = fd
        self.address = address
        self.generation = generation
        self.loop = loop
        self.tls = tls
        if tls != nil { state.reading = .handshaking }
    }

    /// The token that epoll returns with this connection's events.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd)) }

    /// The client of the current request.
    var peer: Peer { Peer(address: address, socket: fd, session: tls) }

    /// Whether output waits for the socket; the next request is served after it is sent.
    var isBlocked: Bool {
        if !output.isEmpty || file != nil { return true }
        if let tls { return tls.awaitsSocket }
        return false
    }

    /// Whether the next request can be served.
    @inline(__always)
    var allowsRequest: Bool { state.allowsRequest(isBlocked: isBlocked) }

    var isIdle: Bool { allowsRequest && !hasBegunHead }

    /// Sets the poller's interest, if it has changed or unread bytes have to be reported again.
    func want(_ interest: EpollPoller.Interest) {
        guard interest != self.interest || hasUnread && interest == .read else { return }
        self.interest = interest
        hasUnread = false
        loop.poller.modify(fd, polled, token: token)
    }

    /// The interest passed to the poller.
    ///
    /// Plain reads are edge-triggered; bytes left after an event set `hasUnread`.
    ///
    /// A read that returns less than its buffer has emptied the socket (epoll(7)). That doesn't
    /// hold within TLS, and HTTP/2 waits for writability without filling the socket.
    var polled: EpollPoller.Interest {
        tls == nil && interest == .read ? interest.union(.once) : interest
    }

    /// Sets the poller's interest and the timer for what this connection waits for.
    ///
    /// Called whenever the loop is done with the connection for now.
    func settle() {
        let wait = state.wait(
            timer: timer,
            isBlocked: isBlocked,
            hasBegunHead: hasBegunHead,
            isDraining: loop.isDraining,
            allowsInterim: allowsInterim
        )
        if let wait { settle(wait) } else if let http2 { settle(http2) }
    }

    @inline(__always)
    func settle(_ wait: Wait) {
        if timer != wait.timer || wait.isNew {
            if wait.timer == .write { armWrite() } else { arm(wait.timer) }
        }
        want(wait.interest)
        // The poller doesn't report bytes that TLS has buffered.
        if let tls, tls.hasUnread, wait.interest.contains(.read), state.takesInput {
            loop.queueTurn(self)
        }
    }

    /// Arms or restarts a timer in place of the current one; nil disarms it.
    @inline(__always)
    func arm(_ kind: TimerKind?) {
        loop.arm(self, kind)
    }

    /// Arms the timer of a client that has to receive more.
    func armWrite() {
        acknowledgedBefore = acknowledged
        arm(.write)
    }

    /// Closes at once.
    func close() {
        guard state.reading != .closed else { return }
        // A truncated response must not look complete (RFC 8446 §6.1).
        if let tls, !isBlocked { _ = tls.sendCloseNotify() }
        tls = nil
        _ = on(.close)
        abandonAll()
        loop.forget(self)
        Glibc.close(fd)
    }

    /// Counts the waiting output against the loop's limit.
    @inline(__always)
    func countWaiting() {
        let count = output.count
        guard count != waiting else { return }
        loop.counters.waiting.add(count - waiting)
        if count == 0 { forgetProgress() }
        if loop.outputBudget.isUnderPressure(loop.counters.waiting.value) { loop.measureProgress() }
        waiting = count
    }

    /// The number of bytes that wait for this client.
    var stored: Int { waiting + (http2?.stored ?? 0) }

    /// The bytes that the client had received when its progress was measured last; nil if it wasn't.
    @exclusivity(unchecked) private var receivedBefore: Int?
    /// Whether the client received too little between the last two measurements.
    @exclusivity(unchecked) private(set) var hasStalled = false

    /// Forgets the measurements when nothing waits for the client any more.
    func forgetProgress() {
        receivedBefore = nil
        hasStalled = false
    }

    /// Measures the bytes that the client has received.
    func measureProgress() {
        let now = acknowledged
        hasStalled = receivedBefore.map { now - $0 < OutputBudget.minimumReceived } ?? false
        receivedBefore = now
    }

    /// Whether a response of `count` bytes may be stored for this client.
    func allows(_ count: Int) -> Bool { loop.allows(count, for: self) }

    /// Cancels all work for the client, and discards what was read and what waits.
    func abandonAll() {
        endHTTP2()
        abandonStream()
        admitted = nil
        task?.cancel()
        task = nil
        abandonSending()
        file = nil
        collected = 0
        input.free()
        output.free()
        countWaiting()
        tls?.awaitsSocket = false
    }

    /// Handles an expired timer.
    func timeOut(_ kind: TimerKind) {
        handle(.timer(kind, allowsInterim: allowsInterim))
    }

    /// Whether the client understands an interim response: HTTP/1.0 has none (RFC 9110 §15.2).
    private var allowsInterim: Bool { exchange.minorVersion == 1 }

    func rejectLateHead() {
        exchange = Exchange(isHead: beginsWithHEAD)
        reject(ProtocolError(408, "the head didn't arrive in time"))
    }

    /// Closes the connection of a client that has received too little since the timer was armed.
    ///
    /// The kernel reports writability only after a good part of its buffer is acknowledged, which
    /// may be megabytes.
    func checkTaken() {
        let taken = acknowledged - acknowledgedBefore
        if taken >= loop.minimumTaken { armWrite() } else { cutOff() }
    }

    /// Closes the connection and discards unsent bytes.
    ///
    /// The kernel would otherwise hold them for this client for minutes.
    func cutOff() {
        dropTransmission()
        close()
    }

    /// Whether `input` has more than the one empty line that may precede a head.
    ///
    /// Some clients send one after a body (RFC 9112 §2.2).
    var hasBegunHead: Bool {
        let bytes = input.bytes
        return bytes.count > 2 || bytes.count > 0 && bytes[0] != 0x0D
    }

    /// Whether the partial head is that of a HEAD request, whose response has no body.
    private var beginsWithHEAD: Bool {
        var bytes = input.bytes
        if bytes.count > 2, bytes[0] == 0x0D { bytes = bytes.slice(2, bytes.count) }
        return bytes.count >= 5 && bytes.slice(0, 5).equals("HEAD ")
    }

    var headTimer: TimerKind { ConnectionState.headTimer(loop.isDraining) }

    /// Serves requests that have arrived when the server stops, and closes a connection without
    /// one.
    func endIfIdle() {
        // A request may have arrived that this loop hasn't read yet.
        readable()
        guard isIdle else { return settle() }
        handle(.idle)
    }

    /// Closes this idle connection to make room for a new one, unless a request has arrived.
    func yield() {
        let idleUntil = deadline
        readable()
        if let http2, http2.isIdle, deadline == idleUntil {
            http2.endAtOnce()
            writeHTTP2()
            return close()
        }
        if isIdle, deadline == idleUntil { close() }
    }
}
