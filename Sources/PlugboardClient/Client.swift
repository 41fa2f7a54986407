import HTTPSyntax
public import HTTPTypes
package import JSONCodec
import Plug
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
    /// The reconnection of event streams whose connection broke.
    public var reconnection = EventReconnection()

    /// Receives a warning before a token goes over plain http to another host, once for each host.
    ///
    /// The default writes to the standard error.
    public var warn = TokenWarning.print

    /// The time of each call; nil for the transport's.
    var timeout: Duration?
    let base: Result<BaseURL, ClientError>
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
        let request = OutgoingRequest(.get, path, accept: OutgoingRequest.json)
        return try await decode(type, from: exchange(request).1)
    }

    /// Performs an action and returns the complete response.
    func exchange(
        _ action: any ActionProtocol.Type,
        _ input: ActionInput
    ) async throws -> (HTTPResponse, [UInt8]) {
        try await declaring(action) {
            let accept = OutgoingRequest.json(of: action)
            return try await exchange(OutgoingRequest(action, input, accept: accept))
        }
    }

    /// Performs an action and returns its response after the head.
    func open(
        _ action: any ActionProtocol.Type,
        _ input: ActionInput,
        accept: String,
        fields: HTTPFields = [:]
    ) async throws -> (HTTPResponse, BodyPieces) {
        try await declaring(action) {
            var request = try OutgoingRequest(action, input, accept: accept)
            for field in fields { request.fields[field.name] = field.value }
            return try await open(request)
        }
    }

    private func declaring<Result>(
        _ action: any ActionProtocol.Type,
        _ operation: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await operation()
        } catch let problem as Problem {
            throw problem.declared(by: action)
        }
    }

    /// Performs the action at a route and returns the response's body; a nil input is `Void`.
    ///
    /// - Throws: The server's `Problem`, `ClientError`, or `CancellationError`.
    package func send(_ route: ActionRoute, _ input: JSON?) async throws -> [UInt8] {
        try await exchange(OutgoingRequest(route, input, accept: OutgoingRequest.json)).1
    }

    /// Performs the action at a route and passes the response's body of any size to `sink`.
    ///
    /// A nil input is `Void`. The timeout applies to each piece, not to the whole body.
    /// - Throws: The server's `Problem`; `ClientError`, also for an incomplete body, part of
    ///   which `sink` has received; the error of `sink`; or `CancellationError`.
    package func send(
        _ route: ActionRoute,
        _ input: JSON?,
        into sink: ([UInt8]) throws -> Void
    ) async throws {
        let request = try OutgoingRequest(route, input, accept: OutgoingRequest.json)
        for try await piece in try await open(request).1 { try sink(piece) }
    }

    /// Performs the action at a route with a body of any size.
    ///
    /// The timeout applies to each piece, not to the whole body.
    /// - Throws: The server's `Problem`; `ClientError`; the error of a piece, after which the
    ///   server has an incomplete body; or `CancellationError`.
    package func send(_ route: ActionRoute, _ body: RequestBody) async throws -> [UInt8] {
        let request = try OutgoingRequest(route, body, accept: OutgoingRequest.json)
        return try await exchange(request).1
    }

    /// Sends a request and returns the response if it is a success.
    ///
    /// - Throws: The server's `Problem`, `ClientError`, or `CancellationError`.
    func exchange(_ outgoing: OutgoingRequest) async throws -> (HTTPResponse, [UInt8]) {
        let (response, body) = try await perform(outgoing)
        try check(response, body, outgoing)
        return (response, body)
    }

    /// Sends a request and returns the response after its head if it is a success.
    func open(_ outgoing: OutgoingRequest) async throws -> (HTTPResponse, BodyPieces) {
        let base = try base.get()
        let request = try prepared(outgoing, to: base)
        let (response, pieces) = try await traced(request, to: base, outgoing.template) { request in
            try await limited(request) { try await transport.stream($0, body: outgoing.body) }
        }
        guard response.status.kind != .successful else { return (response, pieces) }
        try check(response, await pieces.collect(), outgoing)
        return (response, pieces)
    }

    /// Sends a request and returns the response, of any status.
    func perform(_ outgoing: OutgoingRequest) async throws -> (HTTPResponse, [UInt8]) {
        let base = try base.get()
        let request = try prepared(outgoing, to: base)
        return try await traced(request, to: base, outgoing.template) { request in
            try await limited(request) { request in
                switch outgoing.body {
                case .bytes(let bytes): return try await transport.send(request, body: bytes)
                case .pieces:
                    let (response, pieces) = try await transport.stream(
                        request,
                        body: outgoing.body
                    )
                    return (response, try await pieces.collect(upTo: Self.maximumStreamedResponse))
                }
            }
        }
    }

    private func prepared(
        _ outgoing: OutgoingRequest,
        to base: BaseURL
    ) throws(ClientError) -> HTTPRequest {
        let request = try outgoing.request(to: base, fields)
        if let text = TokenWarning.text(for: request, to: base.authority) { warn(text) }
        return request
    }

    /// The maximum size of the complete response to a streamed body.
    private static let maximumStreamedResponse = 16 << 20

    /// Checks a response's status.
    private func check(
        _ response: HTTPResponse,
        _ body: [UInt8],
        _ request: OutgoingRequest
    ) throws {
        switch response.status.kind {
        case .successful: return
        case .clientError, .serverError: throw Problem(response, body: body)
        case .redirection, .informational, .invalid:
            throw ClientError(
                .invalidResponse,
                "The response to \(request.method) \(request.target) has status "
                    + "\(response.status.code), which is neither a success nor a problem"
            )
        }
    }

    /// Returns an action's input in the form that is sent.
    func value(of input: some Encodable) throws -> ActionInput {
        let json = try json(of: input)
        guard let input = input as? any InputWithBody else { return .value(json) }
        return .parameters(json, try input.requestBody())
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
                return try JSON.decodeResponse(type, from: body.isEmpty ? Array("null".utf8) : body)
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
            let isJSON = type == "application/json" || type?.hasSuffix("+json") == true
            if isJSON { self.body = try? JSON(parsing: body) }
        }
    }
}
