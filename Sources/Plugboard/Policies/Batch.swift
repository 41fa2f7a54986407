import HTTPSyntax
import HTTPServer
import HTTPTypes
public import JSONCodec
import Logging
public import Plug
public import PlugHTTP

/// Performs several actions one after the other, and returns a result for each.
///
/// ```
/// POST /actions
/// [{"action":"LikePhoto","input":{"id":42}}, {"action":"GetPhoto","input":{"id":1}}]
/// ```
/// An item's input is the action's whole input, path parameters included. The items are
/// independent: after a failed item the others still run. Scopes and rate limits apply to each
/// item. So does an `Idempotency-Key`: a retried batch runs only the items that weren't done. The
/// deadline applies to the whole batch. Middleware sees one request.
open class Batch: Action<[Batch.Item], [Batch.Answer]>, POST {
    /// An action to perform.
    public struct Item: Codable, Sendable {
        /// The action's name.
        public var action: String
        /// The action's input; nil for an action without one.
        public var input: JSON?

        /// An item for the action of that name, with its input.
        public init(action: String, input: JSON? = nil) {
            self.action = action
            self.input = input
        }
    }

    /// The result of one item.
    public struct Answer: Codable, Sendable {
        /// The status that the action would have returned on its own.
        public var status: Int
        /// The response's fields other than `Content-Type`, such as `Location`; nil if it has none.
        ///
        /// Several lines of a field are one value, with commas between them (RFC 9110 §5.3).
        public var fields: [String: String]?
        /// The action's output, without the members that are sent in fields; nil if it has none.
        public var body: JSON?
        /// The error; nil if there is none.
        public var problem: Problem?
    }

    /// Served at `POST /actions`.
    public static var path: String { "/actions" }
}

/// The actions that a batch may name.
struct BatchTable: Sendable {
    /// The most items of a batch.
    let limit: Int
    /// The most bytes of all outputs of a batch together.
    let outputLimit: Int
    private let served: [RouteTable.Served]
    /// The policy for actions without their own, used if the batch has a key.
    private let general: ActionPolicy?
    /// Identifies callers; nil if the server accepts no credentials.
    private let callers: Access?

    init(
        limit: Int,
        outputLimit: Int,
        _ served: [RouteTable.Served],
        general: ActionPolicy? = nil,
        callers: Access? = nil
    ) {
        self.callers = callers
        self.limit = limit
        self.outputLimit = outputLimit
        self.served = served
        self.general = general
    }

    /// Checks the number of items and the batch's key.
    func check(_ items: [Batch.Item], _ head: RequestHead) throws(Problem) {
        guard (1...limit).contains(items.count) else {
            throw .unprocessableContent("a batch has 1 to \(limit) actions")
        }
        try general?.checkKey(head)
    }

    /// Whether the response of one of the items contains a secret.
    func isConfidential(_ items: [Batch.Item]) -> Bool {
        let names = Set(items.map(\.action))
        return served.contains { served in
            served.action.declarations.isConfidential && names.contains(served.action.name)
        }
    }

    /// Prepares an item while its request is valid: the work to do, or an error response.
    func prepare(
        _ item: Batch.Item,
        at place: Int,
        of batch: borrowing Request,
        _ tools: ExposedAction.Tools
    ) -> Reply {
        guard let (action, policy) = served.first(where: { $0.action.name == item.action }) else {
            return .now(ProblemResponse.make(404, "there is no action \(item.action)"))
        }
        guard !RequestSubject.Route.isDescription(action.number) else {
            let detail = "\(item.action) describes the server. Call it alone."
            return .now(ProblemResponse.make(400, detail))
        }
        guard action.stream == nil else {
            return .now(
                ProblemResponse.make(400, "\(item.action) streams its body. Call it alone.")
            )
        }
        let input = item.input.map { $0.encoded() } ?? []
        return input.withUnsafeBufferPointer { input in
            var request = batch.item(at: place)
            func perform() -> Reply {
                do {
                    return try action.answer(request.bare, input, tools)
                } catch {
                    return .now(ProblemResponse.make(Problem(for: error)))
                }
            }
            let needed = request.head.demands.contains(.idempotency) ? general : nil
            // An action without a policy doesn't identify its caller, in a batch or alone.
            guard let policy = policy?.actionPolicy ?? needed else { return perform() }
            if let refusal = policy.refusal(&request, for: action, tools.logger) {
                return .now(refusal)
            }
            func answer() -> Reply {
                policy.answer(item: request, for: action, input, tools.logger, perform)
            }
            guard let key = PlugKey.of(request, callers) else { return answer() }
            return PlugKey.within(key, answer)
        }
    }

