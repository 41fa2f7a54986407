import HTTPSyntax
import HTTPServer
import HTTPTypes
import Identity
import PlugHTTP

/// Makes the policies of a server's actions.
struct PolicyFactory: RoutePolicies {
    /// The server's tokens and plugs; nil without a store.
    var administration: Administration?
    /// Runs requests once per key; nil if the server has no store for the responses.
    var idempotency: Idempotency?
    /// The JSON Web Tokens that the server accepts; nil for none.
    var webTokens: WebTokenVerifier?
    /// The client certificates that the server accepts; nil for none.
    var certificates: CertificateCallers?
    /// The verifiers of other issuers' tokens.
    var otherIssuers: [WebTokenVerifier] = []
    /// The application's authenticators.
    var authenticators: [Authenticator] = []
    /// The cookies of signed-in browsers; nil for none.
    var sessions: Authenticator?
    /// The scopes that others imply.
    var implied = ImpliedScopes()
    /// Whether a test may give the caller.
    var takesTestCallers = false
    /// The timeout of actions in seconds; nil for none.
    var timeout: Int?
    /// The limits of endless streams; nil for none.
    var streams: StreamLimiter?
    /// The rate limit that all actions share; nil for none.
    var limiter: RateLimiter?
    /// The counts of rate limits that servers share; nil if each counts alone.
    var sharedLimits: SharedRateLimits?
    /// Whether all GET actions' responses have entity tags.
    var tagsAll = false
    private let changes = ChangeGuard()

    init(
        administration: Administration? = nil,
        idempotency: Idempotency? = nil,
        webTokens: WebTokenVerifier? = nil,
        certificates: CertificateCallers? = nil,
        timeout: Int? = nil,
        streams: StreamLimiter? = nil,
        limiter: RateLimiter? = nil,
        tagsAll: Bool = false
    ) {
        self.administration = administration
        self.idempotency = idempotency
        self.webTokens = webTokens
        self.certificates = certificates
        self.timeout = timeout
        self.streams = streams
        self.limiter = limiter
        self.tagsAll = tagsAll
    }

    /// The policy for actions without their own, used if a request needs one.
    var general: ActionPolicy { ActionPolicy(keys: keys(areNeeded: false), timeout: timeout) }

    private func keys(areNeeded: Bool, _ isConfidential: Bool = false) -> ActionPolicy.Keys? {
        idempotency.map {
            ActionPolicy.Keys(
                idempotency: $0,
                areNeeded: areNeeded,
                isConfidential: isConfidential,
                callers: callers
            )
        }
    }

    /// Returns an action's policy; nil if it needs none.
    ///
    /// `tagged` are the actions whose responses have entity tags
    /// (``ExposedAction/isTagged(whereAllAre:)``). Each error in the action's declaration is added
    /// to `problems`; they stop the server from starting.
    func policy(
        of action: ExposedAction,
        beside tagged: [ExposedAction],
        _ problems: inout [String]
    ) -> (any RoutePolicy)? {
        // Probes have no limits.
        guard !RequestSubject.Route.isProbe(action.number) else { return nil }
        let declarations = action.declarations
        let access = access(declarations, action.name, &problems)
        let own = declarations.rateLimit.map { RateLimiter("action", $0) }
        let limits = RateLimits(
            [own, limiter].compactMap(\.self),
            named: (own == nil ? [] : ["action \(action.name)"])
                + (limiter == nil ? [] : ["server"]),
            sharedIn: sharedLimits
        )
        if let problem = declarations.deprecation?.problem {
            problems.append("\(action.name)'s deprecation is invalid: \(problem)")
        }
        var fields = declarations.deprecation?.fields ?? [:]
        if declarations.isConfidential { fields += ActionPolicy.unstored }
        if action.method == .get {
            let names = (action.fields?.choosing ?? []) + (access?.varying ?? [])
            if !names.isEmpty {
                fields += ResponseFields([("Vary", names.joined(separator: ", "))])
            }
        }
        let needsKey = declarations.needsKey
        if needsKey, action.method != .post, action.method != .patch {
            problems.append("\(action.name) needs an Idempotency-Key, but isn't POST or PATCH")
        }
        if needsKey, idempotency == nil {
            problems.append(
                "\(action.name) needs a store for its Idempotency-Keys: set the server's "
                    + "configuration.documents to a database, or its configuration.dataFolder"
            )
        }
        let streams = action.signature.output.isEndless ? streams : nil
        let tags = tags(action, tagged)
        if declarations.isTagged, action.method != .get {
            problems.append("\(action.name) can't have entity tags: it isn't a GET action")
        }
        guard
            access != nil || limits != nil || streams != nil || !fields.isEmpty || needsKey
                || tags != nil
        else { return nil }
        return ActionPolicy(
            access: access,
            isEndless: action.signature.output.isEndless,
            streams: streams,
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
            // Dropped here: the other action's own policy reports these problems.
            var told: [String] = []
            return .changes(other, changes, access(other.declarations, other.name, &told))
        }
    }

    private var credentials: Access.Credentials {
        Access.Credentials(
            tokens: administration?.tokens,
            webTokens: webTokens,
            certificates: certificates,
            otherIssuers: otherIssuers,
            authenticators: authenticators,
            sessions: sessions,
            implied: implied,
            takesTestCallers: takesTestCallers,
            rejections: administration?.rejections
        )
    }

    /// Identifies callers where credentials are optional; nil if the server accepts none.
    var callers: Access? {
        credentials.isEmpty ? nil : Access(scopes: [], credentials: credentials, isOptional: true)
    }

    private func access(
        _ declarations: Declarations,
        _ name: String,
        _ problems: inout [String]
    ) -> Access? {
        let needed = declarations.neededScopes
        guard needed != nil || declarations.callers != nil || declarations.identifiesCallers else {
            return nil
        }
        let scopes = needed ?? []
        if let invalid = scopes.invalid.first {
            problems.append("\(name) needs an invalid scope: \"\(invalid)\"")
        }
        guard !credentials.isEmpty else {
            // Without any credentials, optional callers are always anonymous.
            guard needed != nil else { return nil }
            problems.append(
                "\(name) needs "
                    + (scopes.isEmpty ? "a known caller" : "the scope \(scopes)")
                    + ", but the server has no tokens: set its configuration.documents to a "
                    + "database, or its configuration.dataFolder, and create tokens there with "
                    + "`plugboard token create`; or give it authenticators"
            )
            return nil
        }
        return Access(scopes: scopes, credentials: credentials, isOptional: needed == nil)
    }
}

extension Access {
    /// The fields whose values separate callers in caches (RFC 9110 §12.5.5).
    ///
    /// A shared cache stores responses to requests with an API key or a cookie, but not with
    /// `Authorization` (RFC 9111 §3.5). If anonymous callers are allowed, known callers must not get
    /// their responses, so the field is included.
    fileprivate var varying: [String] {
        isOptional ? credentials.fields : credentials.fields.filter { $0 != "Authorization" }
    }
}

extension ExposedAction {
    /// Whether its responses have entity tags.
    ///
    /// Either all GET actions' responses that can have tags do, or only those that declare them.
    func isTagged(whereAllAre tagsAll: Bool) -> Bool {
        guard method == .get else { return false }
        // Pages and outputs with a tag make their own. Confidential responses aren't cached.
        let isPage = number < RequestSubject.Route.actions
        let makesTags = isPage || signature.endpoint?.responseFields.values.contains(.eTag) == true
        return declarations.isTagged || tagsAll && !makesTags && !declarations.isConfidential
    }
}
