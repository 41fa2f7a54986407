import BehaviorStore
import CoreMetrics
import HTTPServer
import Identity
import Locking
public import Logging
import Plug
public import ServiceLifecycle
import Telemetry
import UnixSignals

/// A server that drives apps.
///
/// It serves a behavior document at `/behaviors.json`, the exposed actions at their paths, and the
/// files of a public folder at all other paths.
///
/// ```swift
/// let server = Server(behaviors: .file("public/behaviors.json")) {
///     LikePhoto.self
///     ListPhotos.self
/// }
/// try await server.run()
/// ```
public struct Server: Service {
    /// The version of Plugboard.
    public static let version = "0.1.0"

    /// The server's addresses, limits and options.
    public var configuration: Configuration
    /// The exposed actions, in their listed order.
    public let actions: [ExposedAction]
    /// The middleware around every request and its response, the outermost first.
    public let middleware: [Middleware]
    /// The server's logger.
    public var logger: Logger

    /// The dependencies of the server; while one of them fails, `/readyz` returns 503.
    public var readiness: [ReadinessCheck] = []

    /// The preparation that has to complete before the server is ready.
    ///
    /// It starts when the sockets are open, so requests arrive meanwhile. A request that needs it
    /// can wait for it; all others get a response, and `/readyz` returns 503. If it throws, the
    /// server stops and ``run()`` throws the same error. Stopping the server cancels it.
    public var preparation: (@Sendable () async throws -> Void)?

    /// The API's title and version in `/openapi.json` and `/docs`.
    public var api = APIInfo()

    private(set) var behaviors: BehaviorSource?
    /// A function to call with the sockets' addresses when the server is ready.
    package var onStart: (@Sendable (ServerStart) -> Void)?

    /// Creates a server without opening anything.
    ///
    /// - Parameters:
    ///   - behaviors: the source of the behavior document; nil to serve none.
    ///   - configuration: the server's addresses, limits and options.
    ///   - middleware: the middleware around every request and its response, the outermost first.
    ///   - logger: the server's logger.
    ///   - actions: the types of the exposed actions.
    public init(
        behaviors: BehaviorSource? = nil,
        configuration: Configuration = Configuration(),
        middleware: [Middleware] = [],
        logger: Logger = Logger(label: "plugboard"),
        @ActionsBuilder actions: () -> [ExposedAction] = { [] }
    ) {
        self.behaviors = behaviors
        self.configuration = configuration
        self.middleware = middleware
        self.logger = logger
        self.actions = actions()
    }

    /// The file of the behavior document; nil for none.
    package var behaviorsPath: String? { if case .file(let path) = behaviors { path } else { nil } }

    /// Moves the behavior document to the public folder of the configuration, if it is in `folder`.
    package mutating func moveBehaviors(from folder: String) {
        guard case .file(let path) = behaviors, path.hasPrefix(folder + "/"),
            let publicFolder = configuration.publicFolder
        else { return }
        behaviors = .file(publicFolder + path.dropFirst(folder.count))
    }

    /// Serves until SIGTERM or SIGINT, a shutdown of the service group, or the task's cancellation.
    ///
    /// Requests in flight are completed.
    ///
    /// - Throws: ``StartError`` with all start-up errors.
    public func run() async throws {
        if let running = try open() { try await run(running) }
    }

    /// Starts the server without waiting, and records signals that arrive meanwhile.
    ///
    /// Returns nil if a signal stopped the process and the start failed.
    ///
    /// - Throws: ``StartError`` with all start-up errors.
    package func open() throws -> RunningServer? {
        guard configuration.handlesSignals else { return try start() }
        EarlySignals.remember()
        do {
            return try start()
        } catch {
            // A process that has to stop anyway doesn't report a failed start.
            if EarlySignals.forget() { return nil }
            throw error
        }
    }

    /// Runs a started server.
    ///
    /// Apart from ``open()``, so that the first response doesn't wait for the service group.
    package func run(_ running: RunningServer) async throws {
        guard configuration.handlesSignals else { return try await serve(running) }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: StartedServer(server: self, running: running),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        // Without a name, the group makes one of the whole value by reflection, in
                        // 3 ms.
                        serviceName: "plugboard"
                    )
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "plugboard") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        try await group.run()
    }

    /// Serves on open sockets until the server has stopped.
    package func serve(_ running: RunningServer) async throws {
        let failure = Locked<(any Error)?>(nil)
        await withTaskGroup { group in
            group.addTask {
                do {
                    try await prepare(running)
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            group.addTask { await running.metrics.forward(to: MetricsSystem.factory) }
            group.addTask { await running.behaviors?.watch() }
            group.addTask { await running.files?.watch() }
            if let authored = running.authored { group.addTask { await authored.run() } }
            if let data = running.data { group.addTask { await data.watch(logger) } }
            if let webTokens = running.webTokens { group.addTask { await webTokens.watch() } }
            if let plugs = running.plugs { group.addTask { await plugs.watch() } }
            if let tls = running.tls {
                group.addTask { await tls.watch(running.server.replaceTLS) }
            }
            if configuration.handlesSignals { group.addTask { await reloadOnSignal(running) } }
            await withTaskCancellationHandler {
                await withGracefulShutdownHandler {
                    await running.server.waitUntilStopped()
                } onGracefulShutdown: {
                    running.drain()
                }
            } onCancel: {
                running.drain()
            }
            await running.endOperations()
            group.cancelAll()
        }
        configuration.accessLog?.flush()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}

extension Server {
    /// Runs the preparation, then reports that the server is ready, unless it already drains.
    private func prepare(_ running: RunningServer) async throws {
        do {
            try await running.webTokens?.begin()
            try await preparation?()
        } catch  where Task.isCancelled {
            // A signal stopped the server before it was ready.
            return
        } catch let error as KeySource.Failure {
            running.drain()
            throw StartError(problems: [error.description])
        } catch {
            running.drain()
            throw error
        }
        // Builds the routes, unless a request already has.
        _ = running.routes.value
        guard running.readiness.begin() else { return }
        onStart?(
            ServerStart(
                addresses: running.urls,
                operations: running.operations?.addresses.map(\.description) ?? [],
                fingerprint: developmentFingerprint(running)
            )
        )
        // A `Type=notify` service of systemd waits for this.
        if !Systemd.notify(.ready) { logger.warning("NOTIFY_SOCKET is unreachable") }
    }

    /// Reloads the certificate's files on SIGHUP, even if unchanged; SIGHUP never ends a server.
    private func reloadOnSignal(_ running: RunningServer) async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            running.tls?.reload(running.server.replaceTLS)
        }
    }

    private func developmentFingerprint(_ running: RunningServer) -> String? {
        configuration.tls?.identities == [.development] ? running.tls?.context.fingerprint : nil
    }
}

/// The addresses of a started server.
package struct ServerStart: Sendable {
    /// The URLs of its public sockets.
    package let addresses: [String]
    /// The URLs of its operations port.
    package let operations: [String]
    /// The development certificate's SHA-256 fingerprint; nil with another certificate.
    package let fingerprint: String?
}

/// A started server as a service of its own service group.
private struct StartedServer: Service {
    let server: Server
    let running: RunningServer

    func run() async throws {
        // The group listens for signals by now and handles later ones.
        if EarlySignals.recordStop { running.drain() }
        try await server.serve(running)
    }
}

/// The source of a behavior document.
public enum BehaviorSource: Sendable {
    /// A JSON file. An edit of it goes live within a second.
    case file(String)
}
