import HTTPServer
import Logging

/// A function between each request and its response.
///
/// It may respond itself, change the response, or only observe.
///
/// A server has a list of them, the outermost first:
/// ```swift
/// extension Middleware {
///     static let unindexed = Middleware { request, next in
///         var response = try await next()
///         if let name = HTTPField.Name("X-Robots-Tag") { response.fields[name] = "noindex" }
///         return response
///     }
/// }
/// let server = Server(middleware: [.requestID, .cors(), .unindexed]) { … }
/// ```
/// A server without middleware pays nothing for it. Middleware doesn't see requests that break the
/// protocol or a limit of the server (head, body or time). A request rejected for its head alone
/// may come without its body. Its connection closes after the response.
public struct Middleware: Sendable {
    /// Makes the response that would be sent without this middleware; for an error, its problem
    /// response.
    public typealias Next = @Sendable () async throws -> ServerResponse

    /// Handles a request.
    public typealias Handle =
        @Sendable (_ request: ServerRequest, _ next: Next) async throws -> ServerResponse

    /// Handles a request: returns the response of `next`, changed or not, or makes one without
    /// calling it.
    ///
    /// An error that it throws becomes the same problem as an action's error.
    public let handle: Handle

    /// The rule that the server applies for it, in addition to the function.
    let rule: PathRule?

    /// A middleware with that function.
    public init(_ handle: @escaping Handle) { self.init(nil, handle) }

    init(_ rule: PathRule?, _ handle: @escaping Handle) {
        self.rule = rule
        self.handle = handle
    }
}

extension [Middleware] {
    /// Runs a request through the middleware from `index` on, and at last through `last`.
    ///
    /// If a middleware throws, the outer ones see the error's problem as a response.
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
            return ServerResponse(ProblemResponse.make(error, performing: "middleware", logger))
        }
    }
}
