package import System
import Glibc
import Locking
package import Logging

/// An HTTP/1.1 and HTTP/2 server on the platform's sockets, with one event loop per core.
package final class HTTPServer: Sendable {
    private let loops: [EventLoop]
    private let running: Locked<Running>

    private struct Running {
        var loops = 0
        /// The path of the Unix socket, until its file is removed.
        var socketPath: String?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The counters of each loop.
    package var counters: [LoopCounters] { loops.map(\.resources.counters) }

    /// The addresses on which the server listens, with the ports that the system chose.
    package let addresses: [SocketAddress]

    /// Opens the sockets.
    ///
    /// - With `sockets`, which already listen, the server uses those instead of `address`.
    /// - `makeResponder` is called once for each loop, with the addresses of the open sockets.
    /// - With a `tls` context all connections use TLS.
    package init(
        address: SocketAddress,
        sockets handed: [FileDescriptor] = [],
        configuration: HTTPConfiguration,
        tls: TLSContext? = nil,
        logger: Logger,
        makeResponder: ([SocketAddress]) -> any Responder
    ) throws {
        // Report a disconnected client as a write error, not as a signal.
        signal(SIGPIPE, SIG_IGN)
        var configuration = configuration
        let wanted = configuration.connections
        configuration.connections = Descriptors.places(for: wanted, of: Descriptors.limit)
        // A slightly lower limit needs no log message.
        if configuration.connections < wanted / 2 {
            logger.notice(
                "connection limit \(configuration.connections): only \(Descriptors.limit) descriptors available"
            )
        }
        let loopCount = max(1, configuration.loops)
        let (sockets, bound) =
            handed.isEmpty
            ? try Listener.open(address, loops: loopCount, mode: configuration.socketMode)
            : try Listener.adopt(handed, loops: loopCount)
        addresses = bound
        var state = Running()
        // The process that opened an inherited socket owns its file.
        if handed.isEmpty, case .unix(let path) = address { state.socketPath = path }
        running = Locked(state)
        let untaken = UnreadBytes(budget: configuration.bodyBudget)
        let census = configuration.connectionsPerAddress.map {
            AddressCounts(limit: $0, exemptsLoopback: configuration.exemptsLoopback)
        }
        do {
            loops = try sockets.map { listeners in
                try EventLoop(
                    configuration: configuration,
                    tls: tls,
                    census: census,
                    untaken: untaken,
                    listeners: listeners,
                    responder: makeResponder(bound),
                    logger: logger
                )
            }
        } catch {
            if handed.isEmpty, case .unix(let path) = address { unlink(path) }
            throw error
        }
    }

    /// Opens the sockets for responders that don't depend on the addresses.
    package convenience init(
        address: SocketAddress,
        sockets handed: [FileDescriptor] = [],
        configuration: HTTPConfiguration,
        tls: TLSContext? = nil,
        logger: Logger,
        makeResponder: () -> any Responder
    ) throws {
        try self.init(
            address: address,
            sockets: handed,
            configuration: configuration,
            tls: tls,
            logger: logger
        ) { (_: [SocketAddress]) in makeResponder() }
    }

    /// Starts a thread for each loop.
    package func start() throws {
        // All loops are counted first, so that one that ends at once isn't mistaken for the last.
        running.withLock { $0.loops = loops.count }
        for (index, loop) in loops.enumerated() {
            do {
                try Thread.start {
                    loop.run()
                    self.loopsEnded(1)
                }
            } catch {
                drain()
                loopsEnded(loops.count - index)
                throw error
            }
        }
    }

    /// Uses another TLS context for new connections; open connections keep theirs.
    package func replaceTLS(_ context: TLSContext) {
        loops.forEach { $0.replaceTLS(context) }
    }

    /// Stops accepting connections; open requests complete, then the loops end.
    package func drain() {
        // The file is removed while the server still listens. Afterwards another server may have
        // created its own at the same path.
        let path = running.withLock { running in
            defer { running.socketPath = nil }
            return running.socketPath
        }
        if let path { unlink(path) }
        loops.forEach { $0.drain() }
    }

    /// Waits until all loops have ended; returns at once if none was started.
    package func waitUntilStopped() async {
        await withCheckedContinuation { continuation in
            let isStopped = running.withLock { running in
                if running.loops > 0 { running.waiting.append(continuation) }
                return running.loops == 0
            }
            if isStopped { continuation.resume() }
        }
    }

    private func loopsEnded(_ count: Int) {
        let waiting = running.withLock { running -> [CheckedContinuation<Void, Never>]? in
            running.loops -= count
            return running.loops == 0 ? running.waiting : nil
        }
        waiting?.forEach { $0.resume() }
    }
}
