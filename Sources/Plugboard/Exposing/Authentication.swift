import HTTPServer
import PlugHTTP

/// The result of a server's authenticators for one request, found before the request is handled.
final class Authentication: Sendable {
    /// The caller, the rejection, or neither.
    enum Outcome: Sendable {
        case caller(Caller)
        case refused(Response)
        /// The request has no credentials of an authenticator.
        case nobody
        /// An authenticator that may wait has to be asked.
        case pending
    }

    let outcome: Outcome

    init(_ outcome: Outcome) { self.outcome = outcome }
}
