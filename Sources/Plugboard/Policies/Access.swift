import HTTPSyntax
import HTTPServer
import Identity
import JSONCodec
import Logging
import PlugHTTP

/// The access rule of an action: the bearer token must have its scopes (RFC 6750).
struct Access: Sendable {
    let scopes: Scopes
    var credentials: Credentials
    /// Whether requests without credentials are accepted; they have no caller.
    var isOptional = false

    /// The kinds of credentials that identify a caller.
    struct Credentials: Sendable {
        /// The server's own tokens.
        var tokens: TokenStore?
        /// The tokens of an issuer.
        var webTokens: WebTokenVerifier?
        /// The certificates of TLS clients.
        var certificates: CertificateCallers?
        /// The verifiers of other issuers' tokens.
        var otherIssuers: [WebTokenVerifier] = []
        /// The application's authenticators, in their order.
        var authenticators: [Authenticator] = []
        /// The cookies of signed-in browsers, which it asks last; nil for none.
        var sessions: Authenticator?
        /// The scopes that others imply.
        var implied = ImpliedScopes()
        /// Whether a test may give the caller, as only a server in memory allows.
        var takesTestCallers = false
        /// Counts rejected tokens.
        var rejections: RejectedCredentials?

        /// Returns the verifier of a token by the issuer that the token names.
        func verifier(of token: ByteSpan) -> WebTokenVerifier? {
            otherIssuers.isEmpty
                ? webTokens
                : otherIssuers.first { $0.isIssuer(of: token) } ?? webTokens ?? otherIssuers.first
        }

        /// The authenticators in the order in which the server asks them.
        var asked: [Authenticator] { sessions.map { authenticators + [$0] } ?? authenticators }

        /// The request fields that may have a caller's credentials.
        var fields: [String] {
            asked.map(\.place.field).reduce(into: ["Authorization"]) { fields, field in
                if !fields.contains(field) { fields.append(field) }
            }
        }

        /// Whether the server accepts no kind of credentials.
        var isEmpty: Bool {
            tokens == nil && webTokens == nil && certificates == nil && authenticators.isEmpty
                && !takesTestCallers
        }
    }

    enum Verdict {
        case granted(Caller)
        case anonymous
        case refused(Response)
        /// An authenticator that may wait has to be asked first.
        case pending
    }

    /// Judges a request by the token in its head, or without one by its client's certificate.
    ///
    /// The application's authenticators come first. A token names the request's caller, a certificate
    /// only its sender. So a token takes precedence.
    func judge(
        _ head: RequestHead,
        from peer: Peer,
        _ authentication: Authentication? = nil,
        _ logger: Logger
    ) -> Verdict {
        if credentials.takesTestCallers, let caller = TestCaller.current {
            return judge(credentials.implied.expand(caller))
        }
        if !credentials.authenticators.isEmpty || credentials.sessions != nil,
            let verdict = ask(head, from: peer, authentication, logger)
        {
            return verdict
        }
        let token = BearerToken(head)
        if case .missing = token, let certificates = credentials.certificates,
            let caller = peer.certificate.flatMap(certificates.caller)
        {
            return judge(caller)
        }
        let verdict = judge(token, logger)
        if case .token = token, case .refused(let response) = verdict, response.status == 401 {
            credentials.rejections?.note(peer)
        }
        return verdict
    }

    /// Judges a request by its head.
    func judge(_ request: borrowing Request, _ logger: Logger) -> Verdict {
        judge(request.head, from: request.peer, request.authentication, logger)
    }

    /// Judges a request by the application's authenticators; nil if it has no credentials of theirs.
    private func ask(
        _ head: RequestHead,
        from peer: Peer,
        _ authentication: Authentication?,
        _ logger: Logger
    ) -> Verdict? {
        let outcome =
            authentication?.outcome
            ?? credentials.identify(credentials.attempts(head, from: peer), logger)
        switch outcome {
        case .nobody: return nil
        case .pending: return .pending
        case .caller(let caller):
            if caller.scopes.contains(scopes) { return .granted(caller) }
            return .refused(ProblemResponse.make(403, "the action needs the scope \(scopes)"))
        case .refused(let response):
            if response.status == 401 { credentials.rejections?.note(peer) }
            return .refused(response)
        }
    }

