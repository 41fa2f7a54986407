public import Plug
public import PlugHTTP

extension Client {
    /// Performs an action on the server, and returns its output.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> A.Output where A.Input: Encodable, A.Output: Decodable {
        try await response(of: action, input).output
    }

    /// Performs an action and without output on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws where A.Input: Encodable, A.Output == Void {
        _ = try await exchange(action, value(of: input))
    }

    /// Performs an action on the server, and returns its response's body.
    ///
    /// The body arrives in pieces, of any size.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> ResponseBody where A.Input: Encodable, A.Output == ResponseBody {
        try await responseBody(of: action, value(of: input))
    }

    /// Performs an action on the server, and returns its events.
    ///
    /// ``reconnection`` continues a stream whose connection broke, after the last event's id.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> EventStream where A.Input: Encodable, A.Output == EventStream {
        try await events(of: action, value(of: input))
    }

    /// Performs an action on the server, and returns its stream of values.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> A.Output
    where A.Input: Encodable, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
        A.Output.streaming(
            try await values(A.Output.Element.self, of: action, value(of: input))
        )
    }

    /// Performs an action on the server, and returns its stream of values.
    ///
    /// The stream of a client can throw, whatever the action's own type is.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> JSONLines<A.Output.Element>
    where
        A.Input: Encodable,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Decodable & Sendable
    {
        JSONLines(
            next: try await values(A.Output.Element.self, of: action, value(of: input))
        )
    }
}
