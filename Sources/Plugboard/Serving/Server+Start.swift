import System
import BehaviorStore
import HTTPServer
import Identity
package import JSONCodec
import Locking
import Logging
import Telemetry

extension Server {
    /// Checks the configuration, opens the sockets and starts the loops.
    ///
    /// - Throws: ``StartError`` with everything that is missing or wrong.
    package func start() throws -> RunningServer {
        Descriptors.openStandard()
        let parts = try assemble()
        do {
            let sockets = configuration.takesSockets ? try Systemd.takeSockets() : []
            let server = try HTTPServer(
                address: configuration.address,
                sockets: sockets.filter { $0.name != Self.operationsSocket }.map(\.descriptor),
                configuration: configuration.http,
                tls: parts.tls?.context,
                logger: logger,
                makeResponder: parts.makeResponder
            )
            let operations: HTTPServer?
            do {
                operations = try openOperations(parts.metrics, parts.readiness, sockets)
                // The public port first: clients wait for it.
                try server.start()
                try operations?.start()
            } catch {
                server.drain()
                throw error
            }
            return RunningServer(
                server: server,
                files: parts.files,
                behaviors: parts.behaviors,
                authored: parts.authored,
                tls: parts.tls,
                operations: operations,
                data: parts.data,
                webTokens: parts.webTokens,
                plugs: parts.plugs,
                metrics: parts.metrics,
                routes: parts.routes,
                readiness: parts.readiness
            )
        } catch {
            throw StartError(problems: ["\(error)"])
        }
    }

    /// The parts of a server, except its sockets.
    struct Assembly {
        let readiness: ReadinessState
        /// The routes of all exposed actions, including the server's own.
        let routes: Once<RouteTable>
        let files: PublicFiles?
        let data: DataFolder?
        let webTokens: WebTokenVerifier?
        let plugs: PlugAdministration?
        let metrics: ServerMetrics
        let behaviors: BehaviorFile?
        let authored: BehaviorDocuments?
        let tls: TLSFiles?
        /// Creates one loop's responder.
        let makeResponder: @Sendable () -> any Responder
    }

    /// Checks the configuration and opens files, but no sockets.
    ///
    /// With `needsPlugs`, an unplugged action is a problem.
    ///
    /// - Throws: ``StartError`` with everything that is missing or wrong.
    func assemble(needsPlugs: Bool = true) throws -> Assembly {
        var problems = needsPlugs ? unpluggedProblems : []
        problems += configuration.tls?.callerProblems ?? []
        let webTokens = attempt(&problems) { try configuration.webTokens?.verifier(logger) }
        let place = attempt(&problems) { try configuration.documents?.open(logger) }
        let data = attempt(&problems) { try configuration.dataFolder.map(DataFolder.init) }
        let backend: (any BehaviorBackend)? = place?.behaviors ?? data?.behaviors
        let plugs = data.map {
            PlugAdministration(actions.map(\.cell.action), $0.plugs, logger)
        }
        var fileProblems: [String] = []
        let file: BehaviorFile? = attempt(&fileProblems) {
            switch behaviors {
            case .file(let path): try BehaviorFile(path: path, logger: logger)
            case nil: nil
            }
        }
        let documents = behaviors == nil && backend == nil ? nil : LiveBehaviors()
        if let file { documents?[LiveBehaviors.defaultName] = file.live }
        problems += environmentProblems
        let authored = documents.flatMap { authoredDocuments(backend, as: $0, insteadOf: file) }
        let readiness = ReadinessState(
            readiness
                + [webTokens?.readiness, authored.map { ReadinessCheck($0) }].compactMap(
                    \.self
                ),
            isPreparing: preparation != nil,
            logger: logger
        )
        // Report an unusable folder or key set, not that its actions have none.
        let isFolderBroken = configuration.dataFolder != nil && data == nil
        let areTokensBroken = configuration.webTokens != nil && webTokens == nil
        let policies = PolicyFactory(
            data: data,
            idempotency: place?.idempotency ?? data?.idempotency,
            webTokens: webTokens,
            certificates: configuration.tls?.callers,
            timeout: configuration.actionTimeout.map { max(1, $0) },
            limiter: configuration.rateLimit.map { RateLimiter("server", $0) },
            tagsAll: configuration.entityTags
        )
        let general = policies.general
        let callers = policies.callers
        if !isFolderBroken, !areTokensBroken {
            // Only to find problems. The table that serves is made later, with the server's own
            // actions.
            _ = RouteTable(actions, policies, problems: &problems)
        }
        problems += contractProblems
        let files = attempt(&problems) {
            try configuration.publicFolder.map { PublicFiles(try open($0)) }
        }
        // Made later, so that the start doesn't wait: the server's own actions need no check.
        let routes = Once { [self] in
            let administration = administration(data, plugs, documents, authored)
            let others = ExposedAction.probes(readiness) + documentation(administration, authored)
            return table(administration + others.without(actions), policies)
        }
        let metrics = ServerMetrics(
            { routes.value.all.map(\.action) },
            version: Server.version,
            behaviors: documents
        )
        var tls: TLSFiles?
        do throws(TLSError) {
            tls = try configuration.tls.map { settings throws(TLSError) in
                try TLSFiles(settings.http, logger: logger)
            }
        } catch {
            problems += error.problems
        }
        if problems.isEmpty {
            _ = attempt(&problems) {
                try place?.idempotency?.check()
                try plugs?.restore()
                try authored?.begin()
            }
        }
        // A document in the store replaces the file, whose errors then don't matter.
        if documents?[LiveBehaviors.defaultName] == nil { problems += fileProblems }
        guard problems.isEmpty else { throw StartError(problems: problems) }
        let log = configuration.accessLog.map(AccessLogWriter.init)
        let tracing = RequestTracing(configuration.tracer, actions)
        return Assembly(
            readiness: readiness,
            routes: routes,
            files: files,
            data: data,
            webTokens: webTokens,
            plugs: plugs,
            metrics: metrics,
            behaviors: file,
            authored: authored,
            tls: tls
        ) { [self] in
            let responder = ServerResponder(
                routes: routes,
                general: general,
                files: files,
                behaviors: documents.map {
                    let tools = BehaviorsResponse.Tools(callers: callers, logger: logger)
                    return ServerResponder.Behaviors($0, isOpen: authored != nil, tools)
                },
                bodyLimit: configuration.bodyLimit,
                streamLimit: configuration.streamLimit,
                performsAtOnce: middleware.isEmpty && !tracing.makesSpans
                    && !configuration.serverTiming,
                isTimed: configuration.serverTiming,
                coding: ResponseCompression(threshold: configuration.compressionThreshold),
                rules: middleware.compactMap(\.rule),
                logger: logger
            )
            let observed = ObservedResponder(
                responder,
                behind: middleware.isEmpty
                    ? nil : MiddlewareResponder(middleware: middleware, logger: logger),
                metrics.observation(),
                tracing: tracing,
                log: log
            )
            return configuration.serverTiming ? TimedResponder(observed) : observed
        }
    }

