import HTTPCodec
import HTTPServer
import HTTPTypes
import JSONCodec
public import Plug
public import PlugHTTP
import Synchronization

/// An action that a server exposes: its route, and how a request becomes its input and its output
/// an answer.
///
/// Made by naming the action's type in a server's list.
public struct ExposedAction: Sendable {
    /// The action's name.
    public var name: String { cell.name }
    /// The method and the path: `POST /photos/{id}/like`.
    public var route: String { "\(method.name) \(path)" }

    let cell: PlugCell
    let method: Method
    /// Where the action is exposed; an error where its path is none.
    package let actionRoute: Result<ActionRoute, PathTemplate.Invalid>
    let prepare: Prepare
    /// For an action that takes its body as a stream: performs it with that body.
    var stream: (@Sendable (RequestBody) async throws -> Response)?

    /// Decodes an input; what comes back performs the action with it and encodes the output.
    typealias Prepare =
        @Sendable (ByteSpan, [TextMember]) throws -> @Sendable () async throws -> Response

    private var path: String {
        switch actionRoute {
        case .success(let route): route.template.description
        case .failure(let error): error.description
        }
    }

    init(_ action: any ActionProtocol.Type, prepare: @escaping Prepare) {
        cell = PlugCell.of(action)
        self.prepare = prepare
        do {
            let route = try ActionRoute(action)
            method = Method(named: route.method.rawValue)
            actionRoute = .success(route)
        } catch {
            method = .unknown
            actionRoute = .failure(error)
        }
    }

    var hasBody: Bool { method == .post || method == .put || method == .patch }
}

extension Method {
    fileprivate init(named name: String) {
        self = Method.allCases.first { $0.name.description == name } ?? .unknown
    }
}

extension ExposedAction {
    /// An action that takes an input and gives an output.
    public init<A: ActionProtocol>(_ action: A.Type) where A.Input: Decodable, A.Output: Encodable {
        let cell = PlugCell.of(action)
        self.init(action) { body, text in
            let input = try JSON.decode(
                A.Input.self,
                from: UnsafeRawBufferPointer(body),
                text: text
            )
            return { try Self.answer(A.self, try await cell.perform(A.self, input)) }
        }
    }

    /// An action that takes nothing and gives an output.
    public init<A: ActionProtocol>(_ action: A.Type) where A.Input == Void, A.Output: Encodable {
        let cell = PlugCell.of(action)
        self.init(action) { _, _ in
            { try Self.answer(A.self, try await cell.perform(A.self, ())) }
        }
    }

    /// An action that takes an input and gives nothing: answered with 204.
    public init<A: ActionProtocol>(_ action: A.Type) where A.Input: Decodable, A.Output == Void {
        let cell = PlugCell.of(action)
        self.init(action) { body, text in
            let input = try JSON.decode(
                A.Input.self,
                from: UnsafeRawBufferPointer(body),
                text: text
            )
            return {
                try await cell.perform(A.self, input)
                return Self.noContent
            }
        }
    }

    /// An action that takes nothing and gives nothing: answered with 204.
    public init<A: ActionProtocol>(_ action: A.Type) where A.Input == Void, A.Output == Void {
        let cell = PlugCell.of(action)
        self.init(action) { _, _ in
            {
                try await cell.perform(A.self, ())
                return Self.noContent
            }
        }
    }

    /// An action that takes a body piece by piece and gives an output.
    public init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == RequestBody, A.Output: Encodable {
        self.init(action) { body in
            try Self.answer(A.self, try await PlugCell.of(action).perform(A.self, body))
        }
    }

    /// An action that takes a body piece by piece and gives nothing: answered with 204.
    public init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == RequestBody, A.Output == Void {
        self.init(action) { body in
            try await PlugCell.of(action).perform(A.self, body)
            return Self.noContent
        }
    }

    /// A body that came whole with its head is a stream of one piece.
    private init(
        _ action: any ActionProtocol.Type,
        stream: @escaping @Sendable (RequestBody) async throws -> Response
    ) {
        self.init(action) { body, _ in
            let whole = Mutex<[UInt8]?>(body.isEmpty ? nil : Array(body))
            return {
                try await stream(
                    RequestBody {
                        whole.withLock { whole in
                            defer { whole = nil }
                            return whole
                        }
                    }
                )
            }
        }
        self.stream = stream
    }

    private static let noContent = Response(status: 204, body: .none)
    private static let jsonFields = Response.fieldLines([("Content-Type", "application/json")])

    /// 200 with the output, or 201 with where to find what was made (RFC 9110 §15.3.2).
    private static func answer<A: ActionProtocol>(
        _ action: A.Type,
        _ output: A.Output
    ) throws -> Response where A.Output: Encodable {
        let body = Response.Body.bytes(try JSON.encode(output))
        guard let location = A.location(ofOutput: output) else {
            return Response(status: 200, fields: jsonFields, body: body)
        }
        let fields = jsonFields + Response.fieldLines([("Location", location)])
        return Response(status: 201, fields: fields, body: body)
    }
}
