import System
import CLinux
import Glibc
import HTTP2
import HTTPSyntax
import Logging

/// One thread that waits for sockets and serves them: its listeners, its connections, its buffers,
/// its timers, its responder.
///
/// Nothing of it is shared with another loop, but the listener of a Unix socket, one that another
/// process has handed over, the count of each address's connections where that is bounded, and the
/// count of what waits of streamed bodies.
///
/// It is a `TaskExecutor`, so that an action's `async` code runs on the loop that read its request.
///
/// `@unchecked Sendable`: all state is touched on the loop's thread alone, but for `inbox`, which
/// has a lock, and `untaken`, an atomic. `@exclusivity(unchecked)`: what is marked so is read and
/// written in short accesses that call nobody back; checking them at run time took 40 % of a request's
/// instructions.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// Output beyond this is sent before more requests are served.
    static let outputLimit = 256 * 1024
    /// The requests of one connection that are served before the other connections' turn.
    static let turn = 64
    /// A file up to this size is read into the output, a larger one goes through `sendfile`.
    static let smallFile = 64 * 1024
    /// The most of a file that is sent in one go, so that one client doesn't hold up the others.
    static let fileChunk = 1024 * 1024

    /// How long nobody is looked for after nobody was found to make room, in milliseconds.
    private static let lookDelay = 10

    let configuration: HTTPConfiguration
    let logger: Logger
    let counters: LoopCounters
    let outputBudget: OutputBudget
    /// When a connection that makes room may be looked for again.
    private var looksAgainAt = 0
    let poller: EpollPoller
    let parser: RequestParser
    let readBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Connection.readSize)
    @exclusivity(unchecked) var output = OutputBuffer(capacity: 16 * 1024)
    let responder: any Responder
    /// What a body has to gain within its timeout.
    let leastBodyProgress: Int
    /// The bytes that a client has to take within the write timeout, unless it makes room sooner.
    let leastTaken: Int
    /// The most bytes of collected bodies: this loop's share, and one body at least.
    let bodyBudget: Int
    /// The bytes of collected bodies that this loop's connections hold.
    @exclusivity(unchecked) var collected = 0
    /// Those of streamed ones, over all loops.
    let untaken: UntakenBytes

    @exclusivity(unchecked) var isDraining = false
    @exclusivity(unchecked) var drainDeadline = Int.max
    @exclusivity(unchecked) var connections = ConnectionTable()
    var generation: UInt32 = 0
    /// When it may next be told that no connection can be taken.
    var warnsAt = 0
    @exclusivity(unchecked) var acceptor: Acceptor
    /// The listeners where connections wait, as of this turn.
    @exclusivity(unchecked) var readyListeners: [CInt] = []
    @exclusivity(unchecked) var timers: [TimerQueue]
    @exclusivity(unchecked) var clock = LoopClock()
    private let dateBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: LoopClock.dateLength)
    @exclusivity(unchecked) private var dateSecond = -1

    /// What TLS connections from now on share; nil where the server speaks plainly.
    var tls: TLSContext?
    /// Whose the connections are, where each address may have so many only.
    @exclusivity(unchecked) var addresses: AddressBook?

    let inbox: LoopInbox
    /// What the HTTP/2 sessions share; none where a sanitizer is to see each block.
    let memory = clinux_is_sanitized() ? nil : HTTP2Memory()
    /// The HTTP/2 connections that have to write before the loop sleeps.
    @exclusivity(unchecked) var unwritten: [UInt64] = []
    @exclusivity(unchecked) var jobs: [UnownedJob] = []
    @exclusivity(unchecked) var runningJobs: [UnownedJob] = []
    /// The connections that have had their turn, and have more to be served.
    @exclusivity(unchecked) private var turns: [UInt64] = []

    init(
        configuration: HTTPConfiguration,
        tls: TLSContext?,
        census: AddressCensus? = nil,
        untaken: UntakenBytes,
        listeners: [FileDescriptor],
        responder: any Responder,
        logger: Logger
    ) throws {
        self.configuration = configuration
        outputBudget = OutputBudget(limit: configuration.outputBudget / max(1, configuration.loops))
        counters = LoopCounters()
        self.tls = tls
        self.untaken = untaken
        addresses = census.map(AddressBook.init)
        self.logger = logger
        self.responder = responder
        leastBodyProgress = configuration.bodyTimeout * configuration.leastRate
        leastTaken = configuration.writeTimeout * configuration.leastRate
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

    /// The Date field's line (RFC 9110 §6.6.1), written anew when the second changes.
    @inline(__always)
    var dateLine: ByteSpan { ByteSpan(start: dateBuffer, count: LoopClock.dateLength) }

    /// The time in milliseconds as of this tick; never steps back.
    var milliseconds: Int { clock.milliseconds }

    // MARK: The loop

    /// Serves until it is drained.
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
            // What was armed meanwhile isn't due yet.
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
            // Those at hand come first, and so does what the loop is told: to stop, perhaps.
            readyListeners.append(fd)
        }
    }

    /// When something is due, in milliseconds; `Int.max` if nothing is armed.
    private var due: Int {
        timers.reduce(min(drainDeadline, acceptor.resumesAt)) { min($0, $1.due) }
    }

    /// Milliseconds until then: none if jobs wait, -1 if nothing is due ever.
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

    /// Arms a connection's timer in place of the one before; nil disarms it.
    func arm(_ connection: Connection, _ kind: TimerKind?) {
        guard let kind else { return disarm(connection) }
        let deadline = clock.milliseconds + timers[kind.rawValue].milliseconds
        // A client that asks quickly is in its place already: the clock goes in steps.
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

    /// Sends the loop's output, which is all this connection's, and what else waits there.
    func flush(_ connection: Connection) {
        // A large response's memory is freed.
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
        // One that waits for its socket is told when that takes more.
        if connection.isBlocked, connection.interest != .write { connection.sendPending() }
        guard connection.state.reading != .closed else { return }
        if connection.closeIfDone() { return }
        if connection.isIdle { arm(connection, .idle) }
        connection.settle()
    }

    /// Whether a response of so many bytes may wait for a client.
    ///
    /// Beyond the budget the connection that stores the most may be closed for it.
    func allows(_ count: Int, for connection: Connection) -> Bool {
        let own = connection.stored
        if outputBudget.allows(count, own: own, all: counters.waiting.value) { return true }
        guard outputBudget.allows(count, own: own, all: 0), clock.milliseconds >= looksAgainAt
        else {
            return false
        }
        guard let most = connections.storingMost, most !== connection,
            outputBudget.givesWay(most.stored, to: count)
        else {
            looksAgainAt = clock.milliseconds + Self.lookDelay
            return false
        }
        most.cutOff()
        return true
    }

    /// Lets a connection go on when the others have had their turn, without asking the poller.
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
