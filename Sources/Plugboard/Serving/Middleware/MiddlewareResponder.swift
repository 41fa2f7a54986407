import HTTPSyntax
import HTTPServer
import Logging

/// Runs each reply through a server's middleware.
///
/// The responder prepares each reply first. But an action runs only when the middleware calls
/// `next`.
struct MiddlewareResponder {
    let middleware: [Middleware]
    let origins: AllowedOrigins
    let logger: Logger

    /// Returns the reply after the middleware.
    func pass(_ reply: Reply, to request: borrowing Request, bodySize: Int = 0) -> Reply {
        let request = ServerRequest(request, bodySize: bodySize, origins: origins)
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
