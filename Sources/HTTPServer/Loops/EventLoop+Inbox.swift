import System

/// Messages from other threads.
extension EventLoop {
    /// Starts to drain: no new connections, and one last response on each.
    ///
    /// Callable from any thread.
    func drain() {
        _ = resources.inbox.post(.drain)
    }

    /// Uses another TLS context for new connections.
    ///
    /// Callable from any thread.
    func replaceTLS(_ context: TLSContext) {
        _ = resources.inbox.post(.replaceTLS(context))
    }

    func takeInbox() {
        resources.inbox.take { message in
            switch message {
            case .job(let job): resources.executor.add(job)
            case .drain: beginDraining()
            case .replaceTLS(let context): take(context)
            case .resumeUpload(let exchange):
                let connection = connections[exchange.connection]
                if let stream = exchange.stream {
                    connection?.http2?.resumeUpload(stream)
                } else {
                    connection?.handle(.drained)
                }
            }
        }
    }

    private func beginDraining() {
        guard !resources.isDraining else { return }
        resources.isDraining = true
        drainDeadline = resources.milliseconds + resources.configuration.drainTimeout * 1000
        // Connections in the kernel's queue are served once, since closing the listener would reset
        // them.
        for listener in acceptor.listeners { while accept(listener.raw) {} }
        acceptor.close(resources.poller)
        connections.all.forEach { $0.handle(.drain) }
        resources.counters.drained.add(unfinished)
    }

    /// The number of connections that still have a request, or the last part of a response.
    private var unfinished: Int { connections.all.count { $0.state.reading != .lingering } }

    /// Closes all connections at the end of the drain.
    func cut() {
        resources.counters.cut.add(unfinished)
        connections.all.forEach { $0.close() }
    }
}
