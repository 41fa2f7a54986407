import HTTPSyntax
public import HTTPTypes
package import JSONCodec
public import Plug
package import PlugHTTP

/// A client that performs a server's actions with `send`.
///
/// ```swift
/// let client = Client("http://localhost:8080")
/// let likes = try await client.send(LikePhoto.self, .init(id: 42))
/// LikePhoto.self <~ client
/// ```
/// The server shares the contracts, so method, path, query and body follow from the action's type.
/// A call throws the action's `DeclaredProblem` or another `Problem` of the server, or a
/// `ClientError` if there is no valid response. It belongs to the calling task's trace: within a
/// server's action, to the trace of that server's request (W3C Trace Context).
public struct Client: Sendable {
    /// The fields of each request, such as `Authorization`.
    public var fields: HTTPFields

    private let base: Result<BaseURL, ClientError>
    /// The transport of each request.
    package var transport: any Transport

    /// Creates a client for a URL, whose path, if any, is a prefix of all paths.
    ///
    /// An invalid URL is an error of each call, not of the initializer. So a global constant can
    /// hold a client.
    ///
    /// A `token` is sent with each request as `Authorization: Bearer` (RFC 6750). A line end after
    /// it is removed, since files end with one. Any other token that can't be sent is an error of
    /// each call.
    public init(_ url: String, fields: HTTPFields = [:], token: String? = nil) {
        self.init(url, fields: fields, token: token, transport: PlatformTransport.shared)
    }

    /// Creates a client with another transport.
    public init(
        _ url: String,
        fields: HTTPFields = [:],
        token: String? = nil,
        transport: any Transport
    ) {
        self.fields = fields
        self.transport = transport
        do throws(ClientError) {
            if let token {
                self.fields[.authorization] = "Bearer \(try SentToken(token).text)"
            }
            base = .success(try BaseURL(url))
        } catch {
            base = .failure(error)
        }
    }

    /// Returns whether a text is a valid URL for a client.
    package static func accepts(_ url: String) -> Bool { (try? BaseURL(url)) != nil }

