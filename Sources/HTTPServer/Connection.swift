import CLinux
import Glibc
import HTTPSyntax

/// A client's connection: the socket, the bytes that wait on either side of it, and its state.
///
/// The state decides, the connection performs (`perform(_:)`).
///
/// It belongs to its loop and is touched on the loop's thread alone. While it waits for a request
/// it owns no buffer: what is read lands in the loop's, and only what can't be used at once is
/// kept here. `@exclusivity(unchecked)`: see `EventLoop`.
final class Connection {
    /// What `input` waits for when a body is being collected.
    enum Collecting {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    let fd: CInt
    /// The client's address; nil on a Unix socket.
    let address: PeerAddress?
    /// Distinguishes this connection's events from those of an earlier one with the same descriptor.
    let generation: UInt32
    /// A strong reference, which `close` ends by leaving the loop: what is read through it needs no
    /// retain, where an unowned one took nine for each response.
    let loop: EventLoop
    /// What is between this connection and its socket, where the server speaks TLS.
    @exclusivity(unchecked) var tls: TLSSession?

    @exclusivity(unchecked) var state = ConnectionState()
    /// The length of the head in `input`, while its body is collected after it.
    @exclusivity(unchecked) var headLength = 0
    @exclusivity(unchecked) var collecting = Collecting.length(remaining: 0)
    @exclusivity(unchecked) var bodyLimit = 0
    /// The request whose body is being read.
    @exclusivity(unchecked) var admitted: (any AdmittedRequest)?
    /// The bytes of its body that count against the loop's budget.
    @exclusivity(unchecked) var collected = 0 {
        didSet { loop.collected += collected - oldValue }
    }
    @exclusivity(unchecked) var stream: BodyStream?
    /// The bytes that came of the body.
    @exclusivity(unchecked) var received = 0
    /// What was read and not yet used: part of a head, a collected body, or requests that wait
    /// their turn.
    @exclusivity(unchecked) var input = OwnedBytes()
    /// What the socket didn't take yet.
    @exclusivity(unchecked) var output = OwnedBytes()
    /// The part of `output` that counts against the loop's budget.
    @exclusivity(unchecked) private var waiting = 0
    /// The response's body, if it is made while it is sent.
    @exclusivity(unchecked) var sending: OutgoingBody? {
        didSet { oldValue?.writer = nil }
    }
    /// A file that follows `output`.
    @exclusivity(unchecked) var file: FileTransfer?
    /// The facts of the request that its response depends on.
    @exclusivity(unchecked) var exchange = Exchange()
    @exclusivity(unchecked) var task: Task<Void, Never>?
    /// What there is in place of most of this, once the connection speaks HTTP/2.
    @exclusivity(unchecked) var http2: HTTP2Connection?
    /// Body bytes that came since the body's timer was armed.
    @exclusivity(unchecked) var bodyProgress = 0
    @exclusivity(unchecked) var interest = EpollPoller.Interest.read
    /// There may be bytes, or the end of them, that the poller has reported.
    @exclusivity(unchecked) var hasUnread = false
    @exclusivity(unchecked) var lingered = 0
    /// The bytes that the socket has taken so far.
    @exclusivity(unchecked) var sent = 0
    /// How many of them the client had acknowledged when the write timer was armed.
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

    /// What epoll gives back with this connection's events.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd)) }

    /// The client, for the request that is read now.
    var peer: Peer { Peer(address: address, socket: fd, session: tls) }

    /// Output waits for the socket: no further request is served until it is taken.
    var isBlocked: Bool {
        if !output.isEmpty || file != nil { return true }
        if let tls { return tls.awaitsSocket }
        return false
    }

    /// Whether the next request can be served.
    @inline(__always)
    var allowsRequest: Bool { state.allowsRequest(isBlocked: isBlocked) }

    var isIdle: Bool { allowsRequest && !hasBegunHead }

    /// Asks the poller for an interest, if that has changed or bytes are to be reported again.
    func want(_ interest: EpollPoller.Interest) {
        guard interest != self.interest || hasUnread && interest == .read else { return }
        self.interest = interest
        hasUnread = false
        loop.poller.modify(fd, polled, token: token)
    }

