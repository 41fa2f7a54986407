public import Plug
public import PlugHTTP

extension Client {
    /// Performs an action without input on the server, and returns its output.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> A.Output where A.Input == Void, A.Output: Decodable {
        try await response(of: action).output
    }

    /// Performs an action without input and without output on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws where A.Input == Void, A.Output == Void {
        _ = try await exchange(action, .nothing)
    }

    /// Performs an action without input on the server, and returns its response's body.
    ///
    /// The body arrives in pieces, of any size.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> ResponseBody where A.Input == Void, A.Output == ResponseBody {
        try await responseBody(of: action, .nothing)
    }

    /// Performs an action without input on the server, and returns its events.
    ///
    /// ``reconnection`` continues a stream whose connection broke, after the last event's id.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> EventStream where A.Input == Void, A.Output == EventStream {
        try await events(of: action, .nothing)
    }

    /// Performs an action without input on the server, and returns its stream of values.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> A.Output
    where A.Input == Void, A.Output: StreamedOutput, A.Output.Element: Decodable & Sendable {
        A.Output.streaming(try await values(A.Output.Element.self, of: action, .nothing))
    }

    /// Performs an action without input on the server, and returns its stream of values.
    ///
    /// The stream of a client can throw, whatever the action's own type is.
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> JSONLines<A.Output.Element>
    where
        A.Input == Void,
        A.Output: AsyncSequence & Sendable,
        A.Output.Element: Decodable & Sendable
    {
        JSONLines(next: try await values(A.Output.Element.self, of: action, .nothing))
    }
}
