import HTTPServer
import Logging

/// Something that stands between every request and its response: it may answer itself, change the
/// response, or watch.
///
/// It is one function. Those of a server are listed, the outermost first:
/// ```swift
/// extension Middleware {
///     static let unindexed = Middleware { request, next in
///         var response = try await next()
///         if let name = HTTPField.Name("X-Robots-Tag") { response.fields[name] = "noindex" }
///         return response
///     }
/// }
/// let server = Server(middleware: [.requestID, .cors(origins: ["https://app.example"]), .unindexed]) { … }
/// ```
/// A server without any pays nothing for them. What the server refuses since it breaks the protocol or a
/// bound, of its head, its body or its time, doesn't come here. A request that is refused for its head
/// alone may come here without its body, and its connection ends with the answer.
public struct Middleware: Sendable {
    /// Makes the response that would be sent without this middleware: of an error within, the problem
    /// that it becomes.
    public typealias Next = @Sendable () async throws -> ServerResponse

    /// Handles a request.
    public typealias Handle =
        @Sendable (_ request: ServerRequest, _ next: Next) async throws -> ServerResponse

    /// Answers a request: with what `next` makes, changed or not, or without asking it.
    ///
    /// An error that it throws becomes the problem that it would become from an action.
    public let handle: Handle

    /// What it has the server do, beyond that function.
    let rule: PathRule?

    /// A middleware that is this function.
    public init(_ handle: @escaping Handle) { self.init(nil, handle) }

    init(_ rule: PathRule?, _ handle: @escaping Handle) {
        self.rule = rule
        self.handle = handle
    }
}

extension [Middleware] {
    /// Runs a request through these, from one on, to what makes the response.
    ///
    /// Those outside of one that throws see its problem as a response.
    func run(
        _ request: ServerRequest,
        from index: Int = 0,
        _ logger: Logger,
        _ last: @escaping @Sendable () async -> ServerResponse
    ) async -> ServerResponse {
        guard index < count else { return await last() }
        do {
            return try await self[index].handle(request) {
                await run(request, from: index + 1, logger, last)
            }
        } catch {
            return ServerResponse(ProblemAnswer.make(error, performing: "middleware", logger))
        }
    }
}
