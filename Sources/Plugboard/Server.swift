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

/// A server that drives apps: a behavior document at `/behaviors.json`, the exposed actions at
/// their paths, the files of a public folder everywhere else.
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
    public static let version = "1.0.0"

    /// Where and within which bounds the server serves.
    public var configuration: Configuration
    /// What the server exposes, in the order it was listed.
    public let actions: [ExposedAction]
    /// What stands between every request and its response, the outermost first.
    public let middleware: [Middleware]
    /// Where the server says what happens.
    public var logger: Logger

    /// What the server needs in order to serve: `/readyz` says 503 while one of them fails.
    public var readiness: [ReadinessCheck] = []

    /// What has to be done before the server is ready.
    ///
    /// It begins when the sockets are open, so requests come meanwhile: what needs it waits for it,
    /// all else is answered, and `/readyz` says 503. If it throws, the server stops and ``run()``
    /// throws the same. A server that is told to stop meanwhile cancels it.
    public var preparation: (@Sendable () async throws -> Void)?

    /// What the API is called where it is described, at `/openapi.json` and `/docs`.
    public var api = APIInfo()

    let behaviors: BehaviorSource?
    /// Called when the server is ready, with the addresses of its sockets.
    package var onStart: (@Sendable (ServerStart) -> Void)?

    /// Makes a server; nothing is opened before it runs.
    ///
    /// - Parameters:
    ///   - behaviors: where the behavior document comes from; nil to serve none.
    ///   - configuration: where to serve, and the bounds.
    ///   - middleware: what stands between every request and its response, the outermost first.
    ///   - logger: where to say what happens.
    ///   - actions: the types of the actions to expose.
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

    /// Serves until the process gets SIGTERM or SIGINT, the service group shuts down, or the task
    /// is cancelled.
    ///
    /// Requests in flight are completed.
    ///
    /// - Throws: ``StartError`` with all that keeps the server from starting.
    public func run() async throws {
        if let running = try open() { try await run(running) }
    }

    /// The part of ``run()`` that waits for nothing: starts, and remembers the signals that come
    /// meanwhile.
    ///
    /// Returns nil where the process was told to stop and nothing has started.
    ///
    /// - Throws: ``StartError`` with all that keeps the server from starting.
    package func open() throws -> RunningServer? {
        guard configuration.handlesSignals else { return try start() }
        EarlySignals.remember()
        do {
            return try start()
        } catch {
            // Who was told to stop meanwhile needn't have started.
            if EarlySignals.forget() { return nil }
            throw error
        }
    }

    /// The rest of ``run()``: nobody who waits for the first answer waits for the group, too.
    package func run(_ running: RunningServer) async throws {
        guard configuration.handlesSignals else { return try await serve(running) }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: StartedServer(server: self, running: running),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        // Else the group makes a name of the whole value, by reflection: 3 ms.
                        serviceName: "plugboard"
                    )
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "plugboard") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        try await group.run()
    }

    /// Serves on sockets that are open, to the end.
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
    /// Makes the server ready and tells everybody, unless it is to stop by then.
    private func prepare(_ running: RunningServer) async throws {
        do {
            try await running.webTokens?.begin()
            try await preparation?()
        } catch  where Task.isCancelled {
            // It was told to stop before it was ready.
            return
        } catch let error as KeySource.Failure {
            running.drain()
            throw StartError(problems: [error.description])
        } catch {
            running.drain()
            throw error
        }
        // The first request that needed it has made it, or nobody has to.
        _ = running.routes.value
        guard running.readiness.begin() else { return }
        onStart?(
            ServerStart(
                addresses: running.urls,
                operations: running.operations?.addresses.map(\.description) ?? [],
                fingerprint: developmentFingerprint(running)
            )
        )
        // Whoever asked to be told when it serves waits for this.
        if !ServiceManager.notify(.ready) { logger.warning("NOTIFY_SOCKET can't be reached") }
    }

    /// SIGHUP has the certificate's files read anew, changed or not; it ends no server.
    private func reloadOnSignal(_ running: RunningServer) async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            running.tls?.reload(running.server.replaceTLS)
        }
    }

    private func developmentFingerprint(_ running: RunningServer) -> String? {
        configuration.tls?.identities == [.development] ? running.tls?.context.fingerprint : nil
    }
}

/// What is known of a server when its sockets are open.
package struct ServerStart: Sendable {
    /// Where it listens, as URLs.
    package let addresses: [String]
    /// Where it tells those who operate it how it fares, as URLs.
    package let operations: [String]
    /// The development certificate's SHA-256 fingerprint, if it has one.
    package let fingerprint: String?
}

/// A server that has opened its sockets, as its own service group runs it.
private struct StartedServer: Service {
    let server: Server
    let running: RunningServer

    func run() async throws {
        // The group listens by now: what comes later it is told of.
        if EarlySignals.tellToStop { running.drain() }
        try await server.serve(running)
    }
}

/// Where a behavior document comes from.
public enum BehaviorSource: Sendable {
    /// A JSON file. An edit of it goes live within a second.
    case file(String)
}
