public import Plug
public import PlugHTTP

extension Client {
    /// Performs an action that takes a body on the server, and returns its output.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ body: RequestBody
    ) async throws -> A.Output where A.Input == RequestBody, A.Output: Decodable {
        try await response(of: action, body).output
    }

    /// Performs an action that takes a body and returns nothing on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ body: RequestBody
    ) async throws where A.Input == RequestBody, A.Output == Void {
        _ = try await exchange(action, .body(body))
    }

    /// Performs an action that takes a body on the server, and returns its response's body.
    ///
    /// The body arrives in pieces, of any size.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ body: RequestBody
    ) async throws -> ResponseBody where A.Input == RequestBody, A.Output == ResponseBody {
        try await responseBody(of: action, .body(body))
    }

    /// Performs an action that takes a body on the server, and returns its events.
    ///
    /// ``reconnection`` continues a stream whose connection broke, after the last event's id.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ body: RequestBody
    ) async throws -> EventStream where A.Input == RequestBody, A.Output == EventStream {
        try await events(of: action, .body(body))
    }

    /// Performs an action that takes a body on the server, and returns its stream of values.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ body: RequestBody
    ) async throws -> A.Output
    where A.Input == RequestBody, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
        A.Output.streaming(try await values(A.Output.Element.self, of: action, .body(body)))
    }

    /// Performs an action that takes a body on the server, and returns its stream of values.
    ///
    /// The stream of a client can throw, whatever the action's own type is.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ body: RequestBody
    ) async throws -> JSONLines<A.Output.Element>
    where
        A.Input == RequestBody,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Decodable & Sendable
    {
        JSONLines(next: try await values(A.Output.Element.self, of: action, .body(body)))
    }
}
