import CLinux
import Glibc
import HTTPSyntax

/// A client's connection: what was read of its request, what waits to be sent, what it waits for.
///
/// It belongs to its loop and is touched on the loop's thread alone. While it waits for a request
/// it owns no buffer: what is read lands in the loop's, and only what can't be used at once is
/// kept here. `@exclusivity(unchecked)`: see `EventLoop`.
final class Connection {
    enum Phase {
        /// TLS isn't established yet.
        case handshaking
        /// Between requests, or within a head that hasn't come whole.
        case awaitingHead
        /// The head is in `input`; the body is being collected behind it.
        case collectingBody(headLength: Int)
        /// The body goes to the responder's task as it comes.
        case streaming
        /// The responder promised an answer.
        case responding
        /// The answer is sent and nothing more is served; what the client still sends is dropped
        /// for a while, since closing at once would reset the connection and might take the
        /// answer from the client (RFC 9112 §9.6).
        case lingering
        /// All else is in `http2`.
        case http2
        case closed
    }

    /// What `input` waits for when a body is being collected.
    enum Collecting {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    let fd: CInt
    /// Tells this connection's events from those of an earlier one with the same descriptor.
    let generation: UInt32
    /// A strong reference, which `close` ends by leaving the loop: what is read through it needs no
    /// retain, where an unowned one took nine for each answer.
    let loop: EventLoop
    /// What is between this connection and its socket, where the server speaks TLS.
    @exclusivity(unchecked) var tls: TLSSession?

    @exclusivity(unchecked) var phase = Phase.awaitingHead
    @exclusivity(unchecked) var collecting = Collecting.length(remaining: 0)
    @exclusivity(unchecked) var bodyLimit = 0
    /// The bytes of its body that count against the loop's budget.
    @exclusivity(unchecked) var collected = 0 {
        didSet { loop.collected += collected - oldValue }
    }
    @exclusivity(unchecked) var stream: BodyStream?
    /// The task hasn't taken what the stream holds: nothing is read for now.
    @exclusivity(unchecked) var isStreamFull = false
    /// The bytes that the stream was given.
    @exclusivity(unchecked) var streamed = 0
    /// What was read and not yet used: part of a head, a collected body, or requests that wait
    /// their turn.
    @exclusivity(unchecked) var input = OwnedBytes()
    /// What the socket didn't take yet.
    @exclusivity(unchecked) var output = OwnedBytes()
    /// The answer's body, where it is made while it is sent.
    @exclusivity(unchecked) var sending: OutgoingBody?
    /// A file that follows `output`.
    @exclusivity(unchecked) var file: FileTransfer?
    /// The answer's method and version, kept while the responder works.
    @exclusivity(unchecked) var exchange = ExchangeState()
    @exclusivity(unchecked) var task: Task<Void, Never>?
    /// What there is in place of most of this, once the connection speaks HTTP/2.
    @exclusivity(unchecked) var http2: HTTP2Connection?
    /// The client has closed its side while an answer of its was being made, or sent.
    @exclusivity(unchecked) var isHungUp = false
    /// The task is being started, and runs until it first has to wait.
    @exclusivity(unchecked) var isStarting = false

    /// The answer that was written last is the last: nothing after it is served.
    @exclusivity(unchecked) var closesAfterOutput = false
    /// What the client may still be sending has to be read before the connection is closed.
    @exclusivity(unchecked) var lingersAfterOutput = false
    /// Body bytes that came since the body's timer was armed.
    @exclusivity(unchecked) var bodyProgress = 0
    /// The rest of `input` waits until the other connections have had their turn.
    @exclusivity(unchecked) var waitsForTurn = false
    @exclusivity(unchecked) var interest = EpollPoller.Interest.read
    /// There may be bytes, or the end of them, that the poller has told of.
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

    init(fd: CInt, generation: UInt32, loop: EventLoop, tls: TLSSession?) {
        self.fd = fd
        self.generation = generation
        self.loop = loop
        self.tls = tls
        if tls != nil { phase = .handshaking }
    }

    /// What epoll gives back with this connection's events.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd)) }

    /// Output waits for the socket: no further request is served until it is taken.
    var isBlocked: Bool {
        if !output.isEmpty || file != nil { return true }
        if let tls { return tls.awaitsSocket }
        return false
    }

    var isIdle: Bool {
        if case .awaitingHead = phase { return !hasBegunHead && !isBlocked }
        return false
    }

    /// Tells the poller what this connection wants to know, if that has changed or is to be told anew.
    func want(_ interest: EpollPoller.Interest) {
        guard interest != self.interest || hasUnread && interest == .read else { return }
        self.interest = interest
        hasUnread = false
        loop.poller.modify(fd, polled, token: token)
    }

    /// What the poller is asked: it tells of bytes once, and what isn't read then is `hasUnread`.
    ///
    /// A read that brings less than it may has emptied the socket (epoll(7)). What TLS leaves there isn't
    /// known, and HTTP/2 waits for room without filling it.
    var polled: EpollPoller.Interest {
        tls == nil && interest == .read ? interest.union(.once) : interest
    }