    /// Opens the public folder.
    private func open(_ path: String) throws -> PublicFolder {
        let folder = try PublicFolder(path: path)
        if !folder.isGuarded {
            logger.notice(
                "openat2 (Linux 5.6) is unavailable: links in \(path) aren't followed"
            )
        }
        return folder
    }

    /// Returns this server's `/openapi.json` without opening anything.
    ///
    /// - Throws: an error if the data folder or the document store is unusable.
    package func description() throws -> JSON {
        let data: DataFolder? =
            if let folder = configuration.dataFolder { try DataFolder(folder) } else { nil }
        let plugs = data.map { PlugAdministration([], $0.plugs, logger) }
        let documents = LiveBehaviors()
        let place = try configuration.documents?.backend(logger)
        let authored = authoredDocuments(place ?? data?.behaviors, as: documents)
        return OpenAPI.document(
            of: actions + administration(data, plugs, documents, authored),
            info: api,
            hasBehaviors: behaviors != nil || authored != nil,
            hasNamedBehaviors: authored != nil,
            security: security,
            tagsAll: configuration.entityTags
        )
    }

    /// The authentication schemes of the server.
    private var security: OpenAPI.Security {
        OpenAPI.Security(
            takesTokens: configuration.dataFolder != nil,
            takesWebTokens: configuration.webTokens != nil,
            takesCertificates: configuration.tls?.callers != nil
        )
    }

    /// The documents that callers author while the server runs; nil without a store.
    private func authoredDocuments(
        _ backend: (any BehaviorBackend)?,
        as documents: LiveBehaviors,
        insteadOf file: BehaviorFile? = nil
    ) -> BehaviorDocuments? {
        backend.map {
            BehaviorDocuments(
                $0,
                serving: configuration.environment,
                as: documents,
                insteadOf: file,
                logger: logger
            )
        }
    }

    /// The administration actions, except those that the application replaces.
    ///
    /// Empty if the server authenticates no callers.
    private func administration(
        _ data: DataFolder?,
        _ plugs: PlugAdministration?,
        _ documents: LiveBehaviors?,
        _ authored: BehaviorDocuments?
    ) -> [ExposedAction] {
        guard security.takesAny else { return [] }
        var administration: [ExposedAction] = []
        if let data { administration += ExposedAction.administration(of: data.tokens) }
        if let plugs { administration += ExposedAction.administration(of: plugs) }
        if let authored, let documents {
            administration += ExposedAction.explanation(of: documents, authored)
            administration += ExposedAction.administration(of: authored)
        }
        return administration.without(actions)
    }

    private func documentation(
        _ administration: [ExposedAction],
        _ authored: BehaviorDocuments?
    ) -> [ExposedAction] {
        ExposedAction.documentation(
            api,
            actions + administration,
            hasBehaviors: behaviors != nil || authored != nil,
            hasNamedBehaviors: authored != nil,
            security: security,
            tagsAll: configuration.entityTags
        )
    }

    /// Builds the route table of all actions, plus the batch action.
    ///
    /// The batch action is left out if disabled, or if the application has its route.
    private func table(_ own: [ExposedAction], _ policies: PolicyFactory) -> RouteTable {
        // Stays empty: the application's actions were checked before the sockets were opened.
        var problems: [String] = []
        var table = RouteTable(actions + own, policies, problems: &problems)
        if let limit = configuration.batchLimit, !actions.isEmpty {
            let all = BatchTable(
                limit: max(1, limit),
                outputLimit: configuration.batchOutputLimit,
                table.all,
                general: policies.general
            )
            let batch = ExposedAction.batch(all)
            if !actions.contains(where: { $0.route == batch.route }) {
                table.add(batch, policies, &problems)
            }
        }
        assert(problems.isEmpty, "\(problems)")
        return table
    }
}

extension [ExposedAction] {
    /// The server's own actions whose routes no action of the application has.
    fileprivate func without(_ theirs: [ExposedAction]) -> [ExposedAction] {
        filter { own in !theirs.contains { own.method == $0.method && own.isAlike($0) } }
    }
}

extension ExposedAction {
    /// Whether two actions have the same path, apart from its variables' names.
    fileprivate func isAlike(_ other: ExposedAction) -> Bool {
        guard let template, let others = other.template else { return false }
        return template.conflicts(with: others)
    }
}
