import HTTPTransport
import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// An action's input in the form that a client sends.
enum ActionInput: Sendable {
    /// `Void`.
    case nothing
    case value(JSON)
    case body(RequestBody)
    /// Members in the path, the fields and the query, and the body of an ``InputWithBody``.
    case parameters(JSON, RequestBody?)
}

extension ActionInput {
    /// The body that the input brings; nil if its members are the body, or it has none.
    var body: RequestBody? {
        switch self {
        case .nothing, .value: nil
        case .body(let body): body
        case .parameters(_, let body): body
        }
    }
}

/// A request without the client's URL and fields.
struct OutgoingRequest: Sendable {
    let method: HTTPRequest.Method
    /// The path with the query.
    let target: String
    var body = TransportBody.none
    /// The request's own fields, which override the client's.
    var fields: HTTPFields = [:]
    /// The media types that the caller reads, unless the client's fields name others.
    let accept: String
    /// The path's template, if known: `/photos/{id}`.
    var template: String?
    /// Whether the target includes the path of the client's URL.
    var isComplete = false

    /// The media types of a response with a value.
    static let json = "application/json, \(Problem.mediaType)"

    /// The media types of an action's response with a value.
    static func json(of action: any ActionProtocol.Type) -> String {
        guard let type = (action as? any Endpoint.Type)?.mediaType else { return json }
        return "\(type), application/json;q=0.9, \(Problem.mediaType)"
    }

    init(_ method: HTTPRequest.Method, _ target: String, accept: String) {
        self.method = method
        self.target = target
        self.accept = accept
    }

    /// Creates the request of an action.
    init(
        _ action: any ActionProtocol.Type,
        _ input: ActionInput,
        accept: String
    ) throws(ClientError) {
        let route: ActionRoute
        do throws(PathTemplate.Invalid) {
            route = try ActionRoute(action)
        } catch {
            throw ClientError(.invalidInput, error.description)
        }
        switch input {
        case .nothing: try self.init(route, nil, accept: accept)
        case .value(let value): try self.init(route, value, accept: accept)
        case .body(let body): try self.init(route, body, accept: accept)
        case .parameters(let members, let body):
            try self.init(route, members, body, accept: accept)
        }
        if action is any RequiresIdempotencyKey.Type {
            fields[.idempotencyKey] = IdempotencyKey.make()
        }
    }

    /// Creates the request of the action at a route; a nil input is `Void`.
    init(_ route: ActionRoute, _ input: JSON?, accept: String) throws(ClientError) {
        let request = try ActionRequest(route, input: input)
        self.init(request.method, request.target, accept: accept)
        body = .bytes(request.body ?? [])
        fields = request.fields
        template = route.template.description
        if fields[.contentType] == nil { fields[.contentType] = request.mediaType }
    }

    /// Creates the request of the action at a route with a body of any media type.
    init(_ route: ActionRoute, _ body: RequestBody, accept: String) throws(ClientError) {
        let request = try ActionRequest(route, input: nil)
        self.init(request.method, request.target, accept: accept)
        self.body = body.transported
        fields[.contentType] = body.mediaType
        template = route.template.description
    }

    /// Creates the request of the action at a route with members outside of its body.
    init(
        _ route: ActionRoute,
        _ members: JSON,
        _ body: RequestBody?,
        accept: String
    ) throws(ClientError) {
        let request = try ActionRequest(route, input: members, isBody: false)
        self.init(request.method, request.target, accept: accept)
        self.body = body?.transported ?? TransportBody.none
        fields = request.fields
        if fields[.contentType] == nil { fields[.contentType] = body?.mediaType }
        template = route.template.description
    }

    /// Returns the request to a server, with a client's fields.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if a value can't be sent.
    func request(to base: BaseURL, _ common: HTTPFields) throws(ClientError) -> HTTPRequest {
        guard target.hasPrefix("/") else {
            throw ClientError(.invalidInput, "The path \"\(target)\" must start with \"/\"")
        }
        var request = HTTPRequest(
            method: method,
            scheme: base.scheme,
            authority: base.authority.text,
            path: isComplete ? target : base.prefix + target,
            headerFields: common
        )
        if request.headerFields[.accept] == nil { request.headerFields[.accept] = accept }
        for field in fields {
            // A key of the caller makes its own repetitions one request.
            if field.name == .idempotencyKey, common.contains(field.name) { continue }
            // The library stores the pairs of a cookie as several fields.
            request.headerFields[values: field.name] = fields[values: field.name]
        }
        return request
    }
}

extension RequestBody {
    /// The body as a transport sends it: complete, or in pieces.
    var transported: TransportBody {
        if let bytes { return .bytes(bytes) }
        return .pieces(BodyPieces(self))
    }
}
