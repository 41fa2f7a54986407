import HTTPSyntax
import HTTPServer
import Logging

/// A server's middleware, which every reply passes.
///
/// The responder prepares a reply in any case, but an action is performed only when the middleware asks
/// for its response.
struct MiddlewareResponder {
    let middleware: [Middleware]
    let logger: Logger

    /// The reply that the middleware makes of a request's, ready or promised.
    func pass(_ reply: Reply, to request: borrowing Request, bodySize: Int = 0) -> Reply {
        let request = ServerRequest(request, bodySize: bodySize)
        return .later { [middleware, logger] in
            let response = await middleware.run(request, logger) {
                switch reply {
                case .now(let response): ServerResponse(response)
                case .later(let work): ServerResponse(await work())
                }
            }
            return response.response
        }
    }
}
