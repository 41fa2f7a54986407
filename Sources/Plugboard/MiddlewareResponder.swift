import HTTPSyntax
import HTTPServer
import Logging

/// A loop's responder behind a server's middleware.
///
/// What it stands before prepares its answer in any case, but an action is performed only when the
/// middleware asks for its response.
final class MiddlewareResponder {
    private let inner: ServerResponder
    private let middleware: [Middleware]
    private let logger: Logger
    private unowned var loop: (any ServingLoop)?

    init(_ middleware: [Middleware], before inner: ServerResponder, logger: Logger) {
        self.middleware = middleware
        self.inner = inner
        self.logger = logger
    }

    func attach(_ loop: any ServingLoop) { self.loop = loop }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        answer(head, bodySize: body.count) { inner.respond(head, body: body) }
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        answer(head, bodySize: 0) { inner.respond(head, stream: stream) }
    }

    private func answer(_ head: RequestHead, bodySize: Int, _ answer: () -> Reply) -> Reply {
        inner.caller = nil
        return pass(answer(), to: head, bodySize: bodySize)
    }

    /// Has an answer that is there, or on its way, pass the middleware.
    func pass(_ reply: Reply, to head: RequestHead, bodySize: Int = 0) -> Reply {
        let request = ServerRequest(
            head,
            bodySize: bodySize,
            of: loop?.clientCertificate,
            from: inner.caller
        )
        return run(request, before: reply)
    }

    private func run(_ request: ServerRequest, before reply: Reply) -> Reply {
        .later { [middleware, logger] in
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