    private func judge(_ token: BearerToken, _ logger: Logger) -> Verdict {
        switch token {
        case .missing where isOptional: .anonymous
        case .missing:
            .refused(
                ProblemResponse.make(401, credentials.missing, fields: credentials.challenges())
            )
        case .malformed(let reason):
            .refused(refusal(400, reason, error: "invalid_request"))
        case .token(let token): judge(token, logger)
        }
    }

    /// Returns a check whether the token's bearer may still call; nil without a token.
    func standing(of token: BearerToken, _ logger: Logger) -> (@Sendable () -> Bool)? {
        guard case .token(let token) = token else { return nil }
        let bytes = Array(token)
        return { bytes.withUnsafeBufferPointer { isGood($0, logger) } }
    }

    private func isGood(_ token: ByteSpan, _ logger: Logger) -> Bool {
        switch judge(token, logger) {
        case .granted, .anonymous, .pending: true
        // A 5xx response means that the token can't be verified now, not that it was revoked.
        case .refused(let response): response.status >= 500
        }
    }

    private func judge(_ token: ByteSpan, _ logger: Logger) -> Verdict {
        if WebTokenVerifier.isToken(token), let webTokens = credentials.verifier(of: token) {
            return judge(webTokens.verify(token))
        }
        do {
            switch try credentials.tokens?.verify(token) {
            case .valid(let caller): return judge(caller)
            case .expired: return .refused(invalid("the token has expired"))
            case .unknown, nil: return .refused(invalid("the token is not valid"))
            }
        } catch {
            // The server can't tell a valid token from an invalid one: it neither accepts nor
            // rejects it.
            // The follower of a remote store logs its loss once.
            if credentials.tokens?.isWaiting != true {
                logger.error("tokens can't be read: \(error)")
            }
            return .refused(ProblemResponse.make(503, nil))
        }
    }

    private func judge(_ verdict: WebTokenVerifier.Verdict) -> Verdict {
        switch verdict {
        case .valid(let caller): judge(caller)
        case .refused(let error): .refused(invalid(error.reason))
        case .unavailable:
            .refused(
                ProblemResponse.make(
                    503,
                    "the token's key is unknown, and its issuer is unavailable",
                    fields: [("Retry-After", "1")]
                )
            )
        }
    }

    private func judge(_ caller: Caller) -> Verdict {
        caller.scopes.contains(scopes) ? .granted(caller) : .refused(insufficient)
    }

    private var insufficient: Response {
        refusal(
            403,
            "the action needs the scope \(scopes)",
            error: "insufficient_scope",
            scopes: scopes
        )
    }

    private func invalid(_ detail: String) -> Response {
        refusal(401, detail, error: "invalid_token")
    }

    /// A rejection with its challenge.
    ///
    /// Requests without credentials get no error code (RFC 6750 §3).
    private func refusal(
        _ status: UInt16,
        _ detail: String,
        error: String? = nil,
        scopes: Scopes? = nil
    ) -> Response {
        var challenge = #"Bearer realm="plugboard""#
        if let error {
            challenge += #", error="\#(error)", error_description="\#(detail)""#
        }
        if let scopes { challenge += #", scope="\#(scopes.text)""# }
        let fields =
            status == 401
            ? credentials.challenges(after: challenge) : [("WWW-Authenticate", challenge)]
        return ProblemResponse.make(status, detail, fields: fields)
    }
}

/// The bearer token in a request's head (RFC 6750 §2.1).
enum BearerToken {
    /// No token: the field is missing or has another scheme.
    case missing
    case malformed(String)
    case token(ByteSpan)

    init(_ head: RequestHead) {
        guard let value = head.field("authorization") else {
            self = .missing
            return
        }
        guard head.count(of: "authorization") == 1 else {
            self = .malformed("the request has more than one Authorization")
            return
        }
        let end = value.firstIndex(of: 0x20) ?? value.count
        // Scheme names are case-insensitive (RFC 9110 §11.1).
        guard value.slice(0, end).equals(lowercase: "bearer") else {
            self = .missing
            return
        }
        let token = value.slice(end, value.count).trimmed
        guard Self.isToken(token) else {
            self = .malformed("Authorization must be Bearer and one token")
            return
        }
        self = .token(token)
    }

    /// A `b64token` (RFC 6750 §2.1).
    private static func isToken(_ text: ByteSpan) -> Bool {
        var end = text.count
        while end > 0, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        return end > 0
            && text.slice(0, end).allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                // - . / _ ~ +
                case 0x2D, 0x2E, 0x2F, 0x5F, 0x7E, 0x2B: true
                default: false
                }
            }
    }
}
