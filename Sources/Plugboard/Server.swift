import BehaviorStore
import HTTPServer
public import Logging
import Plug
public import ServiceLifecycle
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
    /// Where and within which bounds the server serves.
    public var configuration: Configuration
    /// What the server exposes, in the order it was listed.
    public let actions: [ExposedAction]
    /// What stands between every request and its response, the outermost first.
    public let middleware: [Middleware]
    /// Where the server says what happens.
    public var logger: Logger

    let behaviors: BehaviorSource?
    /// Called when the sockets are open, with their addresses.
    package var onStart: (@Sendable ([String]) -> Void)?

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
        guard configuration.handlesSignals else { return try await serve() }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: SignalFreeServer(server: self),
                        successTerminationBehavior: .gracefullyShutdownGroup
                    )
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "plugboard") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        try await group.run()
    }

    fileprivate func serve() async throws {
        let running = try start()
        onStart?(running.addresses.map(\.description))
        await withTaskGroup { group in
            group.addTask { await running.behaviors?.watch() }
            await withTaskCancellationHandler {
                await withGracefulShutdownHandler {
                    await running.server.waitUntilStopped()
                } onGracefulShutdown: {
                    running.server.drain()
                }
            } onCancel: {
                running.server.drain()
            }
            group.cancelAll()
        }
    }
}

/// The server as its own service group runs it.
private struct SignalFreeServer: Service {
    let server: Server

    func run() async throws { try await server.serve() }
}

/// Where a behavior document comes from.
public enum BehaviorSource: Sendable {
    /// A JSON file. An edit of it goes live within a second.
    case file(String)
}
