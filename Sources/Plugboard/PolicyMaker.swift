import HTTPSyntax
import HTTPServer
import Identity
import PlugHTTP

/// Makes the policies of a server's actions.
struct PolicyMaker {
    /// What the server keeps; nil where it has no data folder.
    var data: DataFolder?
    /// What has requests done once for a key; nil where nothing can be kept.
    var idempotency: Idempotency?
    /// The tokens of an issuer that callers may bear.
    var webTokens: WebTokenVerifier?
    /// Whom the certificates of clients make known; nil where none are asked for.
    var certificates: CertificateCallers?
    /// The most seconds that an action may take.
    var timeout: Int?
    /// How often each may call any of the actions; they share it.
    var limiter: RateLimiter?
    /// Whether every GET action's answers have entity tags.
    var tagsAll = false
    private let changes = ChangeGuard()

    init(
        data: DataFolder? = nil,
        idempotency: Idempotency? = nil,
        webTokens: WebTokenVerifier? = nil,
        certificates: CertificateCallers? = nil,
        timeout: Int? = nil,
        limiter: RateLimiter? = nil,
        tagsAll: Bool = false
    ) {
        self.data = data
        self.idempotency = idempotency
        self.webTokens = webTokens
        self.certificates = certificates
        self.timeout = timeout
        self.limiter = limiter
        self.tagsAll = tagsAll
    }

    /// For actions that ask for nothing, when a request does.
    var general: ActionPolicy { ActionPolicy(keys: keys(areNeeded: false), timeout: timeout) }

    private func keys(areNeeded: Bool, _ isConfidential: Bool = false) -> ActionPolicy.Keys? {
        idempotency.map {
            ActionPolicy.Keys(
                idempotency: $0,
                areNeeded: areNeeded,
                isConfidential: isConfidential
            )
        }
    }

    /// An action's policy; nil where it asks for nothing.
    ///
    /// `tagged` are those of a server's actions whose answers have entity tags, as
    /// ``ExposedAction/isTagged(whereAllAre:)`` tells; `problems` gets a line for each thing that keeps
    /// the action from being served.
    func policy(
        of action: ExposedAction,
        beside tagged: [ExposedAction] = [],
        _ problems: inout [String]
    ) -> ActionPolicy? {
        // What the operators ask is limited by nothing.
        guard !RequestSubject.Route.isProbe(action.number) else { return nil }
        let declarations = action.declarations
        let access = access(declarations, action.name, &problems)
        let own = declarations.rateLimit.map { RateLimiter("action", $0) }
        let limits = RateLimits([own, limiter].compactMap(\.self))
        if let problem = declarations.deprecation?.problem {
            problems.append("\(action.name)'s deprecation can't be told: \(problem)")
        }
        var fields = declarations.deprecation?.fields ?? [:]
        if declarations.isConfidential { fields += ActionPolicy.unstored }
        if action.method == .get, let names = action.fields?.choosing, !names.isEmpty {
            fields += ResponseFields([("Vary", names.joined(separator: ", "))])
        }
        let needsKey = declarations.needsKey
        if needsKey, action.method != .post, action.method != .patch {
            problems.append("\(action.name) needs a key, which only POST and PATCH have a use for")
        }
        if needsKey, idempotency == nil {
            problems.append(
                "\(action.name) is done once for each key, which have to be kept: set the server's "
                    + "configuration.dataFolder"
            )
        }
        let tags = tags(action, tagged)
        if declarations.isTagged, action.method != .get {
            problems.append("\(action.name) can have no entity tags: it is no GET action")
        }
        guard
            access != nil || limits != nil || timeout != nil || !fields.isEmpty || needsKey
                || tags != nil
        else { return nil }
        return ActionPolicy(
            access: access,
            isEndless: action.signature.output.isEndless,
            limits: limits,
            keys: keys(areNeeded: needsKey, declarations.isConfidential),
            tags: tags,
            timeout: timeout,
            fields: fields
        )
    }

    private func tags(_ action: ExposedAction, _ tagged: [ExposedAction]) -> ActionPolicy.Tags? {
        if action.isTagged(whereAllAre: tagsAll) { return .tagged }
        switch action.method {
        case .put, .patch, .post, .delete: break
        default: return nil
        }
        let other = tagged.first { $0.template == action.template }
        return other.map { other in
            // What is wrong with its scopes is told of itself.
            var told: [String] = []
            return .changes(other, changes, access(other.declarations, other.name, &told))
        }
    }

    private var credentials: Access.Credentials {
        Access.Credentials(tokens: data?.tokens, webTokens: webTokens, certificates: certificates)
    }

    /// Makes out who shows something, where everybody may ask; nil where nobody can be known.
    var callers: Access? {
        credentials.isEmpty ? nil : Access(scopes: [], credentials: credentials, isOptional: true)
    }

    private func access(
        _ declarations: Declarations,
        _ name: String,
        _ problems: inout [String]
    ) -> Access? {
        let needed = declarations.neededScopes
        guard needed != nil || declarations.callers != nil else { return nil }
        let scopes = needed ?? []
        if let invalid = scopes.invalid.first {
            problems.append("\(name) needs a scope that can't be one: \"\(invalid)\"")
        }
        guard !credentials.isEmpty else {
            // Where nobody can be known, nobody is.
            guard needed != nil else { return nil }
            problems.append(
                "\(name) needs "
                    + (scopes.isEmpty ? "a known caller" : "the scope \(scopes)")
                    + ", and there are no tokens: set the server's configuration.dataFolder, whose "
                    + "tokens `plugboard token create --data FOLDER` makes"
            )
            return nil
        }
        return Access(scopes: scopes, credentials: credentials, isOptional: needed == nil)
    }
}

extension ExposedAction {
    /// Whether its answers have entity tags, on a server where all have that may, or only those do that
    /// say so.
    func isTagged(whereAllAre tagsAll: Bool) -> Bool {
        guard method == .get else { return false }
        // The server's own pages have tags of their own; what nobody keeps needs none.
        let isPage = number < RequestSubject.Route.actions
        return declarations.isTagged || tagsAll && !isPage && !declarations.isConfidential
    }
}
