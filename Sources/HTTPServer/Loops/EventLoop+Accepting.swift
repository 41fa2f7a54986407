import System
import Glibc
import HTTPSyntax
import Logging

/// The acceptance of connections.
extension EventLoop {
    /// Accepts connections from the listeners that have reported some.
    func acceptWaiting() {
        guard !readyListeners.isEmpty else { return }
        // A draining loop has already accepted its connections and closed its listeners.
        if !resources.isDraining { for listener in readyListeners { accept(listener) } }
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
                pauseAccepting()
                return false
            // An idle connection is closed soon for this one. Otherwise all are busy.
            case .full where !hasIdle && acceptReserved(listener): continue
            case .full:
                pauseAccepting()
                return false
            }
        }
        return true
    }

    /// Accepts a connection beyond the limit; returns false if none is reserved or waiting.
    private func acceptReserved(_ listener: CInt) -> Bool {
        let outcome = acceptor.accept(
            listener,
            open: connections.count,
            reserved: resources.configuration.reservedConnections
        )
        guard case .connection(let fd, let address) = outcome else { return false }
        add(fd, address, isBeyondLimit: true)
        return true
    }

    /// Closes the connection with the longest idle time to make room for a new one.
    ///
    /// Returns false if none has been idle for `minimumIdle`.
    func reclaimIdle() -> Bool {
        let time = resources.milliseconds - resources.configuration.minimumIdle
        guard let oldest = resources.timers.oldest(.idle, armedBy: time) else { return false }
        connections[oldest.token]?.yield()
        return true
    }

    private var hasIdle: Bool {
        resources.timers.oldest(.idle, armedBy: resources.milliseconds) != nil
    }

    private func pauseAccepting() {
        acceptor.pause(
            resources.poller,
            until: resources.milliseconds + Acceptor.pauseMilliseconds
        )
    }

    func warnExhausted(_ error: any Error) { warn("can't accept connections: \(error)") }

    func add(_ fd: CInt, _ address: IPAddress?, isBeyondLimit: Bool = false) {
        // All clients of a proxy share its address.
        if let address, !resources.configuration.trustedProxies.contains(address),
            !admit(fd, address)
        {
            Glibc.close(fd)
            return
        }
        generation = generation == .max ? 1 : generation + 1
        var session: TLSSession?
        do throws(TLSError) {
            if let tls = resources.tls { session = try TLSSession(on: fd, of: tls) }
        } catch {
            return reject(fd, error)
        }
        let connection = Connection(
            fd: fd,
            address: address,
            generation: generation,
            loop: resources,
            tls: session,
            isBeyondLimit: isBeyondLimit
        )
        // The poller reports the request later: the kernel usually accepts a connection before its
        // first bytes arrive.
        guard resources.poller.add(fd, connection.polled, token: connection.token) else {
            return reject(fd, SystemError("epoll_ctl"))
        }
        resources.counters.accepted.add()
        connections.insert(connection)
        connection.arm(connection.state.reading == .head ? .idle : .head)
        // While the server drains, each connection gets one response and then makes room for the
        // next.
        if resources.isDraining, session == nil { connection.readable() }
    }

    /// Closes an accepted connection that can't be served.
    func reject(_ fd: CInt, _ error: any Error) {
        warnExhausted(error)
        resources.counters.refused.add()
        addresses?.release(fd)
        Glibc.close(fd)
    }
}
