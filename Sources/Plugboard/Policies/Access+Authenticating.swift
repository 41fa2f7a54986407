import BehaviorStore
import HTTPServer
import HTTPSyntax
import Logging
import PlugHTTP
import AdministrationStore

extension Authentication {
    /// The credentials that one authenticator has to check; nil for several in one place.
    struct Attempt: Sendable {
        let authenticator: Authenticator
        let credential: Authenticator.Credential?
    }
}

extension Access.Credentials {
    /// Whether a request has credentials that only an authenticator that waits can check.
    func isLater(_ head: RequestHead) -> Bool {
        authenticators.contains { authenticator in
            guard authenticator.isLater else { return false }
            if case .missing = authenticator.place.find(in: head) { return false }
            return true
        }
    }

    /// Whether a request has credentials of one of the authenticators.
    func areShown(in head: RequestHead) -> Bool {
        authenticators.contains { authenticator in
            if case .missing = authenticator.place.find(in: head) { false } else { true }
        }
    }

    /// Returns the credentials in a request, for the authenticators in their order.
    ///
    /// Each cookie of sessions is an attempt of its own: another port of the host can add some, which
    /// must not lock a person out. `areRechecks` is whether they are for the checks of an open stream.
    func attempts(
        _ head: RequestHead,
        from peer: Peer,
        areRechecks: Bool = false
    ) -> [Authentication.Attempt] {
        var request: ServerRequest?
        func attempt(_ authenticator: Authenticator, _ text: String) -> Authentication.Attempt {
            let shown = request ?? ServerRequest(head, from: peer)
            request = shown
            let credential = Authenticator.Credential(
                text: text,
                request: shown,
                isRecheck: areRechecks
            )
            return .init(authenticator: authenticator, credential: credential)
        }
        var attempts = authenticators.compactMap { authenticator -> Authentication.Attempt? in
            guard authenticator.isAsked else { return nil }
            switch authenticator.place.find(in: head) {
            case .missing: return nil
            case .several: return .init(authenticator: authenticator, credential: nil)
            case .text(let text): return attempt(authenticator, text.text)
            }
        }
        if let sessions {
            attempts += SessionCookie.values(in: head).map { attempt(sessions, $0) }
        }
        return attempts
    }

    /// Asks the authenticators in their order, up to the first that may wait.
    func identify(_ attempts: [Authentication.Attempt], _ logger: Logger) -> Authentication.Outcome
    {
        for attempt in attempts {
            guard let credential = attempt.credential else { return .refused(several(attempt)) }
            do {
                switch attempt.authenticator.check {
                case .now(let check):
                    if let caller = try check(credential) { return accept(caller, attempt, logger) }
                case .later: return .pending
                case .webTokens: continue
                }
            } catch {
                return .refused(rejection(error, attempt, logger))
            }
        }
        return .nobody
    }

    /// Asks all authenticators in their order.
    nonisolated(nonsending) func resolve(
        _ attempts: [Authentication.Attempt],
        _ logger: Logger
    ) async -> Authentication.Outcome {
        for attempt in attempts {
            guard let credential = attempt.credential else { return .refused(several(attempt)) }
            do {
                let caller: Caller? =
                    switch attempt.authenticator.check {
                    case .now(let check): try check(credential)
                    case .later(let check): try await check(credential)
                    case .webTokens: nil
                    }
                if let caller { return accept(caller, attempt, logger) }
            } catch {
                return .refused(rejection(error, attempt, logger))
            }
        }
        return .nobody
    }

    /// Accepts a caller that limits and audits can identify.
    private func accept(
        _ caller: Caller,
        _ attempt: Authentication.Attempt,
        _ logger: Logger
    ) -> Authentication.Outcome {
        let isSession = attempt.authenticator.place == sessions?.place
        guard !caller.id.isEmpty, isSession || !Author.isReserved(caller.id),
            Author(id: caller.id, name: caller.name).canBeKept
        else {
            let words = attempt.authenticator.place.words
            let reason =
                "its id or name is empty, too long, not one line, or reserved: give ids a prefix "
                + "of their own"
            logger.error("the authenticator of \(words) returned an invalid caller: \(reason)")
            return .refused(ProblemResponse.make(500, nil))
        }
        return .caller(implied.expand(caller))
    }

