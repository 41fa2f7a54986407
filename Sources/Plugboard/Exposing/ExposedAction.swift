import HTTPSyntax
import HTTPServer
import HTTPTypes
import JSONCodec
import Locking
import Logging
import Plug
package import PlugHTTP
import Synchronization
import Tracing

/// An action that a server exposes: its route, the decoding of its input and the encoding of its
/// output.
///
/// The list of a server's action types creates it. It is a class, so that passing it from the route
/// table to the responder copies one reference instead of five.
public final class ExposedAction: Sendable {
    /// The action's name.
    public var name: String { cell.name }
    /// The method and the path: `POST /photos/{id}/like`.
    public var route: String { "\(method.name) \(path)" }

    /// The number of the action in counters, unique in the process.
    let number: Int
    let cell: PlugCell
    let method: Method
    /// The combination of a query and a body; nil if the action uses only one of them.
    let mixture: CombinedInput?
    /// The action's route; an error if its path is invalid.
    package let actionRoute: Result<ActionRoute, PathTemplate.Invalid>
    /// The other declarations of its type.
    package let declarations: Declarations
    let answer: Answer
    /// Performs the action with a streamed body; nil if the action reads its body as a whole.
    let stream: Stream?
    /// The input's members that come from header fields; nil for none.
    let fields: FieldMembers?
    /// The types of its input and output, for its description.
    let signature: ActionSignature

    /// Decodes an input, performs the action with it and encodes the output, now or later.
    ///
    /// Request and body are valid only during the call.
    typealias Answer = @Sendable (borrowing Request, ByteSpan, Tools) throws -> Reply
    typealias Stream = @Sendable (borrowing Request, RequestBody, Tools) throws -> Reply

    /// The tools of one loop's responder, the same for each request.
    struct Tools {
        let logger: Logger
        /// Whether the durations of a response's steps are recorded.
        var isTimed = false
        let room = ReusableTape()
    }

    private var path: String {
        switch actionRoute {
        case .success(let route): route.template.description
        case .failure(let error): error.description
        }
    }

    /// The path's template; nil if the path is invalid.
    var template: PathTemplate? { try? actionRoute.get().template }

    private static let made = Atomic<Int>(RequestSubject.Route.actions)

    /// An action whose declarations are read from its type.
    private convenience init(
        _ action: any ActionProtocol.Type,
        _ endpoint: (any Endpoint.Type)?,
        stream: Stream? = nil,
        fields: FieldMembers? = nil,
        _ input: InputDescription = .nothing,
        _ output: OutputDescription = .nothing,
        answer: @escaping Answer
    ) {
        self.init(
            action,
            endpoint,
            Declarations(action, callers: CallerMembers(input)),
            stream: stream,
            fields: fields,
            input,
            output,
            answer: answer
        )
    }

    /// An action with the given declarations.
    init(
        _ action: any ActionProtocol.Type,
        _ endpoint: (any Endpoint.Type)?,
        number: Int? = nil,
        _ declarations: Declarations,
        stream: Stream? = nil,
        fields: FieldMembers? = nil,
        _ input: InputDescription,
        _ output: OutputDescription,
        answer: @escaping Answer
    ) {
        self.number = number ?? Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
        cell = PlugCell.of(action)
        self.declarations = declarations
        self.answer = answer
        self.stream = stream
        self.fields = fields
        signature = ActionSignature(
            action: action,
            endpoint: endpoint,
            input: input,
            output: output
        )
        let route = Result { () throws(PathTemplate.Invalid) in
            try endpoint.map(ActionRoute.init(endpoint:)) ?? ActionRoute(name: action.name)
        }
        actionRoute = route
        mixture = (try? route.get()).flatMap { [declarations] route in
            CombinedInput(route, isExact: declarations.isExact)
        }
        method = (try? route.get()).map { Method(named: $0.method.rawValue) } ?? .unknown
    }

