import CLinux
import Glibc
import HTTPSyntax

/// A client's connection: the socket, the buffered bytes in both directions, and its state.
///
/// The state decides, the connection performs (`perform(_:)`).
///
/// It belongs to one loop and is used only on the loop's thread. An idle connection has no buffer:
/// reads go to the loop's buffer, and only unused bytes are stored here. `@exclusivity(unchecked)`:
/// see `LoopResources`.
final class Connection: TimerEntry {
    /// The rest of the body that is being received.
    enum Collecting {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    let fd: CInt
    /// The address of the client or of a trusted proxy; nil on a Unix socket.
    ///
    /// The socket's address, or the source in the PROXY protocol's header.
    @exclusivity(unchecked) var address: IPAddress?
    /// Whether `address` is a trusted proxy's, so that each request names its client.
    @exclusivity(unchecked) var isProxied: Bool
    /// The client of the current request.
    @exclusivity(unchecked) var client: IPAddress?
    /// Whether the connection is over a Unix socket.
    let isLocal: Bool
    /// The resources of the connection's loop.
    ///
    /// It is a strong reference: reading through it needs no retain. An unowned one took nine
    /// retains for each response.
    let loop: LoopResources
    /// Whether it was accepted beyond the limit.
    let isBeyondLimit: Bool
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
        didSet { loop.counters.collected.add(collected - oldValue) }
    }
    @exclusivity(unchecked) var stream: BodyStream?
    /// The body bytes received so far.
    @exclusivity(unchecked) var received = 0
    /// Unused bytes: part of a head, a collected body, or requests that wait for their turn.
    @exclusivity(unchecked) var input = OwnedBytes()
    /// Bytes that the socket hasn't accepted yet.
    @exclusivity(unchecked) var output = OwnedBytes()
    /// The part of `output` that counts in `backlog`.
    @exclusivity(unchecked) var waiting = 0
    /// The bytes that wait for this client.
    let backlog = Backlog()
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

    /// Creates the connection of an accepted socket.
    ///
    /// `generation` distinguishes it from earlier connections with the same descriptor.
    init(
        fd: CInt,
        address: IPAddress?,
        generation: UInt32,
        loop: LoopResources,
        tls: TLSSession?,
        isBeyondLimit: Bool = false
    ) {
        self.fd = fd
        self.address = address
        client = address
        isLocal = address == nil
        isProxied = loop.configuration.trustedProxies.contains(address)
        self.loop = loop
        self.tls = tls
        self.isBeyondLimit = isBeyondLimit
        super.init(token: UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd)))
        if tls != nil { state.reading = .handshaking }
        if isProxied, loop.configuration.readsProxyHeaders { state.reading = .proxyHeader }
    }

    /// The peer of the current request.
    var peer: Peer { peer(client) }

    /// The connection's peer, with a request's client.
    @inline(__always)
    func peer(_ client: IPAddress?) -> Peer {
        Peer(
            address: client,
            socket: fd,
            session: tls,
            isLocal: isLocal,
            isReserved: isReserved
        )
    }

    /// Whether the connection is beyond the limit, and none of the others has closed since.
    private var isReserved: Bool { isBeyondLimit && loop.registry?.exceedsLimit == true }

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

    /// Whether the client hasn't begun its first request.
    var isNew: Bool {
        switch state.reading {
        case .proxyHeader, .handshaking: sent == 0
        default: sent == 0 && isIdle
        }
    }

    /// Closes at once.
    func close() {
        guard state.reading != .closed else { return }
        // A truncated response must not look complete (RFC 8446 §6.1).
        if let tls, !isBlocked { _ = tls.sendCloseNotify() }
        tls = nil
        _ = on(.close)
        abandonAll()
        arm(nil)
        loop.counters.closed.add()
        loop.registry?.remove(token)
        Glibc.close(fd)
    }

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

    /// Whether `input` has more than the one empty line that may precede a head.
    ///
    /// Some clients send one after a body (RFC 9112 §2.2).
    var hasBegunHead: Bool {
        let bytes = input.bytes
        return bytes.count > 2 || bytes.count > 0 && bytes[0] != 0x0D
    }

    /// Serves requests that have arrived when the server stops, and closes a connection between
    /// two requests.
    ///
    /// The first request of a new connection is on its way. Its client would take the closed
    /// connection for a failure, while it retries a request on a reused one (RFC 9110 §9.2.2).
    func endIfIdle() {
        // A request may have arrived that this loop hasn't read yet.
        readable()
        guard isIdle, !isNew else { return settle() }
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
