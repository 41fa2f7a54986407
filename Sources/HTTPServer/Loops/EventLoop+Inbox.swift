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
        newcomers = Set(connections.all.filter(\.isNew).map(\.token))
        resources.counters.drained.add(connections.all.count(where: isUnfinished))
    }

    /// Whether a connection still has a request, or the last part of a response.
    private func isUnfinished(_ connection: Connection) -> Bool {
        connection.state.reading != .lingering && !connection.isNew
    }

    /// Counts a closing connection that was new when the drain began, if it has had a response.
    func countNewcomer(_ connection: Connection) {
        guard newcomers.remove(connection.token) != nil, connection.sent > 0 else { return }
        resources.counters.drained.add()
    }

    /// Closes all connections at the end of the drain.
    func cut() {
        for connection in connections.all {
            if isUnfinished(connection) {
                resources.counters.cut.add()
                if newcomers.remove(connection.token) != nil { resources.counters.drained.add() }
            }
            connection.close()
        }
    }
}
