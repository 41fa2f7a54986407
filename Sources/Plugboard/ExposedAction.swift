import HTTPCodec
import HTTPServer
import HTTPTypes
import JSONCodec
import Locking
import Logging
public import Plug
public import PlugHTTP
import Synchronization

/// An action that a server exposes: its route, and how a request becomes its input and its output
/// an answer.
///
/// Made by naming the action's type in a server's list. It is a class, so that handing it from the
/// route table to the responder is one reference and not the five of its parts.
public final class ExposedAction: Sendable {
    /// The action's name.
    public var name: String { cell.name }
    /// The method and the path: `POST /photos/{id}/like`.
    public var route: String { "\(method.name) \(path)" }

    /// Tells it from all others of this process, where they are counted.
    let number: Int
    let cell: PlugCell
    let method: Method
    /// Where the action is exposed; an error where its path is none.
    package let actionRoute: Result<ActionRoute, PathTemplate.Invalid>
    let answer: Answer
    /// For an action that takes its body as a stream: performs it with that body.
    let stream: Stream?

    /// Decodes an input, performs the action with it and encodes the output, now or later.
    typealias Answer = @Sendable (ByteSpan, [TextMember], Tools) throws -> Reply
    typealias Stream = @Sendable (RequestBody) async throws -> Response

    /// What a loop's responder lends to the answering of each call.
    struct Tools {
        let logger: Logger
        /// Whether an action may be performed before its answer is asked for: not behind a
        /// middleware, which may not want it.
        let performsAtOnce: Bool
        let room = DecodingRoom()
    }

    private var path: String {
        switch actionRoute {
        case .success(let route): route.template.description
        case .failure(let error): error.description
        }
    }

    private static let made = Atomic<Int>(RequestSubject.Route.actions)

    init(
        _ action: any ActionProtocol.Type,
        number: Int? = nil,
        stream: Stream? = nil,
        answer: @escaping Answer
    ) {
        self.number = number ?? Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
        cell = PlugCell.of(action)
        self.answer = answer
        self.stream = stream
        do {
            let route = try ActionRoute(action)
            method = Method(named: route.method.rawValue)
            actionRoute = .success(route)
        } catch {
            method = .unknown
            actionRoute = .failure(error)
        }
    }

    var hasBody: Bool {
        switch method {
        case .post, .put, .patch: true
        default: false
        }
    }
}

extension Method {
    fileprivate init(named name: String) {
        self = Method.allCases.first { $0.name.description == name } ?? .unknown
    }
}

extension ExposedAction {
    /// An action that takes an input and gives an output.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input: Decodable, A.Output: Encodable {
        self.init(action, decode: Self.decode, encode: Self.encoder(action))
    }

    /// An action that takes nothing and gives an output.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == Void, A.Output: Encodable {
        self.init(action, decode: { _, _, _ in }, encode: Self.encoder(action))
    }

    /// An action that takes an input and gives nothing: answered with 204.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input: Decodable, A.Output == Void {
        self.init(action, decode: Self.decode, encode: { _ in Self.noContent })
    }

    /// An action that takes nothing and gives nothing: answered with 204.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == Void, A.Output == Void {
        self.init(action, decode: { _, _, _ in }, encode: { _ in Self.noContent })
    }

    /// An action that takes a body piece by piece and gives an output.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == RequestBody, A.Output: Encodable {
        let encode = Self.encoder(action)
        self.init(action) { body in
            try encode(try await PlugCell.of(action).perform(A.self, body))
        }
    }

    /// An action that takes a body piece by piece and gives nothing: answered with 204.
    public convenience init<A: ActionProtocol>(
        _ action: A.Type
    ) where A.Input == RequestBody, A.Output == Void {
        self.init(action) { body in
            try await PlugCell.of(action).perform(A.self, body)
            return Self.noContent
        }
    }

    convenience init<A: ActionProtocol>(
        _ action: A.Type,
        decode: @escaping @Sendable (ByteSpan, [TextMember], DecodingRoom) throws -> A.Input,
        encode: @escaping @Sendable (A.Output) throws -> Response
    ) {
        let cell = PlugCell.of(action)
        self.init(action) { body, text, tools in
            let input = try decode(body, text, tools.room)
            let logger = tools.logger
            do {
                // Made for this call, and handed on to the task that goes on with it.
                nonisolated(unsafe) let implementation = try cell.implementation(of: A.self)
                if tools.performsAtOnce, let output = try implementation.performNow(input) {
                    return .now(try encode(output))
                }
                return .later {
                    do {
                        return try encode(try await implementation.perform(input))
                    } catch {
                        return ProblemAnswer.make(error, performing: cell.name, logger)
                    }
                }
            } catch {
                return .now(ProblemAnswer.make(error, performing: cell.name, logger))
            }
        }
    }

    /// A body that came whole with its head is a stream of one piece.
    convenience init(_ action: any ActionProtocol.Type, stream: @escaping Stream) {
        let name = PlugCell.of(action).name
        self.init(action, stream: stream) { body, _, tools in
            .later(Self.work(stream, RequestBody(whole: Array(body)), name, tools.logger))
        }
    }

    /// What performs an action with a stream.
    static func work(
        _ stream: @escaping Stream,
        _ body: RequestBody,
        _ name: String,
        _ logger: Logger
    ) -> Reply.Work {
        {
            do {
                return try await stream(body)
            } catch {
                return ProblemAnswer.make(error, performing: name, logger)
            }
        }
    }

    static func decode<Input: Decodable>(
        _ body: ByteSpan,
        _ text: [TextMember],
        _ room: DecodingRoom
    ) throws -> Input {
        try JSON.decode(Input.self, from: UnsafeRawBufferPointer(body), text: text, in: room)
    }

    private static let noContent = Response(status: 204, body: .none)
    private static let jsonFields = Response.fieldLines([("Content-Type", "application/json")])

    /// Answers 200 with the output, or 201 with where to find what was made (RFC 9110 §15.3.2).
    private static func encoder<A: ActionProtocol>(
        _ action: A.Type
    ) -> @Sendable (A.Output) throws -> Response where A.Output: Encodable {
        let locator = A.locator
        return { output in
            let body = Response.Body.bytes(try JSON.encode(output))
            guard let location = locator?(output) else {
                return Response(status: 200, fields: jsonFields, body: body)
            }
            let fields = jsonFields + Response.fieldLines([("Location", location)])
            return Response(status: 201, fields: fields, body: body)
        }
    }
}

extension RequestBody {
    /// A body that is at hand, as one piece; of no bytes, as none.
    init(whole bytes: [UInt8]) {
        let whole = Locked<[UInt8]?>(bytes.isEmpty ? nil : bytes)
        self.init {
            whole.withLock { whole in
                defer { whole = nil }
                return whole
            }
        }
    }
}