    /// Brings what the poller is asked and the timer in line with what this connection waits for.
    ///
    /// Called whenever the loop is done with it for now: one place, so that no way through the
    /// phases can leave a connection that nobody wakes, or one that wakes the loop for nothing.
    func settle() {
        if isBlocked {
            if timer != .write { armWrite() }
            return want(.write)
        }
        switch phase {
        case .handshaking: break
        case .awaitingHead:
            let kind = hasBegunHead ? headTimer : .idle
            if timer != kind { arm(kind) }
            wantInput()
        case .collectingBody:
            if timer != .body { arm(.body) }
            wantInput()
        case .streaming:
            guard isStreamFull else {
                if timer != .body { arm(.body) }
                return wantInput()
            }
            guard !isHungUp else { return settleHungUp() }
            // The task is behind: neither is the client read from nor is its time counted.
            if timer != nil { arm(nil) }
            want(.hangUp)
        case .responding:
            guard !isHungUp else { return settleHungUp() }
            let kind = sending?.heartbeat == nil ? nil : TimerKind.heartbeat
            if timer != kind { arm(kind) }
            // Asked for its end alone once the client has sent more than its request.
            if interest != .hangUp { want(.read) }
        case .lingering: want(.read)
        case .http2: settleHTTP2()
        case .closed: break
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
        if case .closed = phase { return }
        // An answer that breaks off must not look complete (RFC 8446 §6.1).
        if let tls, !isBlocked { _ = tls.sayEnd() }
        tls = nil
        phase = .closed
        endHTTP2()
        abandonStream()
        task?.cancel()
        task = nil
        abandonSending()
        file = nil
        collected = 0
        input.free()
        output.free()
        loop.forget(self)
        Glibc.close(fd)
    }

    /// The time is up for what this connection was waiting for.
    func timeOut(_ kind: TimerKind) {
        loop.counters.serving = fd
        if case .http2 = phase { return timeOutHTTP2(kind) }
        switch kind {
        case .head:
            if case .handshaking = phase { return close() }
            exchange = ExchangeState()
            exchange.isHead = beginsWithHEAD
            refuse(ProtocolError(408, "the head didn't come in time"))
        case .body: refuse(ProtocolError(408, "the body didn't come in time"))
        case .hangUp: probe()
        case .heartbeat: isHungUp ? probe() : beat()
        case .write: timeOutWrite()
        case .idle, .linger, .streams: close()
        }
    }

    /// Cuts off a client that hasn't made room in time, unless it has taken enough meanwhile.
    ///
    /// The kernel tells of room when a good part of what the socket holds is taken, and that may be
    /// megabytes.
    func timeOutWrite() {
        let taken = acknowledged - acknowledgedBefore
        if taken >= loop.leastTaken { armWrite() } else { cutOff() }
    }

    /// Closes and lets nothing more go out: what the kernel still holds of the answer would wait for
    /// this client for minutes.
    func cutOff() {
        dropTransmission()
        close()
    }

    /// Whether there is more of a head than the one empty line that may stand before it, which some
    /// clients send behind a body (RFC 9112 §2.2).
    var hasBegunHead: Bool {
        let bytes = input.bytes
        return bytes.count > 2 || bytes.count > 0 && bytes[0] != 0x0D
    }

    /// Whether the head that has begun is of a HEAD request, whose answer has no body.
    private var beginsWithHEAD: Bool {
        var bytes = input.bytes
        if bytes.count > 2, bytes[0] == 0x0D { bytes = bytes.slice(2, bytes.count) }
        return bytes.count >= 5 && bytes.slice(0, 5).equals("HEAD ")
    }

    /// What bounds a head that has begun: little when the server stops.
    var headTimer: TimerKind { loop.isDraining ? .linger : .head }

    /// The answer is of no more use to the client.
    func cancelTask() {
        task?.cancel()
        // It may wait for room, which cancelling doesn't end.
        sending?.resume(false)
    }

    /// The server stops: what is in flight completes, and nothing new is begun.
    func drain() {
        loop.counters.serving = fd
        if let http2 {
            readable()
            http2.drain()
            return writeHTTP2()
        }
        // A stream without an end of its own ends now.
        if sending?.heartbeat != nil { return cancelTask() }
        if case .handshaking = phase { return drainHandshake() }
        guard case .awaitingHead = phase, !isBlocked else { return }
        // A request may have come that this loop hasn't read yet.
        readable()
        if timer == .head { arm(.linger) }
        guard isIdle else { return }
        closesAfterOutput = true
        if !closeIfDone() { settle() }
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

/// What an answer has to know of its request.
struct ExchangeState {
    /// There was no request before.
    var isFirst = true
    var isHead = false
    var minorVersion: UInt8 = 1
    var keepsAlive = true
}

/// A file on its way to the socket.
struct FileTransfer {
    let body: FileBody
    var offset: Int
    var remaining: Int
}
