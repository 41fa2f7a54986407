import BehaviorStore
import Locking
import Identity
package import JSONCodec

extension Server {
    /// Returns this server's `/openapi.json` without opening anything.
    ///
    /// - Throws: an error if the data folder or the document store is unusable.
    package func description() throws -> JSON {
        let data: DataFolder? =
            if let folder = configuration.ownDataFolder { try DataFolder(folder) } else { nil }
        let shared = try configuration.documents?.open(logger)
        let administration = (shared?.administration ?? data?.administration).map {
            Administration($0)
        }
        let plugs = administration.map { PlugAdministration([], $0.plugs, logger) }
        let documents = LiveBehaviors()
        let authored = authored(in: shared?.behaviors ?? data?.behaviors, as: documents)
        return OpenAPI.document(
            of: actions
                + (self.administration == .public
                    ? self.administration(
                        administration,
                        plugs,
                        documents,
                        authored,
                        ownParts(administration?.tokens)
                    ) : []),
            info: api,
            hasBehaviors: behaviors != nil || authored != nil,
            hasNamedBehaviors: authored != nil,
            security: security,
            tagsAll: configuration.entityTags
        )
    }

    /// The authentication schemes of the server.
    var security: OpenAPI.Security {
        var security = OpenAPI.Security(
            takesTokens: configuration.hasTokens,
            takesWebTokens: configuration.webTokens != nil
                || authenticators.contains { !$0.isAsked },
            takesCertificates: configuration.tls?.callers() != nil,
            places: authenticators.filter(\.isAsked).map(\.place)
        )
        security.declaredScopes = declaredScopes
        return security
    }

    /// The documents that callers author while the server runs; nil without a store.
    func authored(
        in backend: (any BehaviorBackend)?,
        as documents: LiveBehaviors,
        insteadOf file: BehaviorFile? = nil,
        _ standing: AuthorStanding = .unchecked
    ) -> BehaviorDocuments? {
        backend.map {
            BehaviorDocuments(
                $0,
                serving: configuration.environment,
                as: documents,
                insteadOf: file,
                standing: standing,
                quotas: configuration.quotas,
                logger: logger
            )
        }
    }

    /// The administration actions, except those that the application replaces.
    ///
    /// Empty if the server authenticates no callers.
    func administration(
        _ stored: Administration?,
        _ plugs: PlugAdministration?,
        _ documents: LiveBehaviors?,
        _ authored: BehaviorDocuments?,
        _ parts: OwnParts
    ) -> [ExposedAction] {
        guard security.takesAny else { return [] }
        var administration: [ExposedAction] = []
        if let stored {
            administration += ExposedAction.administration(
                of: stored.tokens,
                declared: declaredScopes
            )
        }
        if let plugs {
            administration += ExposedAction.administration(of: plugs)
            administration.append(.events(of: parts.board))
        }
        if let authored, let documents {
            administration += ExposedAction.explanation(of: documents, authored)
            administration += ExposedAction.modules(of: documents, authored)
            administration += ExposedAction.administration(of: authored, stored?.backend)
            administration.append(.verification(of: authored, stored?.backend))
        }
        if let sessions = parts.sessions {
            administration += ExposedAction.administration(of: sessions, stored)
        }
        administration.append(.description(of: parts.state))
        administration.append(
            .scopes(declaredScopes, allImpliedScopes, of: actions + administration)
        )
        return administration.without(actions)
    }

    func documentation(
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

    /// Builds the route table of a port's actions, plus the batch action.
    ///
    /// The batch action is left out if disabled, or if the application has its route. It performs
    /// the actions of this port, and those of `others`.
    func table(
        _ all: [ExposedAction],
        _ policies: PolicyFactory,
        hasBatches: Bool,
        beside others: Once<RouteTable>? = nil
    ) -> RouteTable {
        // Stays empty: the application's actions were checked before the sockets were opened.
        var problems: [String] = []
        var table = RouteTable(all, policies, problems: &problems)
        if hasBatches, let limit = configuration.batchLimit, !actions.isEmpty {
            let performed = BatchTable(
                limit: max(1, limit),
                outputLimit: configuration.batchOutputLimit,
                (others?.value.all ?? []) + table.all,
                general: policies.general,
                callers: policies.callers
            )
            let batch = ExposedAction.batch(performed)
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
    func without(_ theirs: [ExposedAction]) -> [ExposedAction] {
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
