import AdministrationStore
import BehaviorStore
import HTTPServer
import Identity
import PostgreSQL
import Storage

extension Server {
    /// The stores of a server; nil where one isn't configured or is unusable.
    struct Stores {
        let data: DataFolder?
        /// The tokens, plugs and their audit: in the database, else in the data folder.
        let administration: Administration?
        let webTokens: WebTokenVerifier?
        let otherIssuers: [WebTokenVerifier]
        let plugs: PlugAdministration?
        let behaviors: (any BehaviorBackend)?
        let idempotency: Idempotency?
        /// The client of a database that servers share.
        let database: PostgreSQLClient?
        /// The counts of rate limits that servers share.
        let limits: SharedRateLimits?
    }

    func openStores(_ problems: inout [String]) -> Stores {
        let implied = allImpliedScopes
        let webTokens = attempt(&problems) {
            try configuration.webTokens?.verifier(implied, logger)
        }
        let otherIssuers = authenticators.compactMap { authenticator in
            attempt(&problems) { try authenticator.verifier(implied, logger) }
        }
        let shared = attempt(&problems) {
            try configuration.documents?.open(
                logger,
                migrates: configuration.migratesDatabase,
                schemas: schemas
            )
        }
        let data = attempt(&problems) {
            try configuration.ownDataFolder.map { try DataFolder($0) }
        }
        let backend = shared?.administration ?? data?.administration
        let administration = backend.map { Administration($0, implied: implied) }
        return Stores(
            data: data,
            administration: administration,
            webTokens: webTokens,
            otherIssuers: otherIssuers,
            plugs: administration.map {
                PlugAdministration(actions.map(\.cell.action), $0.plugs, logger)
            },
            behaviors: shared?.behaviors ?? data?.behaviors,
            idempotency: shared?.idempotency ?? data?.idempotency,
            database: shared?.database,
            // An invalid URL is reported once.
            limits: shared == nil
                ? nil : attempt(&problems) { try configuration.sharedLimits(logger) }
        )
    }

    /// The sources of a server's behavior documents.
    struct Documents {
        var file: BehaviorFile?
        /// The errors of the file, which don't matter if a store has the document.
        var fileProblems: [String] = []
        /// The documents that are served; nil for none.
        let live: LiveBehaviors?
        let authored: BehaviorDocuments?
    }

    func openDocuments(
        _ stores: Stores,
        _ tls: TLSFiles?,
        isTest: Bool,
        _ problems: inout [String]
    ) -> Documents {
        var fileProblems: [String] = []
        let file = attempt(&fileProblems) {
            try behaviorsPath.map { try BehaviorFile(path: $0, logger: logger) }
        }
        let live = behaviors == nil && stores.behaviors == nil ? nil : LiveBehaviors()
        if let file { live?[LiveBehaviors.defaultName] = file.live }
        problems += environmentProblems + clientProblems + exposureProblems
        return Documents(
            file: file,
            fileProblems: fileProblems,
            live: live,
            authored: live.flatMap {
                authored(
                    in: stores.behaviors,
                    as: $0,
                    insteadOf: file,
                    standing(stores, tls, isTest: isTest)
                )
            }
        )
    }

    /// The permissions of the documents' authors, which are checked again when a change takes effect.
    private func standing(
        _ stores: Stores,
        _ tls: TLSFiles?,
        isTest: Bool
    ) -> AuthorStanding {
        AuthorStanding(
            Access.Credentials(
                tokens: stores.administration?.tokens,
                webTokens: stores.webTokens,
                certificates: configuration.tls?.callers(allImpliedScopes),
                authenticators: authenticators,
                takesTestCallers: isTest
            ),
            issuers: ([stores.webTokens].compactMap(\.self) + stores.otherIssuers).map(\.issuer),
            isShared: configuration.documents != nil,
            hasConsole: consolePort != nil,
            trust: { tls?.context }
        )
    }

    /// Restores what the stores have: documents, plans, tokens and stored responses.
    func begin(
        _ stores: Stores,
        _ follower: AdministrationFollower?,
        _ documents: Documents
    ) throws(StartError) {
        do {
            // First: a wrong password ends the start, and the documents' store reports it.
            try documents.authored?.begin()
            try follower?.begin()
        } catch {
            // A later start may find another password or certificate there.
            let isDenied = (error as? PostgreSQLError)?.kind == .denied
            throw StartError(problems: ["\(error)"], isUnavailable: isDenied)
        }
        warnOfUnusedTokens()
    }

    /// Warns of tokens in the data folder, which a server with a database doesn't use.
    private func warnOfUnusedTokens() {
        guard configuration.ownDataFolder == nil, let folder = configuration.dataFolder,
            let count = try? TokenStore.countNow(in: SQLiteAdministration(Storage.of(folder))),
            count > 0
        else { return }
        logger.warning(
            """
            \(count) tokens in \(folder) are unused, because the server's tokens are in \
            the database: create them there with token create --database
            """
        )
    }

    func readinessState(_ stores: Stores, _ documents: Documents) -> ReadinessState {
        var checks = readiness
        if let check = stores.webTokens?.readiness { checks.append(check) }
        checks += stores.otherIssuers.map(\.readiness)
        if let authored = documents.authored { checks += ReadinessCheck.of(authored) }
        if let administration = stores.administration {
            checks += ReadinessCheck.of(administration)
        }
        if configuration.documents != nil, let data = stores.data { checks.append(data.readiness) }
        return ReadinessState(checks, isPreparing: preparation != nil, logger: logger)
    }
}
