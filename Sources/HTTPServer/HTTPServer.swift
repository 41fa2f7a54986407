package import System
import Glibc
import Locking
package import Logging

/// An HTTP/1.1 and HTTP/2 server on the platform's sockets: one event loop per core.
package final class HTTPServer: Sendable {
    private let loops: [EventLoop]
    private let running: Locked<Running>

    private struct Running {
        var loops = 0
        /// The Unix socket's file, until it is removed.
        var socketPath: String?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// What each loop counts.
    package var counters: [LoopCounters] { loops.map(\.counters) }

    /// Where the server listens, with the ports that the system chose.
    package let addresses: [SocketAddress]

    /// Opens the sockets.
    ///
    /// Where `sockets` that listen already are given they are served, and `address` isn't opened.
    /// `makeResponder` is called once for each loop. With a `tls` context all connections are TLS.
    package init(
        address: SocketAddress,
        sockets handed: [FileDescriptor] = [],
        configuration: HTTPConfiguration,
        tls: TLSContext? = nil,
        logger: Logger,
        makeResponder: () -> any Responder
    ) throws {
        // A client that is gone is told by the call that writes to it, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        var configuration = configuration
        let wanted = configuration.connections
        configuration.connections = Descriptors.places(for: wanted, of: Descriptors.limit)
        // Somewhat less is no news.
        if configuration.connections < wanted / 2 {
            logger.notice(
                "\(configuration.connections) connections at a time, since there are \(Descriptors.limit) descriptors"
            )
        }
        let loopCount = max(1, configuration.loops)
        let (sockets, bound) =
            handed.isEmpty
            ? try Listener.open(address, loops: loopCount)
            : try Listener.adopt(handed, loops: loopCount)
        addresses = bound
        var state = Running()
        // The file of a socket that was handed over is its opener's.
        if handed.isEmpty, case .unix(let path) = address { state.socketPath = path }
        running = Locked(state)
        let untaken = UntakenBytes(budget: configuration.bodyBudget)
        let census = configuration.connectionsPerAddress.map(AddressCensus.init)
        do {
            loops = try sockets.map { listeners in
                try EventLoop(
                    configuration: configuration,
                    tls: tls,
                    census: census,
                    untaken: untaken,
                    listeners: listeners,
                    responder: makeResponder(),
                    logger: logger
                )
            }
        } catch {
            if handed.isEmpty, case .unix(let path) = address { unlink(path) }
            throw error
        }
    }

    /// Starts a thread for each loop.
    package func start() throws {
        // Counted first: one that ends at once must not be taken for the last.
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

    /// Takes another TLS context for the connections from now on; those before keep theirs.
    package func replaceTLS(_ context: TLSContext) {
        loops.forEach { $0.replaceTLS(context) }
    }

    /// Stops taking connections, lets the requests in flight complete and the loops end.
    package func drain() {
        // While it still listens: once it doesn't, another server may take the path over, and the
        // file is that one's.
        let path = running.withLock { running in
            defer { running.socketPath = nil }
            return running.socketPath
        }
        if let path { unlink(path) }
        loops.forEach { $0.drain() }
    }

    /// Returns when all loops have ended; at once if none was started.
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