    /// The interest that the poller gets: it reports bytes once, and what isn't read then is `hasUnread`.
    ///
    /// A read that brings less than it may has emptied the socket (epoll(7)). What TLS leaves there isn't
    /// known, and HTTP/2 waits for room without filling it.
    var polled: EpollPoller.Interest {
        tls == nil && interest == .read ? interest.union(.once) : interest
    }

    /// Brings the poller and the timer in line with what this connection waits for.
    ///
    /// Called whenever the loop is done with it for now.
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
        // Bytes that TLS holds already come without the poller.
        if let tls, tls.hasUnread, wait.interest.contains(.read), state.takesInput {
            loop.queueTurn(self)
        }
    }

    /// Arms the timer of a kind anew, in place of the one before.
    @inline(__always)
    func arm(_ kind: TimerKind?) {
        loop.arm(self, kind)
    }

    /// Arms the timer of a client that has to make room.
    func armWrite() {
        acknowledgedBefore = acknowledged
        arm(.write)
    }

    /// Closes at once.
    func close() {
        guard state.reading != .closed else { return }
        // A response that breaks off must not look complete (RFC 8446 §6.1).
        if let tls, !isBlocked { _ = tls.sayEnd() }
        tls = nil
        _ = on(.close)
        abandonAll()
        loop.forget(self)
        Glibc.close(fd)
    }

    /// Counts what waits for the socket against the loop's budget.
    @inline(__always)
    func countWaiting() {
        let count = output.count
        guard count != waiting else { return }
        loop.counters.waiting.add(count - waiting)
        waiting = count
    }

    /// The bytes that wait for this client.
    var stored: Int { waiting + (http2?.stored ?? 0) }

    /// Whether a response of so many bytes may wait for this client.
    func allows(_ count: Int) -> Bool { loop.allows(count, for: self) }

    /// Stops everything that works for the client, and drops what was read and what waits.
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

    /// The time is up for what this connection was waiting for.
    func timeOut(_ kind: TimerKind) {
        handle(.timer(kind, allowsInterim: allowsInterim))
    }

    /// Whether the client understands an interim response: HTTP/1.0 has none (RFC 9110 §15.2).
    private var allowsInterim: Bool { exchange.minorVersion == 1 }

    func rejectLateHead() {
        exchange = Exchange(isHead: beginsWithHEAD)
        reject(ProtocolError(408, "the head didn't come in time"))
    }

    /// Cuts off a client that hasn't made room in time, unless it has taken enough meanwhile.
    ///
    /// The kernel reports room when a good part of what the socket holds is taken, and that may be
    /// megabytes.
    func checkTaken() {
        let taken = acknowledged - acknowledgedBefore
        if taken >= loop.leastTaken { armWrite() } else { cutOff() }
    }

    /// Closes and lets nothing more go out: what the kernel still holds of the response would wait for
    /// this client for minutes.
    func cutOff() {
        dropTransmission()
        close()
    }

    /// Whether there is more of a head than the one empty line that may stand before it, which some
    /// clients send after a body (RFC 9112 §2.2).
    var hasBegunHead: Bool {
        let bytes = input.bytes
        return bytes.count > 2 || bytes.count > 0 && bytes[0] != 0x0D
    }

    /// Whether the head that has begun is that of a HEAD request, whose response has no body.
    private var beginsWithHEAD: Bool {
        var bytes = input.bytes
        if bytes.count > 2, bytes[0] == 0x0D { bytes = bytes.slice(2, bytes.count) }
        return bytes.count >= 5 && bytes.slice(0, 5).equals("HEAD ")
    }

    var headTimer: TimerKind { ConnectionState.headTimer(loop.isDraining) }

    /// Serves what has come when the server stops, and ends a connection without a request.
    func endIfIdle() {
        // A request may have come that this loop hasn't read yet.
        readable()
        guard isIdle else { return settle() }
        handle(.idle)
    }

    /// Gives its place to a new connection, unless a request has come that the loop hasn't read.
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