    /// The media types that its body may have; empty for any.
    var bodyTypes: [String] {
        guard hasBody, stream == nil else { return [] }
        guard mixture?.isWhole == true else {
            return ["application/json"]
                + (declarations.acceptsForms ? ["application/x-www-form-urlencoded"] : [])
        }
        let types = (try? actionRoute.get().bodyTypes) ?? []
        return types.isEmpty ? ["application/json"] : types
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
    /// An action whose input and output take these forms.
    convenience init<A: ActionProtocol>(
        _ action: A.Type,
        _ input: InputForm<A.Input>,
        _ output: OutputForm<A.Output>
    ) {
        let endpoint = action as? any Endpoint.Type
        switch input {
        case .whole(let decode, let description):
            self.init(action, endpoint, decode: decode, description, output)
        case .pieces(let take): self.init(action, endpoint, take: take, output)
        }
    }

    private convenience init<A: ActionProtocol>(
        _ action: A.Type,
        _ endpoint: (any Endpoint.Type)?,
        decode: @escaping InputForm<A.Input>.Decode,
        _ description: InputDescription,
        _ output: OutputForm<A.Output>
    ) {
        let cell = PlugCell.of(action)
        let fields = FieldMembers(endpoint?.fields ?? [:], of: description)
        let callers = CallerMembers(description)
        let encode = output.encode
        let offers = output.offers
        let isLinked = output.isLinked
        self.init(action, endpoint, fields: fields, description, output.description) {
            request,
            body,
            tools in
            let timings = tools.isTimed ? ServiceContext.current?.timings : nil
            timings?.begin()
            var text = request.members
            if let fields, !request.bodyIsWhole { text += fields.members(of: request.head) }
            if let callers { text += callers.members(of: request.caller) }
            guard body.count <= OffLoop.bytes else {
                let context = try Self.context(offers, isLinked, request)
                guard let held = HeldBody(body) else { return .now(WorkQueue.busy) }
                return Self.perform(A.self, timings, tools.logger) { [text] in
                    try await InputForm.decodeLarge(held, text, decode)
                } encode: {
                    try encode($0, context)
                }
            }
            let input = try decode(body, text, tools.room)
            timings?.lap("decode")
            let context = try Self.context(offers, isLinked, request)
            let logger = tools.logger
            do {
                // Created for this call, and passed on to the task that continues it.
                nonisolated(unsafe) let implementation = try cell.implementation(of: A.self)
                if request.performsAtOnce, let output = try implementation.performNow(input) {
                    return .now(try encode(output, context))
                }
                return .later {
                    do {
                        timings?.begin()
                        let output = try await implementation.perform(input)
                        timings?.lap("action")
                        defer { timings?.lap("encode") }
                        return try encode(output, context)
                    } catch {
                        timings?.lap("action")
                        return ProblemResponse.make(error, performing: cell.name, logger)
                    }
                }
            } catch {
                return .now(ProblemResponse.make(error, performing: cell.name, logger))
            }
        }
    }

    /// Performs an action whose large body is decoded outside the loop.
    private static func perform<A: ActionProtocol>(
        _ action: A.Type,
        _ timings: Timings?,
        _ logger: Logger,
        decode: @escaping @Sendable () async throws -> A.Input,
        encode: @escaping @Sendable (A.Output) throws -> Response
    ) -> Reply {
        let cell = PlugCell.of(action)
        return .later {
            let input: A.Input
            do {
                timings?.begin()
                defer { timings?.lap("decode") }
                input = try await decode()
            } catch {
                return ProblemResponse.make(error, performing: cell.name, logger)
            }
            do {
                let output = try await cell.perform(action, input)
                timings?.lap("action")
                defer { timings?.lap("encode") }
                return try encode(output)
            } catch {
                timings?.lap("action")
                return ProblemResponse.make(error, performing: cell.name, logger)
            }
        }
    }

    /// An action with a streamed body; one that arrived with its head becomes a stream of one
    /// chunk.
    private convenience init<A: ActionProtocol>(
        _ action: A.Type,
        _ endpoint: (any Endpoint.Type)?,
        take: @escaping @Sendable (RequestBody) -> A.Input,
        _ output: OutputForm<A.Output>
    ) {
        let cell = PlugCell.of(action)
        let encode = output.encode
        let offers = output.offers
        let stream: Stream = { request, body, tools in
            let context = ResponseContext(offer: try Self.offer(offers, request.head))
            let logger = tools.logger
            let body = body.declared(in: request.head)
            return .later {
                let timings = ServiceContext.current?.timings
                do {
                    timings?.begin()
                    let output = try await cell.perform(A.self, take(body))
                    timings?.lap("action")
                    defer { timings?.lap("encode") }
                    return try encode(output, context)
                } catch {
                    timings?.lap("action")
                    return ProblemResponse.make(error, performing: cell.name, logger)
                }
            }
        }
        self.init(action, endpoint, stream: stream, .body, output.description) {
            request,
            body,
            tools in
            try stream(request, RequestBody(whole: Array(body)), tools)
        }
    }

    private static func context(
        _ offers: [StaticString],
        _ isLinked: Bool,
        _ request: borrowing Request
    ) throws -> ResponseContext {
        ResponseContext(
            offer: try offer(offers, request.head),
            query: isLinked ? request.members : []
        )
    }

    /// Returns the index of the offered media type that the client prefers.
    private static func offer(_ offers: [StaticString], _ head: RequestHead) throws -> Int {
        guard !offers.isEmpty else { return 0 }
        guard let offer = Accept.preferred(offers, head) else {
            let names = offers.map { "\($0)" }.joined(separator: ", ")
            throw Problem(status: .notAcceptable, detail: "the response can be \(names)")
        }
        return offer
    }
}

extension RequestBody {
    /// A body in memory as one chunk; an empty one has no chunk.
    init(whole bytes: [UInt8]) {
        let whole = Locked<[UInt8]?>(bytes.isEmpty ? nil : bytes)
        self.init {
            whole.withLock { whole in
                defer { whole = nil }
                return whole
            }
        }
    }

    /// Returns the body with the media type that a request declares.
    fileprivate func declared(in head: RequestHead) -> RequestBody {
        guard let type = head.field("content-type") else { return self }
        var body = self
        body.mediaType = type.text
        return body
    }
}
