import BehaviorStore
import CoreMetrics
package import HTTPServer
import Identity
import Locking
import Logging
import ServiceLifecycle
import System
import Telemetry
import UnixSignals

/// A server whose sockets are open.
package struct RunningServer: Service {
    /// The description that it was started from.
    let server: Server
    package let parts: ServerParts
    /// The sockets and loops of the public address.
    package let http: HTTPServer
    /// The operations port; nil without one.
    ///
    /// It responds until the server has drained.
    package let operations: HTTPServer?
    /// The lock on the audit head, until the server has stopped; nil without a head.
    let auditLock: FileLock.Held?

    package var addresses: [SocketAddress] { http.addresses }

    /// The URLs of its public sockets.
    package var urls: [String] {
        addresses.map { $0.description(scheme: parts.tls == nil ? "http" : "https") }
    }

    /// The URLs of its operations port.
    package var operationsURLs: [String] { operations?.addresses.map(\.description) ?? [] }

    /// The development certificate's SHA-256 fingerprint; nil with another certificate.
    package var developmentFingerprint: String? {
        server.configuration.tls?.identities == [.development]
            ? parts.tls?.context.fingerprint : nil
    }

    /// Serves until the server has stopped.
    ///
    /// - Throws: the error of the preparation, which ends the server.
    package func run() async throws {
        let signals =
            server.configuration.handlesSignals
            ? await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigusr1) : nil
        if signals != nil, EarlySignals.hasStopArrived { stop("a signal") }
        let failure = Locked<(any Error)?>(nil)
        let auditHeads = auditHeadWriter
        await withTaskGroup { group in
            group.addTask {
                do {
                    try await prepare()
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            watch(&group)
            if let signals { group.addTask { await handle(signals) } }
            group.addTask { await auditHeads?.run() }
            await withTaskCancellationHandler {
                await withGracefulShutdownHandler {
                    await http.waitUntilStopped()
                } onGracefulShutdown: {
                    stop("a shutdown of the service group")
                }
            } onCancel: {
                stop("a cancellation", delays: false)
            }
            await endOperations()
            group.cancelAll()
        }
        // No task changes the audits after the group, so their last rows are final.
        await auditHeads?.finish()
        auditLock?.release()
        server.configuration.accessLog?.flush()
        server.logger.notice("\(ending)")
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// The time after a signal in which another one is a repetition.
    ///
    /// A terminal and a supervisor may both send one when they stop a group of processes.
    private static let repetition = Duration.milliseconds(500)

    /// Logs the reason and drains after the delay, or at once if the server already stops.
    ///
    /// The caller of a cancelled task waits for its end, so that has no delay.
    private func stop(_ reason: String, delays: Bool = true) {
        if let elapsed = parts.readiness.markStopping() {
            if !delays || elapsed > Self.repetition { drain() }
            return
        }
        let delay = delays ? max(0, server.configuration.drainDelay) : 0
        let accepting =
            delay > 0 ? "/readyz is 503, and connections are accepted for \(delay) s; then " : ""
        let timeout = server.configuration.drainTimeout
        server.logger.notice(
            "stopping after \(reason): \(accepting)requests in flight have \(timeout) s to complete"
        )
        guard delay > 0 else { return drain() }
        Systemd.notify(.stopping)
        Task {
            try? await Task.sleep(for: .seconds(delay))
            drain()
        }
    }

    /// The last line of the log.
    private var ending: String {
        let counters = http.counters
        let drained = counters.reduce(0) { $0 + $1.drained.value }
        let cut = counters.reduce(0) { $0 + $1.cut.value }
        guard drained > 0 else { return "Plugboard has stopped: no request was in flight" }
        return "Plugboard has stopped. Connections with requests in flight: "
            + "\(drained - cut) completed, \(cut) cut"
    }

    /// Stops accepting connections and completes the requests in flight.
    package func drain() {
        parts.readiness.markStopping()
        Systemd.notify(.stopping)
        http.drain()
    }

    /// Closes the operations port, which reports the draining to its end.
    package func endOperations() async {
        operations?.drain()
        await operations?.waitUntilStopped()
    }

    /// Follows changes of files and stores, and forwards metrics.
    private func watch(_ group: inout TaskGroup<Void>) {
        group.addTask { await parts.metrics.forward(to: MetricsSystem.factory) }
        group.addTask { await parts.behaviors?.watch() }
        group.addTask { await parts.files?.watch() }
        if let authored = parts.authored { group.addTask { await authored.run() } }
        if let follower = parts.follower { group.addTask { await follower.run() } }
        for verifier in parts.verifiers { group.addTask { await verifier.watch() } }
        if let plugs = parts.plugs { group.addTask { await plugs.watch() } }
        if let tls = parts.tls { group.addTask { await tls.watch(http.replaceTLS) } }
    }

    /// Runs the preparation, then reports that the server is ready, unless it already drains.
    private func prepare() async throws {
        do {
            if let administration = parts.administration {
                await server.storeScopes(in: administration)
            }
            for verifier in parts.verifiers { try await verifier.begin() }
            try await server.preparation?()
        } catch  where Task.isCancelled {
            // A signal stopped the server before it was ready.
            return
        } catch let error as KeySource.Failure {
            drain()
            throw StartError(problems: [error.description], isUnavailable: true)
        } catch {
            drain()
            throw error
        }
        // Builds the routes, unless a request already has.
        _ = parts.routes.value
        guard parts.readiness.begin() else { return }
        if server.configuration.handlesSignals { printSignInLink() }
        if let onStart = server.onStart {
            onStart(self)
        } else if server.configuration.handlesSignals {
            Banner.print(self, of: server)
        }
        // A `Type=notify` service of systemd waits for this.
        if !Systemd.notify(.ready) { server.logger.warning("NOTIFY_SOCKET is unreachable") }
    }

    /// Drains on SIGTERM and SIGINT.
    ///
    /// SIGHUP reloads the certificate's files, even if unchanged. SIGUSR1 prints a sign-in link.
    private func handle(_ signals: UnixSignalsSequence) async {
        for await signal in signals {
            switch signal {
            case .sighup: parts.tls?.reload(http.replaceTLS)
            case .sigusr1: printSignInLink()
            default: stop("\(signal)")
            }
        }
    }
}
