public import HTTPTypes
import JSONCodec
public import Plug
import PlugHTTP

/// An action's output with its response's status and fields.
public struct ClientResponse<Output: Sendable>: Sendable {
    /// The output.
    public let output: Output
    /// The status, from 200 to 299.
    public let status: HTTPResponse.Status
    /// The fields, such as `Location` and `Link`.
    public let fields: HTTPFields
}

extension Client {
    /// Performs an action on the server and returns the whole response.
    ///
    /// ```swift
    /// let response = try await client.response(of: PostPhoto.self, input)
    /// print(response.status, response.fields[.location] ?? "")
    /// ```
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func response<A: ActionProtocol>(
        of action: A.Type,
        _ input: A.Input
    ) async throws -> ClientResponse<A.Output> where A.Input: Encodable, A.Output: Decodable {
        try await response(of: action, value(of: input))
    }

    /// Performs an action without input on the server and returns the whole response.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func response<A: ActionProtocol>(
        of action: A.Type
    ) async throws -> ClientResponse<A.Output> where A.Input == Void, A.Output: Decodable {
        try await response(of: action, ActionInput.nothing)
    }

    /// Performs an action that takes a body, and returns the whole response.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   the error of a piece of the body, or `CancellationError`.
    public func response<A: ActionProtocol>(
        of action: A.Type,
        _ body: RequestBody
    ) async throws -> ClientResponse<A.Output> where A.Input == RequestBody, A.Output: Decodable {
        try await response(of: action, .body(body))
    }

    private func response<A: ActionProtocol>(
        of action: A.Type,
        _ input: ActionInput
    ) async throws -> ClientResponse<A.Output> where A.Output: Decodable {
        let (response, body) = try await exchange(action, input)
        let names = (action as? any Endpoint.Type)?.responseFields ?? [:]
        let members = names.compactMap { member, name in
            response.headerFields[name].map {
                TextMember(name: member, text: $0, origin: .field)
            }
        }
        return ClientResponse(
            output: try decode(A.Output.self, from: body, adding: members),
            status: response.status,
            fields: response.headerFields
        )
    }
}
