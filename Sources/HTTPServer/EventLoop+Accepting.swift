import System
import Glibc
import Logging

/// How a loop takes connections.
extension EventLoop {
    /// Takes connections of the listeners where some wait.
    func acceptWaiting() {
        guard !readyListeners.isEmpty else { return }
        // Those of a loop that stops are taken and closed by now.
        if !isDraining { for listener in readyListeners { accept(listener) } }
        readyListeners.removeAll(keepingCapacity: true)
    }

    /// Takes connections, a batch at most; tells whether more may wait.
    @discardableResult
    func accept(_ listener: CInt) -> Bool {
        for index in 0..<Acceptor.batch {
            switch acceptor.accept(listener, open: connections.count) {
            case .connection(let fd, let address): add(fd, address)
            case .none: return false
            // Only the first is known to wait: no idle connection is ended for nobody.
            case .full where index > 0, .exhausted where index > 0: return false
            case .full where reclaimIdle(), .exhausted where reclaimIdle(): continue
            case .exhausted(let error):
                warnExhausted(error)
                acceptor.pause(poller, until: clock.milliseconds + Acceptor.pauseMilliseconds)
                return false
            case .full:
                acceptor.pause(poller, until: clock.milliseconds + Acceptor.pauseMilliseconds)
                return false
            }
        }
        return true
    }

    /// Ends the connection that has been idle the longest, so that a new one finds a place.
    ///
    /// False if none has been idle for long enough.
    func reclaimIdle() -> Bool {
        let queue = timers[TimerKind.idle.rawValue]
        guard let longest = queue.first,
            longest.deadline - queue.milliseconds + configuration.leastIdle <= clock.milliseconds
        else { return false }
        longest.yield()
        return true
    }

    /// Told once a minute, not each time that the listeners are tried again.
    func warnExhausted(_ error: any Error) {
        guard clock.milliseconds >= warnsAt else { return }
        warnsAt = clock.milliseconds + 60_000
        logger.warning("no further connections for now: \(error)")
    }

    func add(_ fd: CInt, _ address: PeerAddress?) {
        guard addresses?.admit(fd, address) ?? true else {
            counters.refused.add()
            Glibc.close(fd)
            return
        }
        generation = generation == .max ? 1 : generation + 1
        let session: TLSSession?
        do throws(TLSError) {
            session = try tls?.session(on: fd)
        } catch {
            return turnAway(fd, error)
        }
        let connection = Connection(
            fd: fd,
            address: address,
            generation: generation,
            loop: self,
            tls: session
        )
        // Most often its request isn't there yet: the kernel tells of a connection before its first bytes.
        guard poller.add(fd, connection.polled, token: connection.token) else {
            return turnAway(fd, SystemError("epoll_ctl"))
        }
        counters.accepted.add()
        connections.insert(connection)
        arm(connection, session == nil ? .idle : .head)
        // Nobody is told to come later: who is answered and closed gives its place to the next one.
        if isDraining, session == nil { connection.readable() }
    }

    /// Closes what was accepted and can't be served.
    func turnAway(_ fd: CInt, _ error: any Error) {
        warnExhausted(error)
        counters.refused.add()
        addresses?.release(fd)
        Glibc.close(fd)
    }
}