    // MARK: Rejecting

    private func several(_ attempt: Authentication.Attempt) -> Response {
        ProblemResponse.make(
            400,
            "the request has more than one of \(attempt.authenticator.place.words)"
        )
    }

    /// The response to an authenticator's error.
    private func rejection(
        _ error: any Error,
        _ attempt: Authentication.Attempt,
        _ logger: Logger
    ) -> Response {
        let problem = (error as? any ProblemConvertible)?.problem
        let status = problem?.status.code ?? (error is DecodingError ? 401 : 503)
        if status >= 500 {
            let words = attempt.authenticator.place.words
            logger.error("\(words) can't be checked: \(TokenMask.masked("\(error)"))")
        }
        guard status < 500 else {
            return problem.map { ProblemResponse.make($0) }
                ?? ProblemResponse.make(503, nil, fields: [("Retry-After", "1")])
        }
        if status == 429, let problem { return ProblemResponse.make(problem) }
        return ProblemResponse.make(
            401,
            problem?.detail
                ?? "the credentials in \(attempt.authenticator.place.words) are invalid",
            fields: challenges(after: attempt.authenticator.failedChallenge)
        )
    }

    /// Whether the server accepts bearer tokens without an authenticator.
    private var acceptsBearers: Bool {
        tokens != nil || webTokens != nil || !otherIssuers.isEmpty || authenticators.isEmpty
    }

    /// The challenges of a 401, a line each: the first, then those of all other kinds
    /// (RFC 9110 §11.6.1).
    func challenges(after first: String? = nil) -> [(name: String, value: String)] {
        var all = first.map { [$0] } ?? []
        let own = acceptsBearers ? [Authenticator.Place.bearer.challenge] : []
        for challenge in own + authenticators.filter(\.isAsked).map(\.challenge)
        where !all.contains(where: { $0 == challenge || $0.hasPrefix(challenge + ",") }) {
            all.append(challenge)
        }
        return all.map { ("WWW-Authenticate", $0) }
    }

    /// The detail of a 401 without credentials.
    var missing: String {
        let asked = authenticators.filter(\.isAsked).map(\.place.words)
        guard !asked.isEmpty else { return "the action needs a bearer token" }
        let all = (acceptsBearers ? ["a bearer token"] : []) + asked
        return "the action needs credentials: \(all.joined(separator: " or "))"
    }
}

extension Authenticator {
    /// The challenge after invalid credentials; that of bearer tokens has a code (RFC 6750 §3.1).
    fileprivate var failedChallenge: String {
        guard case .authorization(let scheme) = place, scheme.lowercased() == "bearer" else {
            return challenge
        }
        return challenge + #", error="invalid_token""#
    }
}

extension [Authenticator] {
    /// Start-up errors: invalid names and challenges, one sentence each.
    var problems: [String] {
        let challenges = filter { authenticator in
            !(authenticator.challenge.utf8.first.map(ByteClass.isToken) ?? false)
                || !authenticator.challenge.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
        return compactMap(\.place.problem)
            + challenges.filter { $0.place.problem == nil }.map {
                "the challenge of \($0.place.words) is invalid: use visible ASCII that begins with "
                    + "the scheme's name"
            }
    }
}

extension Caller {
    /// The identifier of the caller that signed in with the console's link.
    static let console = "console"
}

extension Author {
    /// Whether an identifier belongs to an author without an authenticator: a certificate, the
    /// server, its console or a file.
    fileprivate static func isReserved(_ id: String) -> Bool {
        Caller.isCertificate(id) || id == AdministrationAuthor.server.id || id == editor.id
            || id == Caller.console
    }
}
