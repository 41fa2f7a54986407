import HTTPSyntax
public import HTTPTypes
package import JSONCodec
public import Plug
package import PlugHTTP

/// The other end of a server's actions: `send` performs one there.
///
/// ```swift
/// let client = Client("http://localhost:8080")
/// let likes = try await client.send(LikePhoto.self, .init(id: 42))
/// LikePhoto.self <~ client
/// ```
/// Contracts are shared with the server, so method, path, query and body follow from the action's
/// type. A call throws the ``Problem`` that the server answers, or a ``ClientError`` where it
/// answers nothing that counts. It is part of the trace that the calling task is in: within an action
/// that a server performs, of the trace that its request came with (W3C Trace Context).
public struct Client: Sendable {
    /// The fields that go with each request, such as `Authorization`.
    public var fields: HTTPFields

    private let base: Result<BaseURL, ClientError>
    private let transport: any Transport

    /// A client of the server at a URL, whose path, if any, is a prefix of all paths.
    ///
    /// A text that is no such URL is an error of each call and not of this one, so that a client
    /// can be made where nothing may fail.
    ///
    /// A `token` goes with each request as `Authorization: Bearer` (RFC 6750).
    public init(_ url: String, fields: HTTPFields = [:], token: String? = nil) {
        self.init(url, fields: fields, token: token, transport: PlatformTransport.shared)
    }

    /// A client whose requests another transport carries.
    public init(
        _ url: String,
        fields: HTTPFields = [:],
        token: String? = nil,
        transport: any Transport
    ) {
        self.fields = fields
        if let token { self.fields[.authorization] = "Bearer \(token)" }
        self.transport = transport
        do throws(ClientError) {
            base = .success(try BaseURL(url))
        } catch {
            base = .failure(error)
        }
    }

    /// Whether a text is a URL that a client can be made of.
    package static func accepts(_ url: String) -> Bool { (try? BaseURL(url)) != nil }

    /// Performs an action at the server.
    ///
    /// - Throws: the server's ``Problem``, ``ClientError``, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws -> A.Output where A.Input: Encodable, A.Output: Decodable {
        try await decode(A.Output.self, from: exchange(action, json(of: input)))
    }

    /// Performs an action that gives nothing at the server.
    ///
    /// - Throws: the server's ``Problem``, ``ClientError``, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) async throws where A.Input: Encodable, A.Output == Void {
        _ = try await exchange(action, json(of: input))
    }

    /// Performs an action that takes nothing at the server.
    ///
    /// - Throws: the server's ``Problem``, ``ClientError``, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws -> A.Output where A.Input == Void, A.Output: Decodable {
        try await decode(A.Output.self, from: exchange(action, nil))
    }

    /// Performs an action that takes and gives nothing at the server.
    ///
    /// - Throws: the server's ``Problem``, ``ClientError``, or `CancellationError`.
    public func send<A: ActionProtocol>(
        _ action: A.Type
    ) async throws where A.Input == Void, A.Output == Void {
        _ = try await exchange(action, nil)
    }

    /// Gets the value at a path, with the query that the path may have.
    ///
    /// ```swift
    /// let user: ResponseUser = try await client.get("/users/7")
    /// ```
    /// The path is as on the wire: percent-encoded.
    /// - Throws: the server's ``Problem``, ``ClientError``, or `CancellationError`.
    public func get<Value: Decodable>(
        _ path: String,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await decode(type, from: exchange(.get, path, body: nil))
    }

    private func exchange(_ action: any ActionProtocol.Type, _ input: JSON?) async throws -> [UInt8]
    {
        let route: ActionRoute
        do throws(PathTemplate.Invalid) {
            route = try ActionRoute(action)
        } catch {
            throw ClientError(.invalidInput, error.description)
        }
        return try await send(route, input)
    }

    /// Performs the action at a route, an input of nil being `Void`, and gives the response's body.
    ///
    /// - Throws: the server's ``Problem``, ``ClientError``, or `CancellationError`.
    package func send(_ route: ActionRoute, _ input: JSON?) async throws -> [UInt8] {
        let request = try ActionRequest(route, input: input)
        return try await exchange(
            request.method,
            request.target,
            body: request.body,
            adding: request.fields,
            template: route.template.description
        )
    }

    /// Performs the action at a route, an input of nil being `Void`, and gives the response's body to
    /// `sink`, piece by piece, however large it is.
    ///
    /// It takes as long as it takes, as long as something comes.
    /// - Throws: the server's ``Problem``; ``ClientError``, also where the body breaks off, of which
    ///   `sink` has a part then; what `sink` throws; or `CancellationError`.
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

    /// Performs the action at a route with a body that comes from `source`, piece by piece, however large
    /// it is, of another media type than JSON.
    ///
    /// It takes as long as it takes, as long as something goes out.
    /// - Throws: the server's ``Problem``; ``ClientError``; what `source` throws, and then the server has a
    ///   body that breaks off; or `CancellationError`.
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
        )
    }

    /// The body of the response to a request, where it is a success.
    private func exchange(
        _ method: HTTPRequest.Method,
        _ target: String,
        body: [UInt8]?,
        adding ownFields: HTTPFields = [:],
        template: String? = nil,
        from source: BodySource? = nil,
        into sink: BodySink? = nil
    ) async throws -> [UInt8] {
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
            return answer
        case .clientError, .serverError:
            throw Problem(response, body: answer)
        case .redirection, .informational, .invalid:
            throw ClientError(
                .invalidResponse,
                "\(method) \(target) was answered with \(response.status.code), "
                    + "neither a success nor a problem"
            )
        }
    }

    private func json(of input: some Encodable) throws -> JSON {
        do {
            return try JSON(encoding: input)
        } catch {
            throw ClientError(.invalidInput, "The input is no JSON: \(error)")
        }
    }

    /// A value of a response's body; none at all stands for `null`, which is what an action without
    /// an output to speak of answers.
    private func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8]
    ) throws -> Value {
        do {
            return try JSON.decode(type, from: body.isEmpty ? Array("null".utf8) : body)
        } catch {
            throw ClientError(.invalidResponse, "The response is no \(type): \(error)")
        }
    }
}

extension Problem {
    /// The problem that a response of an error status says, or the bare status where it says none.
    ///
    /// The response's status counts, whatever the body's says (RFC 9457, 3.1.2).
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
