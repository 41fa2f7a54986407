import HTTPSyntax
import Logging

/// The connections, as the code of their exchanges uses them.
extension EventLoop: ConnectionRegistry {
    var exceedsLimit: Bool { connections.count > acceptor.limit }

    func complete(_ exchange: ExchangeID, _ response: Response) -> OutgoingBody? {
        guard let connection = connections[exchange.connection] else { return nil }
        guard let stream = exchange.stream else { return connection.complete(response) }
        return connection.http2?.complete(stream, response)
    }

    func remove(_ token: UInt64) {
        guard let connection = connections[token] else { return }
        addresses?.release(connection.fd)
        if !newcomers.isEmpty { countNewcomer(connection) }
        connections.remove(connection)
    }

    func admit(_ fd: CInt, _ client: IPAddress) -> Bool {
        guard addresses?.admit(fd, client) ?? true else {
            resources.counters.refused.add()
            warn(
                """
                closed connections from \(client), which has its limit. If it is a proxy, make it \
                a trusted one; else raise the limit of connections per address.
                """
            )
            return false
        }
        return true
    }

    func warn(_ message: @autoclosure () -> String) {
        guard resources.milliseconds >= warnsAt else { return }
        warnsAt = resources.milliseconds + 60_000
        resources.logger.warning("\(message())")
    }

    func measureProgress() {
        let now = resources.milliseconds
        guard now - measuredAt >= OutputBudget.patience else { return }
        measuredAt = now
        for connection in connections.all where connection.backlog.stored > 0 {
            connection.measureProgress()
        }
    }

    /// The client that stores the most goes first.
    func makeRoom(beside backlog: Backlog) -> Bool {
        measureProgress()
        // A search without a result isn't repeated until progress is measured again.
        guard searchedAt != measuredAt else { return false }
        let stalled = connections.all
            .filter {
                $0.backlog.hasStalled && $0.backlog.stored > 0 && $0.backlog !== backlog
            }
            .sorted { $0.backlog.stored > $1.backlog.stored }
        if stalled.isEmpty { searchedAt = measuredAt }
        let low = resources.outputBudget.limit / 2
        for connection in stalled where resources.counters.waiting.value >= low {
            connection.cutOff()
        }
        return !stalled.isEmpty
    }
}
