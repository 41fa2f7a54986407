import HTTPServer
import HTTPSyntax
import PlugHTTP

/// A copy of a request that is handled after its caller has been identified.
///
/// `@unchecked Sendable`: it is immutable, and used on the request's loop only.
private final class HeldRequest: @unchecked Sendable {
    private let head: HeadCopy
    private let peer: Peer
    /// The peer refers to its session, which ends with the connection.
    private let session: AnyObject?
    /// The start of the request's work, which includes the wait for the authenticator.
    private let began: Int

    init(_ incoming: borrowing IncomingRequest) {
        head = HeadCopy(incoming.head)
        peer = incoming.peer
        session = incoming.peer.owner
        began = Request.start(of: incoming)
    }

    func respond(
        with authentication: Authentication,
        _ respond: (borrowing IncomingRequest) -> Reply
    ) -> Reply {
        withExtendedLifetime(self) {
            let admitted = Request.Admitted(authentication, of: began)
            return respond(IncomingRequest(head.place, from: peer, admitted: admitted))
        }
    }
}

extension ServerResponder {
    /// Whether a request's caller has to be identified by an authenticator that may wait.
    ///
    /// Only a request for an action or a document with callers has to wait for it, and one with an
    /// `Idempotency-Key`, which belongs to its caller.
    @inline(never)
    func isPending(_ incoming: borrowing IncomingRequest) -> Bool {
        guard let credentials = callers?.credentials, credentials.isLater(incoming.head) else {
            return false
        }
        var request = begin(incoming)
        guard request.authentication == nil else { return false }
        defer { returnDescriptors(&request.members) }
        guard let (action, policy) = try? match(&request) else {
            return mayBeDocument(incoming.head)
        }
        guard !action.declarations.delegatesKeyToItems else { return true }
        let governing = policy?.actionPolicy ?? self.policy(request.head)
        return governing?.needsCaller(of: request, for: action) == true
    }

    private func mayBeDocument(_ head: RequestHead) -> Bool {
        behaviors != nil && head.path.equals(BehaviorsResponse.path)
            || named != nil && NamedBehaviors.fits(head.path)
    }

    /// Identifies a request's caller, then responds to a copy of the request on the same loop.
    ///
    /// `respond` gets the copy with the result, and runs before the request's connection ends or not
    /// at all.
    func identifying(
        _ incoming: borrowing IncomingRequest,
        _ respond: @escaping (borrowing IncomingRequest) -> Reply
    ) -> Reply {
        guard let credentials = callers?.credentials else { return respond(incoming) }
        let attempts = credentials.attempts(incoming.head, from: incoming.peer)
        let held = HeldRequest(incoming)
        // The task runs on this loop, as this responder does.
        nonisolated(unsafe) let respond = respond
        return .later { [logger] in
            let outcome = await credentials.resolve(attempts, logger)
            // After the connection's end the loop may have ended, too.
            guard !Task.isCancelled else { return ProblemResponse.make(503, nil) }
            switch held.respond(with: Authentication(outcome), respond) {
            case .now(let response): return response
            case .later(let work): return await work()
            }
        }
    }
}
