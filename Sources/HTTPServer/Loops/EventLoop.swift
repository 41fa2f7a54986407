import System
import Glibc
import HTTPSyntax
import Logging

/// One thread that polls sockets and serves them: its listeners, its connections and the resources
/// that they share.
///
/// `@unchecked Sendable`: all state is used on the loop's thread only. Other threads use the
/// resources' inbox and counters.
///
/// `@exclusivity(unchecked)`: see `LoopResources`.
final class EventLoop: @unchecked Sendable {
    let resources: LoopResources
    @exclusivity(unchecked) var connections = ConnectionTable()
    /// The number of the last connection; never 0, which marks a listener's token.
    var generation: UInt32 = 0
    @exclusivity(unchecked) var acceptor: Acceptor
    /// The listeners with waiting connections in this turn.
    @exclusivity(unchecked) var readyListeners: [CInt] = []
    /// When the next warning about connections is allowed.
    var warnsAt = 0
    /// The addresses of the connections; nil if an address has no connection limit.
    @exclusivity(unchecked) var addresses: ConnectionAddresses?
    /// The end of the drain, in the loop's milliseconds.
    @exclusivity(unchecked) var drainDeadline = Int.max
    /// The connections that had no request yet when the drain began.
    @exclusivity(unchecked) var newcomers: Set<UInt64> = []
    /// When the clients' progress was measured last, and that time when a search found no stalled
    /// one.
    var measuredAt = -OutputBudget.patience
    var searchedAt = -1

    init(
        configuration: HTTPConfiguration,
        tls: TLSContext?,
        census: AddressCounts? = nil,
        untaken: UnreadBytes,
        listeners: [FileDescriptor],
        responder: any Responder,
        logger: Logger
    ) throws {
        resources = try LoopResources(
            configuration: configuration,
            scheme: tls == nil ? .http : .https,
            untaken: untaken,
            responder: responder,
            logger: logger
        )
        resources.tls = tls
        addresses = census.map(ConnectionAddresses.init)
        acceptor = Acceptor(
            listeners: listeners,
            limit: resources.counters.limits.connections
        )
        let refusal = acceptor.resume(resources.poller, now: resources.milliseconds)
        if let refusal { throw refusal }
        responder.attach(resources.counters)
    }

    /// Serves until the loop is drained.
    func run() {
        let resources = resources
        resources.registry = self
        resources.inbox.open(pthread_self())
        resources.counters.begin()
        resources.tick()
        while !(resources.isDraining && connections.count == 0) {
            let due = due
            let count = resources.poller.wait(milliseconds: timeout(due))
            resources.counters.turns.add()
            resources.tick()
            closeExpired()
            for index in 0..<count {
                let (token, readiness) = resources.poller.event(index)
                dispatch(token, readiness)
            }
            takeInbox()
            acceptWaiting()
            resources.executor.run()
            runTurns()
            writeQueued()
            // Timers armed in this turn aren't due yet.
            if due <= resources.milliseconds { expire() }
        }
        acceptor.close(resources.poller)
        resources.registry = nil
        resources.executor.close()
    }

    @inline(__always)
    private func dispatch(_ token: UInt64, _ readiness: EpollPoller.Readiness) {
        if let connection = connections[token] {
            if readiness.isReadable {
                return connection.readable(hungUp: readiness.isHungUp)
            }
            if readiness.isBroken { return connection.close() }
            if readiness.isWritable { connection.handle(.writable) }
        } else if token == LoopInbox.token {
            resources.inbox.acknowledge()
        } else if token >> 32 == 0 {
            // Open connections come first, and so do messages, which may stop the loop.
            readyListeners.append(CInt(truncatingIfNeeded: token))
        }
    }

    /// The time of the next timer, in milliseconds; `Int.max` if none is armed.
    private var due: Int { min(resources.timers.due, drainDeadline, acceptor.resumesAt, trustDue) }

    /// The milliseconds until `due`: 0 if work waits, -1 for no limit.
    private func timeout(_ due: Int) -> CInt {
        guard !resources.executor.hasJobs, resources.turns.isEmpty, resources.unwritten.isEmpty
        else { return 0 }
        guard due < Int.max else { return -1 }
        return CInt(clamping: max(0, due - resources.milliseconds + 1))
    }

    private func expire() {
        let now = resources.milliseconds
        for kind in TimerKind.allCases {
            while let first = resources.timers.takeExpired(kind, now: now) {
                connections[first.token]?.timeOut(kind)
            }
        }
        if acceptor.resumesAt <= now, let refusal = acceptor.resume(resources.poller, now: now) {
            warnExhausted(refusal)
        }
        if drainDeadline <= now { cut() }
    }

    /// Continues the connections that have used their share of a turn.
    private func runTurns() {
        guard !resources.turns.isEmpty else { return }
        var tokens: [UInt64] = []
        swap(&tokens, &resources.turns)
        for token in tokens { connections[token]?.takeTurn() }
    }

    /// Writes the output of HTTP/2 connections whose tasks have made some.
    private func writeQueued() {
        guard !resources.unwritten.isEmpty else { return }
        var tokens: [UInt64] = []
        swap(&tokens, &resources.unwritten)
        for token in tokens {
            guard let connection = connections[token], let http2 = connection.http2 else {
                continue
            }
            http2.isQueued = false
            connection.writeHTTP2()
        }
    }
}
