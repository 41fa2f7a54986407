import System
import CLinux
import Glibc
import HTTP2
import HTTPSyntax
import Logging

/// One thread that polls sockets and serves them: its listeners, connections, buffers, timers and
/// responder.
///
/// Loops share only the following:
///
/// - the listener of a Unix socket, or one passed by another process
/// - the connection count of each address, if it has a limit
/// - the count of waiting bytes of streamed bodies
///
/// It is a `TaskExecutor`, so that an action's `async` code runs on the loop that read its request.
///
/// `@unchecked Sendable`: all state is used on the loop's thread only, except `inbox`, which has a
/// lock, and `untaken`, an atomic.
///
/// `@exclusivity(unchecked)`: these properties have short accesses without callbacks. Checking them
/// at run time took 40 % of a request's instructions.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// The output size above which the loop sends before it serves more requests.
    static let outputLimit = 256 * 1024
    /// The most requests of one connection before the other connections are served.
    static let turn = 64
    /// The largest file that is read into the output; larger files use `sendfile`.
    static let smallFile = 64 * 1024
    /// The most bytes of a file sent in one go, so that one client doesn't delay the others.
    static let fileChunk = 1024 * 1024

    let configuration: HTTPConfiguration
    let logger: Logger
    let counters: LoopCounters
    let outputBudget: OutputBudget
    /// When the clients' progress was measured last, and that time when a search found no stalled one.
    private var measuredAt = -OutputBudget.patience
    private var searchedAt = -1
    let poller: EpollPoller
    let parser: RequestParser
    let readBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Connection.readSize)
    @exclusivity(unchecked) var output = OutputBuffer(capacity: 16 * 1024)
    let responder: any Responder
    /// The body bytes that count as progress within the body's timeout.
    let minimumBodyProgress: Int
    /// The bytes that a client has to receive within the write timeout, unless the socket becomes
    /// writable sooner.
    let minimumTaken: Int
    /// The limit of collected body bytes: this loop's share, and at least one body.
    let bodyBudget: Int
    /// The collected body bytes of this loop's connections.
    @exclusivity(unchecked) var collected = 0
    /// The waiting bytes of streamed bodies, over all loops.
    let untaken: UnreadBytes

    @exclusivity(unchecked) var isDraining = false
    @exclusivity(unchecked) var drainDeadline = Int.max
    @exclusivity(unchecked) var connections = ConnectionTable()
    var generation: UInt32 = 0
    /// When the next warning about failed accepts is allowed.
    var warnsAt = 0
    @exclusivity(unchecked) var acceptor: Acceptor
    /// The listeners with waiting connections in this turn.
    @exclusivity(unchecked) var readyListeners: [CInt] = []
    @exclusivity(unchecked) var timers: [TimerQueue]
    @exclusivity(unchecked) var clock = LoopClock()
    private let dateBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: LoopClock.dateLength)
    @exclusivity(unchecked) private var dateSecond = -1

    /// The TLS context of new connections; nil for a plain server.
    var tls: TLSContext?
    /// The addresses of the connections; nil if an address has no connection limit.
    @exclusivity(unchecked) var addresses: ConnectionAddresses?

    let inbox: LoopInbox
    /// The memory pool of the HTTP/2 sessions; nil under a sanitizer, which has to see each block.
    let memory = clinux_is_sanitized() ? nil : HTTP2Memory()
    /// The HTTP/2 connections to write before the loop sleeps.
    @exclusivity(unchecked) var unwritten: [UInt64] = []
    @exclusivity(unchecked) var jobs: [UnownedJob] = []
    @exclusivity(unchecked) var runningJobs: [UnownedJob] = []
    /// The connections that have used their share of a turn and have more to serve.
    @exclusivity(unchecked) private var turns: [UInt64] = []

    init(
        configuration: HTTPConfiguration,
        tls: TLSContext?,
        census: AddressCounts? = nil,
        untaken: UnreadBytes,
        listeners: [FileDescriptor],
        responder: any Responder,
        logger: Logger
    ) throws {
        self.configuration = configuration
        outputBudget = OutputBudget(limit: configuration.outputBudget / max(1, configuration.loops))
        counters = LoopCounters()
        self.tls = tls
        self.untaken = untaken
        addresses = census.map(ConnectionAddresses.init)
        self.logger = logger
        self.responder = responder
        minimumBodyProgress = configuration.bodyTimeout * configuration.minimumRate
        minimumTaken = configuration.writeTimeout * configuration.minimumRate
        bodyBudget = max(
            configuration.bodyBudget / max(1, configuration.loops),
            responder.bodyLimit
        )
        poller = try EpollPoller()
        parser = RequestParser(limits: configuration.head, scheme: tls == nil ? .http : .https)
        inbox = try LoopInbox()
        acceptor = Acceptor(
            listeners: listeners,
            limit: max(1, configuration.connections / max(1, configuration.loops))
        )
        timers = TimerKind.allCases.map { TimerQueue(milliseconds: configuration.timeout($0)) }
        guard poller.add(inbox.descriptor, .read, token: LoopInbox.token) else {
            throw SystemError("epoll_ctl")
        }
        if let refusal = acceptor.resume(poller, now: clock.milliseconds) { throw refusal }
        responder.attach(counters)
    }

    deinit {
        readBuffer.deallocate()
        dateBuffer.deallocate()
    }

    /// The Date field's line (RFC 9110 §6.6.1), updated each second.
    @inline(__always)
    var dateLine: ByteSpan { ByteSpan(start: dateBuffer, count: LoopClock.dateLength) }

    /// The monotonic time of this tick, in milliseconds.
    var milliseconds: Int { clock.milliseconds }

    // MARK: The loop

    /// Serves until the loop is drained.
    func run() {
        inbox.open(pthread_self())
        counters.begin()
        tick()
        while !(isDraining && connections.count == 0) {
            let due = due
            let count = poller.wait(milliseconds: timeout(due))
            counters.turns.add()
            tick()
            for index in 0..<count {
                let (token, readiness) = poller.event(index)
                dispatch(token, readiness)
            }
            takeInbox()
            acceptWaiting()
            runJobs()
            runTurns()
            writeQueued()
            // Timers armed in this turn aren't due yet.
            if due <= clock.milliseconds { expire() }
        }
        acceptor.close(poller)
        for job in inbox.close() + jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    private func tick() {
        clock.update()
        guard clock.seconds != dateSecond else { return }
        dateSecond = clock.seconds
        clock.writeDateLine(to: dateBuffer)
    }

    @inline(__always)
    private func dispatch(_ token: UInt64, _ readiness: EpollPoller.Readiness) {
        let fd = CInt(truncatingIfNeeded: token)
        let generation = UInt32(truncatingIfNeeded: token >> 32)
        if let connection = connections[fd], connection.generation == generation {
            if readiness.isReadable {
                return connection.readable(hungUp: readiness.isHungUp)
            }
            if readiness.isBroken { return connection.close() }
            if readiness.isWritable { connection.handle(.writable) }
        } else if token == LoopInbox.token {
            inbox.acknowledge()
        } else if generation == 0 {
            // Open connections come first, and so do messages, which may stop the loop.
            readyListeners.append(fd)
        }
    }

    /// The time of the next timer, in milliseconds; `Int.max` if none is armed.
    private var due: Int {
        timers.reduce(min(drainDeadline, acceptor.resumesAt)) { min($0, $1.due) }
    }

    /// The milliseconds until `due`: 0 if jobs wait, -1 for no limit.
    private func timeout(_ due: Int) -> CInt {
        guard jobs.isEmpty, turns.isEmpty, unwritten.isEmpty else { return 0 }
        guard due < Int.max else { return -1 }
        return CInt(clamping: max(0, due - clock.milliseconds + 1))
    }

    private func expire() {
        for kind in TimerKind.allCases {
            while let first = timers[kind.rawValue].first, first.deadline <= clock.milliseconds {
                arm(first, nil)
                first.timeOut(kind)
            }
        }
        if acceptor.resumesAt <= clock.milliseconds {
            if let refusal = acceptor.resume(poller, now: clock.milliseconds) {
                warnExhausted(refusal)
            }
        }
        if drainDeadline <= clock.milliseconds { connections.all.forEach { $0.close() } }
    }

    // MARK: Connections

    func forget(_ connection: Connection) {
        counters.closed.add()
        addresses?.release(connection.fd)
        arm(connection, nil)
        connections.remove(connection)
    }

    /// Arms a connection's timer in place of the current one; nil disarms it.
    func arm(_ connection: Connection, _ kind: TimerKind?) {
        guard let kind else { return disarm(connection) }
        let deadline = clock.milliseconds + timers[kind.rawValue].milliseconds
        // The clock is coarse, so the deadline of quick requests often stays the same.
        if connection.timer == kind, connection.deadline == deadline { return }
        disarm(connection)
        connection.timer = kind
        connection.deadline = deadline
        timers[kind.rawValue].append(connection)
    }

    private func disarm(_ connection: Connection) {
        guard let kind = connection.timer else { return }
        timers[kind.rawValue].remove(connection)
        connection.timer = nil
    }

    /// Sends the loop's output, which is all from this connection, and the connection's own.
    func flush(_ connection: Connection) {
        // Releases the memory of a large response.
        defer { output.removeAll(keepingCapacity: Self.outputLimit) }
        guard connection.state.reading != .closed else { return }
        if connection.output.isEmpty, !output.isEmpty {
            let sent = connection.transmit(output.bytes, more: connection.sendsMore)
            if sent > 0 {
                output.consume(sent)
            } else if sent < 0, errno != EAGAIN, errno != EINTR {
                return connection.close()
            }
        }
        if !output.isEmpty {
            connection.output.append(from: &output)
            connection.countWaiting()
        }
        // With a write interest the poller reports when the socket accepts more.
        if connection.isBlocked, connection.interest != .write { connection.sendPending() }
        guard connection.state.reading != .closed else { return }
        if connection.closeIfDone() { return }
        if connection.isIdle { arm(connection, .idle) }
        connection.settle()
    }

    /// Whether a response of `count` bytes may be stored for a client.
    ///
    /// Above the limit, stalled clients' connections are closed to make room.
    func allows(_ count: Int, for connection: Connection) -> Bool {
        let own = connection.stored
        if outputBudget.allows(count, own: own, all: counters.waiting.value) { return true }
        guard outputBudget.allows(count, own: own, all: 0), makeRoom(beside: connection) else {
            return false
        }
        return outputBudget.allows(count, own: own, all: counters.waiting.value)
    }

    /// Measures the progress of clients for which bytes wait, at most once a second.
    func measureProgress() {
        guard clock.milliseconds - measuredAt >= OutputBudget.patience else { return }
        measuredAt = clock.milliseconds
        for connection in connections.all where connection.stored > 0 {
            connection.measureProgress()
        }
    }

    /// Closes the connections of stalled clients until the budget has room.
    ///
    /// The one that stores the most goes first. Returns whether one was closed.
    private func makeRoom(beside connection: Connection) -> Bool {
        measureProgress()
        // A search without a result isn't repeated until progress is measured again.
        guard searchedAt != measuredAt else { return false }
        let stalled = connections.all.filter { $0.hasStalled && $0.stored > 0 && $0 !== connection }
            .sorted { $0.stored > $1.stored }
        if stalled.isEmpty { searchedAt = measuredAt }
        for connection in stalled where counters.waiting.value >= outputBudget.limit / 2 {
            connection.cutOff()
        }
        return !stalled.isEmpty
    }

    /// Schedules a connection to continue after the others, without the poller.
    func queueTurn(_ connection: Connection) {
        turns.append(connection.token)
    }

    private func runTurns() {
        guard !turns.isEmpty else { return }
        var tokens: [UInt64] = []
        swap(&tokens, &turns)
        for token in tokens { connection(token)?.takeTurn() }
    }

    func connection(_ token: UInt64) -> Connection? {
        guard let connection = connections[CInt(truncatingIfNeeded: token)] else { return nil }
        return connection.token == token ? connection : nil
    }
}
