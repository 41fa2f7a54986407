public import Logging
public import PlugHTTP
public import PostgreSQL
public import ServiceLifecycle

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
    /// The application's ways to identify callers, in the order in which the server asks them.
    public var authenticators: [Authenticator]
    /// The server's logger.
    public var logger: Logger

    /// The readiness checks.
    ///
    /// While one that reads need fails, `/readyz` returns 503.
    public var readiness: [ReadinessCheck] = []

    /// The preparation that has to complete before the server is ready.
    ///
    /// It starts when the sockets are open, so requests arrive meanwhile. A request that needs it
    /// can wait for it; all others get a response, and `/readyz` returns 503. If it throws, the
    /// server stops and ``run()`` throws the same error. Stopping the server cancels it.
    public var preparation: (@Sendable () async throws -> Void)?

    /// The application's own tables in the database of `--database`.
    ///
    /// The command `migrate` creates them, and the server checks them when it starts.
    public var schemas: [PostgreSQLSchema] = []

    /// The scopes that others imply, such as `["editor": ["photos:write", "photos:read"]]`.
    ///
    /// They apply to all callers, whatever authenticated them. `admin` implies the scopes of the
    /// server's own actions, and here it may imply others. A cycle keeps the server from starting.
    public var impliedScopes = ImpliedScopes()

    /// The API's title and version in `/openapi.json` and `/docs`.
    public var api = APIInfo()

    /// The source of the behavior document; nil for none.
    private(set) var behaviors: BehaviorSource?
    /// The missing folder of public files, which is left out; nil if there is none.
    package private(set) var missingFolder: String?
    /// Whether the behavior document was to be in the missing folder, so that it can only be published.
    package private(set) var awaitsDocument = false
    /// A function to call when the server is ready; nil to print the banner, if the server handles
    /// signals.
    package var onStart: (@Sendable (RunningServer) -> Void)?
    /// Whether ``run()`` prints a start-up error and ends the process, if the server handles signals.
    package var reportsStartErrors = true

    /// Creates a server without opening anything.
    ///
    /// - Parameters:
    ///   - behaviors: the source of the behavior document; nil to serve none.
    ///   - configuration: the server's addresses, limits and options.
    ///   - middleware: the middleware around every request and its response, the outermost first.
    ///   - authenticators: the application's ways to identify callers, in their order.
    ///   - logger: the server's logger.
    ///   - actions: the types of the exposed actions.
    public init(
        behaviors: BehaviorSource? = nil,
        configuration: Configuration = Configuration(),
        middleware: [Middleware] = [],
        authenticators: [Authenticator] = [],
        logger: Logger = Logger(label: "plugboard"),
        @ActionsBuilder actions: () -> [ExposedAction] = { [] }
    ) {
        self.behaviors = behaviors
        self.configuration = configuration
        self.middleware = middleware
        self.authenticators = authenticators
        self.logger = logger
        self.actions = actions()
    }

    /// Reports an address outside the configuration.
    @available(
        *,
        unavailable,
        message: """
            the address is part of the configuration: write \
            'Server(configuration: .init(port: 8080)) { … }'
            """
    )
    public init(
        behaviors: BehaviorSource? = nil,
        host: String = "",
        port: Int,
        publicFolder: String? = nil,
        middleware: [Middleware] = [],
        logger: Logger = Logger(label: "plugboard"),
        @ActionsBuilder actions: () -> [ExposedAction] = { [] }
    ) {
        self.init(behaviors: behaviors, middleware: middleware, logger: logger, actions: actions)
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

    /// Whether the server's documents can be published: it has a data folder, a database or a folder
    /// of documents.
    package var hasDocumentStore: Bool {
        configuration.dataFolder != nil || configuration.documents != nil
    }

    /// Serves no public files, and no behavior document among them.
    package mutating func leaveOutPublicFolder() {
        guard let folder = configuration.publicFolder else { return }
        if behaviorsPath?.hasPrefix(folder + "/") == true {
            behaviors = nil
            awaitsDocument = true
        }
        configuration.publicFolder = nil
        missingFolder = folder
    }

    /// Serves until SIGTERM or SIGINT, a shutdown of the service group, or the task's cancellation.
    ///
    /// Requests in flight are completed. A server that handles signals owns its process: it prints
    /// its URLs, and a start-up error ends the process. The status is 69 if an address or a key set
    /// is unavailable, or if the database rejects the login; otherwise 78.
    ///
    /// - Throws: ``StartError`` with all start-up errors, if `configuration.handlesSignals` is false.
    public func run() async throws {
        guard configuration.handlesSignals else {
            let running = try start()
            warnOfExposure()
            return try await running.run()
        }
        do {
            try await runHandlingSignals()
        } catch let error as StartError where reportsStartErrors {
            error.endProcess()
        }
    }

    private func runHandlingSignals() async throws {
        // A signal may arrive before the running server listens.
        EarlySignals.remember()
        let running: RunningServer
        do {
            running = try start()
        } catch {
            // A process that has to stop anyway doesn't report a failed start.
            if EarlySignals.forget() { return }
            throw error
        }
        warnOfExposure()
        try await running.run()
    }
}

/// The source of a behavior document.
public enum BehaviorSource: Sendable {
    /// A JSON file. An edit of it goes live within a second.
    case file(String)
}