    /// Converts an item's response to its result in the batch.
    static func answer(_ response: Response) -> Batch.Answer {
        var answer = Batch.Answer(status: Int(response.status), fields: fields(of: response))
        guard case .bytes(let bytes) = response.body, !bytes.isEmpty else {
            if case .stream = response.body { return streamed }
            return answer
        }
        guard let body = try? JSON(parsing: bytes) else { return streamed }
        if response.status >= 400, let problem = try? JSON.decode(Problem.self, from: bytes) {
            answer.problem = problem
        } else {
            answer.body = body
        }
        return answer
    }

    /// Whether a field is part of an item's result.
    ///
    /// A script could read an HttpOnly cookie in the body, and no browser would store it.
    private static func isOutput(_ name: ByteSpan) -> Bool {
        !name.equals(lowercase: "content-type") && !name.equals(lowercase: "set-cookie")
    }

    /// Returns the bytes of an item's body and fields.
    static func outputBytes(of response: Response) -> Int {
        var count = 0
        if case .bytes(let bytes) = response.body { count = bytes.count }
        response.fields.forEach { if isOutput($0) { count += $0.count + $1.count } }
        return count
    }

    private static func fields(of response: Response) -> [String: String]? {
        var fields: [String: String] = [:]
        response.fields.forEach { name, value in
            guard isOutput(name) else { return }
            fields[name.text, default: ""] +=
                fields[name.text] == nil ? value.text : ", \(value.text)"
        }
        return fields.isEmpty ? nil : fields
    }

    /// The result of an item that isn't performed, since earlier items used up the output limit.
    var unperformed: Batch.Answer {
        let detail =
            "Not performed: the batch's output has reached its limit of \(outputLimit) bytes. "
            + "Send the action in another batch."
        return Batch.Answer(
            status: 503,
            problem: Problem(status: .serviceUnavailable, detail: detail)
        )
    }

    /// The result of an item that was performed, but whose output exceeds the limit.
    func tooLarge(_ response: Response) -> Batch.Answer {
        guard response.status < 400 else { return Self.answer(response) }
        let detail =
            "Performed, but its output exceeds the batch's limit of \(outputLimit) bytes. "
            + "Call the action alone."
        return Batch.Answer(status: 406, problem: Problem(status: .notAcceptable, detail: detail))
    }

    private static let streamed = Batch.Answer(
        status: 406,
        problem: Problem(
            status: .notAcceptable,
            detail: "The output isn't JSON. Call the action alone."
        )
    )
}

extension ExposedAction {
    /// The action that performs batches of a table's actions.
    static func batch(_ table: BatchTable) -> ExposedAction {
        var declarations = Declarations()
        declarations.delegatesKeyToItems = true
        declarations.acceptsForms = false
        return ExposedAction(Batch.self, Batch.self, declarations, .nothing, .nothing) {
            request,
            body,
            tools in
            let bytes = UnsafeRawBufferPointer(body)
            let items = try JSON.decode([Batch.Item].self, from: bytes, text: [], in: tools.room)
            try table.check(items, request.head)
            // All items are checked while the request is valid. The work runs later, in order.
            let replies = items.enumerated().map { table.prepare($1, at: $0, of: request, tools) }
            let logger = tools.logger
            let fields = jsonFields + (table.isConfidential(items) ? ActionPolicy.unstored : [:])
            return .later { await perform(replies, of: table, fields, logger) }
        }
    }

    /// Runs a batch's items in their order, and collects their results.
    private static func perform(
        _ replies: [Reply],
        of table: BatchTable,
        _ fields: ResponseFields,
        _ logger: Logger
    ) async -> Response {
        var answers: [Batch.Answer] = []
        var output = 0
        for reply in replies {
            let response: Response
            switch reply {
            case .now(let ready): response = ready
            case .later(let work):
                // After the deadline, or once the client has disconnected, no further item starts.
                guard !Task.isCancelled else { return ProblemResponse.make(503, nil) }
                guard output < table.outputLimit else {
                    answers.append(table.unperformed)
                    continue
                }
                response = await work()
            }
            output += BatchTable.outputBytes(of: response)
            let isTooLarge = output > table.outputLimit
            let answer: @Sendable () -> Batch.Answer = {
                isTooLarge ? table.tooLarge(response) : BatchTable.answer(response)
            }
            let elsewhere = response.isLarge ? try? await WorkQueue.computing.run(answer) : nil
            answers.append(elsewhere ?? answer())
        }
        do {
            let (whole, isLarge) = (answers, output > OffLoop.bytes)
            let elsewhere =
                isLarge ? try? await WorkQueue.computing.run { try JSON.encode(whole) } : nil
            let body = try elsewhere ?? JSON.encode(whole)
            return Response(status: 200, fields: fields, body: .bytes(body))
        } catch {
            return ProblemResponse.make(error, performing: Batch.name, logger)
        }
    }

    private static let jsonFields = ResponseFields([("Content-Type", "application/json")])
}
