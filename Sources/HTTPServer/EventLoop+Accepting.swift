import System
import Glibc
import Logging

/// The acceptance of connections.
extension EventLoop {
    /// Accepts connections from the listeners that have reported some.
    func acceptWaiting() {
        guard !readyListeners.isEmpty else { return }
        // A draining loop has already accepted its connections and closed its listeners.
        if !isDraining { for listener in readyListeners { accept(listener) } }
        readyListeners.removeAll(keepingCapacity: true)
    }

    /// Accepts up to a batch of connections; returns whether more may be waiting.
    @discardableResult
    func accept(_ listener: CInt) -> Bool {
        for index in 0..<Acceptor.batch {
            switch acceptor.accept(listener, open: connections.count) {
            case .connection(let fd, let address): add(fd, address)
            case .none: return false
            // Only the first is known to be waiting, so no idle connection is closed for the
            // others.
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

    /// Closes the connection with the longest idle time to make room for a new one.
    ///
    /// Returns false if none has been idle for `minimumIdle`.
    func reclaimIdle() -> Bool {
        let queue = timers[TimerKind.idle.rawValue]
        guard let longest = queue.first,
            longest.deadline - queue.milliseconds + configuration.minimumIdle <= clock.milliseconds
        else { return false }
        longest.yield()
        return true
    }

    /// Logs a warning at most once a minute.
    func warnExhausted(_ error: any Error) {
        guard clock.milliseconds >= warnsAt else { return }
        warnsAt = clock.milliseconds + 60_000
        logger.warning("can't accept connections: \(error)")
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
        // The poller reports the request later: the kernel usually accepts a connection before its
        // first bytes arrive.
        guard poller.add(fd, connection.polled, token: connection.token) else {
            return turnAway(fd, SystemError("epoll_ctl"))
        }
        counters.accepted.add()
        connections.insert(connection)
        arm(connection, session == nil ? .idle : .head)
        // While the server drains, each connection gets one response and then makes room for the
        // next.
        if isDraining, session == nil { connection.readable() }
    }

    /// Closes an accepted connection that can't be served.
    func turnAway(_ fd: CInt, _ error: any Error) {
        warnExhausted(error)
        counters.refused.add()
        addresses?.release(fd)
        Glibc.close(fd)
    }
}
