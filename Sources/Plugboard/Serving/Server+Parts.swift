import BehaviorStore
import HTTPServer
import Identity
import Locking
import Logging
import PostgreSQL
import System
import Telemetry

extension Server {
    /// Checks the configuration and opens files, but no sockets.
    ///
    /// A test's server may have unplugged actions, and its requests' callers may come from the test.
    ///
    /// - Throws: ``StartError`` with everything that is missing or wrong.
    func open(isTest: Bool = false) throws -> ServerParts {
        var problems = isTest ? [] : unpluggedProblems
        problems += configuration.tls?.callerProblems ?? []
        problems += allImpliedScopes.problems + authenticators.problems
        problems += publishedProblems
        let stores = openStores(&problems)
        var tlsProblems: [String] = []
        let tls = openTLS(&tlsProblems)
        let documents = openDocuments(stores, tls, isTest: isTest, &problems)
        let sessions = sessions(stores.administration?.tokens)
        var policies = policies(stores, isTest: isTest)
        policies.sessions = sessions?.authenticator
        checkContracts(stores, policies, &problems)
        let files = attempt(&problems) {
            try configuration.publicFolder.map { PublicFiles(try openPublicFolder($0)) }
        }
        problems += tlsProblems
        let auditKey = attempt(&problems) {
            try configuration.auditHead?.key.map(AuditAnchor.privateKey)
        }
        _ = attempt(&problems) {
            try configuration.auditHead.map { try AuditAnchor.file($0.path) }
        }
        let follower = stores.administration.map {
            AdministrationFollower($0, stores.plugs, logger)
        }
        if problems.isEmpty { try begin(stores, follower, documents) }
        // A document in the store replaces the file, whose errors then don't matter.
        if documents.live?[LiveBehaviors.defaultName] == nil {
            if documents.authored?.isWaiting == true {
                documents.fileProblems.forEach { logger.error("\($0)") }
            } else {
                problems += documents.fileProblems
            }
        }
        guard problems.isEmpty else { throw StartError(problems: problems) }

        let readiness = readinessState(stores, documents)
        let observations = LoopObservations()
        let own = ownParts(sessions, stores, documents, readiness, tls, observations)
        let routes = publicRoutes(stores, documents, readiness, policies, own)
        let metrics = ServerMetrics(
            ServerMetrics.Subjects(
                exposed: actions,
                served: { routes.value.all },
                version: Server.version,
                environment: configuration.environment,
                behaviors: documents.live,
                authored: documents.authored,
                data: stores.data?.storage,
                database: stores.database,
                administration: stores.administration?.backend,
                tls: tls,
                streams: policies.streams
            ),
            observations
        )
        return ServerParts(
            administration: stores.administration,
            follower: follower,
            webTokens: stores.webTokens,
            otherIssuers: stores.otherIssuers,
            callers: policies.callers,
            plugs: stores.plugs,
            sessions: sessions,
            behaviors: documents.file,
            authored: documents.authored,
            live: documents.live,
            files: files,
            tls: tls,
            auditKey: auditKey,
            readiness: readiness,
            routes: routes,
            operationsRoutes: operationsRoutes(
                stores,
                documents,
                readiness,
                policies,
                own,
                beside: routes
            ),
            general: policies.general,
            metrics: metrics,
            makeResponder: responders(routes, policies, documents, files, metrics)
        )
    }

    func policies(_ stores: Stores, isTest: Bool) -> PolicyFactory {
        var policies = PolicyFactory(
            administration: stores.administration,
            idempotency: stores.idempotency,
            webTokens: stores.webTokens,
            certificates: configuration.tls?.callers(allImpliedScopes),
            timeout: configuration.actionSeconds,
            streams: configuration.streamLimiter,
            limiter: configuration.rateLimit.map { RateLimiter("server", $0) },
            tagsAll: configuration.entityTags
        )
        policies.sharedLimits = stores.limits
        policies.implied = allImpliedScopes
        policies.otherIssuers = stores.otherIssuers
        policies.authenticators = authenticators
        policies.takesTestCallers = isTest
        return policies
    }