    /// Performs an action on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> A.Output where A.Input: Encodable, A.Output: Decodable {
        try await response(of: action, input).output
    }

    /// Performs an action without output on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws where A.Input: Encodable, A.Output == Void {
        _ = try await exchange(action, json(of: input))
    }

    /// Performs an action without input on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> A.Output where A.Input == Void, A.Output: Decodable {
        try await response(of: action).output
    }

    /// Performs an action without input and output on the server.
    ///
    /// - Throws: The action's `DeclaredProblem`, another `Problem` of the server, `ClientError`,
    ///   or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws where A.Input == Void, A.Output == Void {
        _ = try await exchange(action, nil)
    }

    /// Gets the value at a path, which may include a query.
    ///
    /// ```swift
    /// let user: ResponseUser = try await client.get("/users/7")
    /// ```
    /// The path must be percent-encoded.
    /// - Throws: The server's `Problem`, `ClientError`, or `CancellationError`.
    public func get<Value: Decodable>(
        _ path: String,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: exchange(.get, path, body: nil).1)
    }

    func exchange(
        _ action: any ActionProtocol.Type,
        _ input: JSON?
    ) async throws -> (HTTPResponse, [UInt8]) {
        let route: ActionRoute
        do throws(PathTemplate.Invalid) {
            route = try ActionRoute(action)
        } catch {
            throw ClientError(.invalidInput, error.description)
        }
        do {
            return try await exchange(ActionRequest(route, input: input), of: route)
        } catch let problem as Problem {
            throw problem.declared(by: action)
        }
    }

    private func exchange(
        _ request: ActionRequest,
        of route: ActionRoute
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await exchange(
            request.method,
            request.target,
            body: request.body,
            adding: request.fields,
            template: route.template.description
        )
    }

    /// Performs the action at a route and returns the response's body; a nil input is `Void`.
    ///
    /// - Throws: The server's `Problem`, `ClientError`, or `CancellationError`.
    package func send(_ route: ActionRoute, _ input: JSON?) async throws -> [UInt8] {
        try await exchange(ActionRequest(route, input: input), of: route).1
    }

    /// Performs the action at a route and streams the response's body of any size to `sink`.
    ///
    /// A nil input is `Void`. The timeout applies to each piece, not to the whole body.
    /// - Throws: The server's `Problem`; `ClientError`, also for an incomplete body, part of
    ///   which `sink` has received; the error of `sink`; or `CancellationError`.
    package func send(
        _ route: ActionRoute,
        _ input: JSON?,
        into sink: @escaping BodySink
    ) async throws {
        let request = try ActionRequest(route, input: input)
        _ = try await exchange(
            request.method,
            request.target,
            body: request.body,
            adding: request.fields,
            template: route.template.description,
            into: sink
        )
    }

    /// Performs the action at a route with a streamed body of any size and a media type other than
    /// JSON.
    ///
    /// The timeout applies to each piece, not to the whole body.
    /// - Throws: The server's `Problem`; `ClientError`; the error of `source`, after which the
    ///   server has an incomplete body; or `CancellationError`.
    package func send(
        _ route: ActionRoute,
        from source: @escaping BodySource,
        mediaType: String
    ) async throws -> [UInt8] {
        let request = try ActionRequest(route, input: nil)
        return try await exchange(
            request.method,
            request.target,
            body: nil,
            adding: [.contentType: mediaType],
            template: route.template.description,
            from: source
        ).1
    }

    /// Sends a request and returns the response if it is a success.
    private func exchange(
        _ method: HTTPRequest.Method,
        _ target: String,
        body: [UInt8]?,
        adding ownFields: HTTPFields = [:],
        template: String? = nil,
        from source: BodySource? = nil,
        into sink: BodySink? = nil
    ) async throws -> (HTTPResponse, [UInt8]) {
        let base = try base.get()
        guard target.hasPrefix("/") else {
            throw ClientError(.invalidInput, "The path \"\(target)\" must start with \"/\"")
        }
        var request = HTTPRequest(
            method: method,
            scheme: base.scheme,
            authority: base.authority.text,
            path: base.prefix + target,
            headerFields: fields
        )
        for field in ownFields { request.headerFields[field.name] = field.value }
        if request.headerFields[.accept] == nil {
            request.headerFields[.accept] = "application/json, \(Problem.mediaType)"
        }
        if body != nil, ownFields[.contentType] == nil {
            request.headerFields[.contentType] = "application/json"
        }

        let (response, answer) = try await sendTraced(
            request,
            body: body ?? [],
            to: base,
            template: template,
            over: transport,
            from: source,
            into: sink
        )
        switch response.status.kind {
        case .successful:
            return (response, answer)
        case .clientError, .serverError:
            throw Problem(response, body: answer)
        case .redirection, .informational, .invalid:
            throw ClientError(
                .invalidResponse,
                "The response to \(method) \(target) has status \(response.status.code), "
                    + "which is neither a success nor a problem"
            )
        }
    }

    func json(of input: some Encodable) throws -> JSON {
        do {
            return try JSON(encoding: input)
        } catch {
            throw ClientError(.invalidInput, "The input can't be encoded as JSON: \(error)")
        }
    }

    /// Decodes a response's body.
    ///
    /// An empty body counts as `null`: an action without a value to return sends none.
    ///
    /// Members in header fields are added to it.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        adding members: [TextMember] = []
    ) throws -> Value {
        do {
            guard !members.isEmpty else {
                return try JSON.decode(type, from: body.isEmpty ? Array("null".utf8) : body)
            }
            return try body.withUnsafeBytes { try JSON.decode(type, from: $0, text: members) }
        } catch {
            throw ClientError(.invalidResponse, "The response is not of type \(type): \(error)")
        }
    }
}

extension Problem {
    /// Creates the problem of an error response; without one in the body, it is the status alone.
    ///
    /// The response's status overrides the one in the body (RFC 9457 §3.1.2).
    fileprivate init(_ response: HTTPResponse, body: [UInt8]) {
        let type = response.headerFields[.contentType].map(MediaType.essence)
        let isProblem = type == Problem.mediaType
        if isProblem, let problem = try? JSON.decode(Problem.self, from: body) {
            self = problem
            status = response.status
        } else {
            self.init(status: response.status)
        }
    }
}
