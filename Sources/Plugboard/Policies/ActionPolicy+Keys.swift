import HTTPSyntax
import HTTPServer
import Logging
import PlugHTTP

/// Requests with an `Idempotency-Key`.
extension ActionPolicy {
    /// Identifies the owner of a request's key; nil without a key, and for actions with callers.
    func owners(of request: borrowing Request, for action: ExposedAction) -> Access? {
        guard access == nil, let callers = keys?.callers,
            request.head.demands.contains(.idempotency), usesKeys(request, action)
        else { return nil }
        return callers
    }

    /// Rejects an invalid key if the action uses keys.
    func checkKey(_ head: RequestHead) throws(Problem) {
        guard keys != nil, head.demands.contains(.idempotency) else { return }
        _ = try IdempotencyKey.text(in: head)
    }

    /// Returns the request's idempotency key; nil if it is performed without one.
    func key(
        _ request: borrowing Request,
        _ action: ExposedAction
    ) throws(Problem) -> IdempotencyKey? {
        guard let keys, usesKeys(request, action) else { return nil }
        guard request.head.demands.contains(.idempotency) else {
            guard keys.areNeeded else { return nil }
            let owner = request.item == nil ? "an" : "its batch's"
            throw .badRequest("the action needs \(owner) Idempotency-Key")
        }
        guard action.stream == nil else {
            throw .badRequest("the action streams its body, so it accepts no Idempotency-Key")
        }
        let owner = request.caller?.id ?? request.keyOwner
        let authenticators = keys.callers?.credentials.authenticators ?? []
        return try IdempotencyKey(
            request,
            for: action,
            of: owner,
            unverified: owner == nil ? request.credentials(for: authenticators) : nil
        )
    }

    /// Whether a request for an action may have a key.
    private func usesKeys(_ request: borrowing Request, _ action: ExposedAction) -> Bool {
        let method = request.method(for: action)
        return (method == .post || method == .patch) && !action.declarations.delegatesKeyToItems
    }

    /// Runs a request with a key once.
    func once(
        _ key: IdempotencyKey?,
        _ request: borrowing Request,
        _ body: ByteSpan,
        _ action: ExposedAction,
        _ logger: Logger,
        _ reply: Reply
    ) -> Reply {
        guard let key, let keys, case .later(let work) = reply else { return reply }
        let claim = IdempotencyClaim(key, of: request, body, for: action)
        let (idempotency, isConfidential) = (keys.idempotency, keys.isConfidential)
        return .later {
            await idempotency.answer(claim, isConfidential: isConfidential, logger, work)
        }
    }
}