    /// Finds problems of the actions.
    ///
    /// The table that serves is made later, with the server's own actions.
    func checkContracts(
        _ stores: Stores,
        _ policies: PolicyFactory,
        _ problems: inout [String]
    ) {
        // Report an unusable store or key set, not that its actions have none.
        let isStoreBroken = configuration.hasTokens && stores.administration == nil
        let issuers = authenticators.filter { !$0.isAsked }
        let areTokensBroken =
            configuration.webTokens != nil && stores.webTokens == nil
            || stores.otherIssuers.count < issuers.count
        if !isStoreBroken, !areTokensBroken {
            _ = RouteTable(actions, policies, problems: &problems)
        }
        problems += contractProblems
    }

    private func openPublicFolder(_ path: String) throws -> PublicFolder {
        try PublicFolder(path: path) { [configuration, logger] identity in
            let problems = configuration.publishedProblems(in: path, identity)
            for problem in problems {
                logger.error("the previous public folder stays: \(problem)")
            }
            return problems.isEmpty
        }
    }

    private func openTLS(_ problems: inout [String]) -> TLSFiles? {
        do throws(TLSError) {
            return try configuration.tls.map { settings throws(TLSError) in
                try TLSFiles(settings.http, logger: logger)
            }
        } catch {
            problems += error.problems
            return nil
        }
    }

    /// The routes of the public port.
    ///
    /// They are made later, so that the start doesn't wait: the server's own actions need no check.
    private func publicRoutes(
        _ stores: Stores,
        _ documents: Documents,
        _ readiness: ReadinessState,
        _ policies: PolicyFactory,
        _ parts: OwnParts
    ) -> Once<RouteTable> {
        Once { [self] in
            let own = ExposedAction.probes(readiness) + own(on: .public, stores, documents, parts)
            return table(
                actions + own.without(actions),
                policies,
                hasBatches: batches == .public
            )
        }
    }

    /// The routes of the operations port; a batch there also performs the public actions.
    private func operationsRoutes(
        _ stores: Stores,
        _ documents: Documents,
        _ readiness: ReadinessState,
        _ policies: PolicyFactory,
        _ parts: OwnParts,
        beside others: Once<RouteTable>
    ) -> Once<RouteTable> {
        Once { [self] in
            table(
                ExposedAction.probes(readiness)
                    + own(on: .operationsPort, stores, documents, parts),
                policies,
                hasBatches: batches == .operationsPort,
                beside: others
            )
        }
    }

    private func own(
        on port: Exposure,
        _ stores: Stores,
        _ documents: Documents,
        _ parts: OwnParts
    ) -> [ExposedAction] {
        let all = administration(
            stores.administration,
            stores.plugs,
            documents.live,
            documents.authored,
            parts
        )
        return own(on: port, all) { documentation($0, documents.authored) }
    }

    /// Returns a function that creates one loop's responder, for the addresses of the open sockets.
    private func responders(
        _ routes: Once<RouteTable>,
        _ policies: PolicyFactory,
        _ documents: Documents,
        _ files: PublicFiles?,
        _ metrics: ServerMetrics
    ) -> @Sendable ([SocketAddress]) -> any Responder {
        let (general, callers) = (policies.general, policies.callers)
        let (live, isOpen) = (documents.live, documents.authored != nil)
        let log = configuration.accessLog.map { AccessLogWriter($0.logger, every: $0.every) }
        let tracing = RequestTracing(configuration.tracer, actions)
        return { [self] addresses in
            let responder = ServerResponder(
                routes: routes,
                general: general,
                timeout: policies.timeout,
                files: files,
                console: consoleFiles(on: .public),
                behaviors: live.map {
                    let tools = BehaviorsResponse.Tools(callers: callers, logger: logger)
                    return ServerResponder.Behaviors($0, isOpen: isOpen, tools)
                },
                bodyLimit: configuration.bodyBytes,
                streamLimit: configuration.streamBytes,
                performsAtOnce: middleware.isEmpty && !tracing.makesSpans
                    && !configuration.serverTiming,
                isTimed: configuration.serverTiming,
                coding: ResponseCompression(threshold: configuration.compressionThreshold),
                rules: middleware.compactMap(\.rule),
                callers: callers,
                logger: logger
            )
            let observed = ObservedResponder(
                responder,
                behind: middleware.isEmpty
                    ? nil
                    : MiddlewareResponder(
                        middleware: middleware,
                        origins: AllowedOrigins(configuration.allowedOrigins),
                        logger: logger
                    ),
                gate: gate(host: configuration.host, at: addresses),
                metrics.observation(),
                tracing: tracing,
                log: log
            )
            return configuration.serverTiming ? TimedResponder(observed) : observed
        }
    }
}
