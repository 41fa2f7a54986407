import HTTPServer
import Locking
import Logging
import PlugHTTP

extension Access {
    /// Returns a check whether a request's caller may still call; nil if nothing can end that.
    func standing(
        of request: borrowing Request,
        _ logger: Logger
    ) -> (@Sendable () -> Bool)? {
        if credentials.takesTestCallers, TestCaller.current != nil { return nil }
        let token = standing(of: BearerToken(request.head), logger)
        guard !credentials.authenticators.isEmpty || credentials.sessions != nil else {
            return token
        }
        let attempts = credentials.attempts(request.head, from: request.peer, areRechecks: true)
        let first = request.authentication?.outcome ?? credentials.identify(attempts, logger)
        guard case .caller = first else { return token }
        guard attempts.contains(where: \.authenticator.isLater) else {
            return { isGood(credentials.identify(attempts, logger)) }
        }
        return lateStanding(attempts, logger)
    }

    /// A check whose result is that of the check before, since an authenticator may wait.
    private func lateStanding(
        _ attempts: [Authentication.Attempt],
        _ logger: Logger
    ) -> @Sendable () -> Bool {
        let state = Locked((isGood: true, isAsking: false))
        return {
            let (isGood, asks) = state.withLock { state in
                defer { state.isAsking = true }
                return (state.isGood, !state.isAsking && state.isGood)
            }
            if asks {
                Task {
                    let isGood = self.isGood(await credentials.resolve(attempts, logger))
                    state.withLock { $0 = (isGood, false) }
                }
            }
            return isGood
        }
    }

    private func isGood(_ outcome: Authentication.Outcome) -> Bool {
        switch outcome {
        case .caller(let caller): caller.scopes.contains(scopes)
        case .refused(let response): response.status >= 500
        case .nobody: false
        case .pending: true
        }
    }
}
