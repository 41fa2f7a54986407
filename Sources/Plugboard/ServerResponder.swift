import Glibc
import HTTPCodec
import HTTPServer
import HTTPTypes
import JSONCodec
import Logging
import Plug
import PlugHTTP

/// Answers one loop's requests: the behavior document, the actions, then the public files.
final class ServerResponder: Responder {
    private let routes: RouteTable
    /// What is done for actions without a policy where a request asks for something.
    private let general: ActionPolicy?
    private var counters: LoopCounters?
    private let files: PublicFiles?
    let bodyLimit: Int
    private let streamLimit: Int
    private let coding: AnswerCoding
    @exclusivity(unchecked) private var tools: ExposedAction.Tools
    /// For what isn't performed before it is known whether it has to be.
    @exclusivity(unchecked) private var laterTools: ExposedAction.Tools
    private var logger: Logger { tools.logger }
    /// Read and written on the loop's thread, by calls that don't call back.
    @exclusivity(unchecked) private var behaviors: BehaviorsAnswer?
    /// The values in the path of the request in hand: kept for its memory.
    @exclusivity(unchecked) private var members: [TextMember] = []
    /// What the request in hand is about.
    @exclusivity(unchecked) var subject = RequestSubject()
    /// Who has sent the request in hand, where its action asks for that.
    @exclusivity(unchecked) var caller: Caller?

    init(
        routes: RouteTable,
        general: ActionPolicy? = nil,
        files: PublicFiles?,
        behaviors: BehaviorsAnswer?,
        bodyLimit: Int,
        streamLimit: Int,
        performsAtOnce: Bool = true,
        isTimed: Bool = false,
        coding: AnswerCoding,
        logger: Logger
    ) {
        self.routes = routes
        self.general = general
        self.files = files
        self.behaviors = behaviors
        self.bodyLimit = bodyLimit
        self.streamLimit = streamLimit
        self.coding = coding
        tools = ExposedAction.Tools(
            logger: logger,
            performsAtOnce: performsAtOnce,
            isTimed: isTimed
        )
        laterTools = ExposedAction.Tools(logger: logger, performsAtOnce: false, isTimed: isTimed)
    }

    // MARK: Responder

    func attach(_ loop: any ServingLoop) {
        counters = loop.counters
        tools.counters = loop.counters
        laterTools.counters = loop.counters
    }

    func admit(_ head: RequestHead) -> Admission {
        do {
            if case .action(let action, let policy) = try routes.match(
                head.path,
                head.method,
                &members
            ) {
                subject.route = action.number
                if let policy, let refusal = refusal(by: policy, action, head) {
                    return .refuse(refusal)
                }
                if action.hasBody, let refusal = refusal(head, ContentEncoding(head), action) {
                    return .refuse(refusal)
                }
                if action.stream != nil { return .stream(upTo: streamLimit) }
                return .collect(upTo: bodyLimit)
            }
        } catch {
            return .refuse(ProblemAnswer.make(error.problem))
        }
        guard case .now(let answer) = answerWithoutAction(head), answer.status >= 400 else {
            return .collect(upTo: bodyLimit)
        }
        return .refuse(answer)
    }

    /// The behavior document, if that is what is asked for: the request that costs the least.
    @inline(__always)
    func document(_ head: RequestHead) -> Response? {
        switch head.method {
        case .get, .head:
            guard behaviors != nil, head.path.equals(BehaviorsAnswer.path) else { return nil }
            return answerBehaviors(head)
        default: return nil
        }
    }

    func respond(_ head: RequestHead, body: ByteSpan) -> Reply {
        if let document = document(head) {
            subject = RequestSubject(route: RequestSubject.Route.behaviors)
            return .now(document)
        }
        subject = RequestSubject(began: RequestSubject.now())
        do {
            if case .action(let action, let policy) = try routes.match(
                head.path,
                head.method,
                &members
            ) {
                subject.route = action.number
                guard let policy = policy ?? self.policy(head) else {
                    return coding.code(perform(action, head, body, tools), for: head)
                }
                return governed(policy, action, head, body) { atOnce in
                    perform(action, head, body, atOnce ? tools : laterTools)
                }
            }
        } catch {
            return .now(ProblemAnswer.make(error.problem))
        }
        return answerWithoutAction(head)
    }

    func respond(_ head: RequestHead, stream: BodyStream) -> Reply {
        guard
            case .action(let action, let policy)? = try? routes.match(
                head.path,
                head.method,
                &members
            ),
            let perform = action.stream
        else { return answerWithoutAction(head) }
        subject = RequestSubject(route: action.number, began: RequestSubject.now())
        let body = RequestBody { try await stream.next() }
        func answer() -> Reply {
            subject.isCall = true
            do {
                return try self.perform(perform, head, body)
            } catch {
                subject.isCall = false
                return .now(ProblemAnswer.make(Problem(for: error)))
            }
        }
        guard let policy = policy ?? self.policy(head) else {
            return coding.code(answer(), for: head)
        }
        let none = ByteSpan(start: nil, count: 0)
        return governed(policy, action, head, none) { _ in answer() }
    }

    // MARK: Actions

    /// Answers a request for an action that has a policy.
    @inline(never)
    private func governed(
        _ policy: ActionPolicy,
        _ action: ExposedAction,
        _ head: RequestHead,
        _ body: ByteSpan,
        _ answer: (_ atOnce: Bool) -> Reply
    ) -> Reply {
        let request = PolicedRequest(
            action: action,
            head: head,
            body: body,
            members: members,
            connection: counters?.serving,
            logger: logger
        )
        caller = nil
        if let refusal = policy.refusal(request, &caller) { return .now(refusal) }
        return policy.answer(
            request,
            for: caller,
            coding: coding,
            tools: laterTools,
            answer
        )
    }

    /// What a policy says against a request whose body is still to come.
    private func refusal(
        by policy: ActionPolicy,
        _ action: ExposedAction,
        _ head: RequestHead
    ) -> Response? {
        let request = PolicedRequest(
            action: action,
            head: head,
            body: ByteSpan(start: nil, count: 0),
            connection: counters?.serving,
            logger: logger
        )
        return policy.refusal(request, &caller)
    }

    /// The policy of an action that has none, where the request asks for something.
    @inline(__always)
    private func policy(_ head: RequestHead) -> ActionPolicy? {
        head.demands.isEmpty ? nil : general
    }

    private func perform(
        _ action: ExposedAction,
        _ head: RequestHead,
        _ body: ByteSpan,
        _ tools: ExposedAction.Tools
    ) -> Reply {
        guard let key = PlugKey.of(head) else { return performNow(action, head, body, tools) }
        return PlugKey.within(key) { performNow(action, head, body, tools) }
    }

    private func performNow(
        _ action: ExposedAction,
        _ head: RequestHead,
        _ body: ByteSpan,
        _ tools: ExposedAction.Tools
    ) -> Reply {
        do {
            if let query = head.query, !action.hasBody {
                members += try Query.members(of: UnsafeRawBufferPointer(query))
            }
            subject.isCall = true
            guard action.hasBody, !body.isEmpty else {
                return try action.answer(head, ByteSpan(start: nil, count: 0), members, tools)
            }
            let coding = ContentEncoding(head)
            if let refusal = refusal(head, coding, action) {
                subject.isCall = false
                return .now(refusal)
            }
            guard coding == .gzip else { return try answer(action, head, body, tools) }
            if let stream = action.stream {
                return try perform(stream, head, RequestBody(whole: Array(body)))
            }
            return try BodyDecoding.inflate(body, upTo: bodyLimit) { body in
                try answer(action, head, body, tools)
            }
        } catch {
            subject.isCall = false
            return .now(ProblemAnswer.make(Problem(for: error)))
        }
    }

    /// Answers with a body that is JSON, or a form, whose items are read as a query's are.
    private func answer(
        _ action: ExposedAction,
        _ head: RequestHead,
        _ body: ByteSpan,
        _ tools: ExposedAction.Tools
    ) throws -> Reply {
        guard let type = head.field("content-type"), MediaType.isForm(type), action.stream == nil
        else { return try action.answer(head, body, members, tools) }
        members += try Query.members(of: UnsafeRawBufferPointer(body), in: "form")
        return try action.answer(head, ByteSpan(start: nil, count: 0), members, tools)
    }

    private func perform(
        _ stream: ExposedAction.Stream,
        _ head: RequestHead,
        _ body: RequestBody
    ) throws -> Reply {
        let isCoded = ContentEncoding(head) == .gzip
        let plain = isCoded ? BodyDecoding.inflate(body, upTo: streamLimit) : body
        return try stream(head, plain, logger)
    }

    /// What the head says of the body has to be what its action reads.
    private func refusal(
        _ head: RequestHead,
        _ coding: ContentEncoding,
        _ action: ExposedAction
    ) -> Response? {
        if coding == .other { return BodyDecoding.refusal }
        // A part of a thing mustn't take the place of the whole (RFC 9110 §14.5).
        if action.method == .put, head.field("content-range") != nil {
            return ProblemAnswer.make(400, "a PUT with Content-Range is not performed")
        }
        return action.stream == nil ? refusal(ofType: head) : nil
    }

    /// A body is JSON or a form, or isn't said to be anything else (RFC 9110 §15.5.16).
    private func refusal(ofType head: RequestHead) -> Response? {
        guard let type = head.field("content-type") else { return nil }
        // Whoever stands between may have gone by the other one (RFC 9110 §5.3).
        guard head.count(of: "content-type") == 1 else {
            return ProblemAnswer.make(400, "there is more than one Content-Type")
        }
        guard !MediaType.isJSON(type), !MediaType.isForm(type) else { return nil }
        return ProblemAnswer.make(
            415,
            "the body has to be application/json or application/x-www-form-urlencoded",
            fields: [("Accept", "application/json, application/x-www-form-urlencoded")]
        )
    }

    // MARK: Everything else

    private func answerWithoutAction(_ head: RequestHead) -> Reply {
        switch head.method {
        case .unknown, .trace, .connect:
            return .now(ProblemAnswer.make(501, "this server doesn't know the method"))
        default: break
        }
        if head.path.equals("*") {
            // Of the server as a whole (RFC 9110 §9.3.7): what some resource of it knows.
            let reads: [Method] = behaviors != nil || files != nil ? [.get] : []
            return .now(allow(reads + routes.all.map(\.action.method)))
        }
        if behaviors != nil, head.path.equals(BehaviorsAnswer.path) {
            subject.route = RequestSubject.Route.behaviors
            return reads(head) { .now(answerBehaviors(head)) }
        }
        if let match = try? routes.match(head.path, head.method, &members),
            case .otherMethods(let methods) = match
        {
            return .now(head.method == .options ? allow(methods) : notAllowed(methods))
        }
        return answerFile(head)
    }

    private func answerBehaviors(_ head: RequestHead) -> Response {
        behaviors?.answer(head, now: now) ?? notFound
    }

    /// The time as `Date` has it, which the loop reads from the same coarse clock: no answer may
    /// say that it was changed after it was sent (RFC 9110 §8.8.2.1).
    private var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }

    private func answerFile(_ head: RequestHead) -> Reply {
        guard let files else { return .now(notFound) }
        switch files.folder.lookUp(head.path) {
        case .file(let file):
            subject.route = RequestSubject.Route.files
            return reads(head) { files.answer(head, file, now: now) }
        case .folder:
            return reads(head) {
                let location = head.path.text + "/" + (head.query.map { "?" + $0.text } ?? "")
                // A path of two slashes would be read as another host's address.
                guard !location.hasPrefix("//") else { return .now(notFound) }
                return .now(
                    Response(
                        status: 301,
                        fields: Response.fieldLines([("Location", location)])
                    )
                )
            }
        case .missing: return .now(notFound)
        case .forbidden: return .now(ProblemAnswer.make(403, "this file is not for everyone"))
        case .busy:
            return .now(
                ProblemAnswer.make(
                    503,
                    "the server sends as many files as it may",
                    fields: [("Retry-After", "1")]
                )
            )
        case .failed(let error):
            logger.error("a public file can't be read: \(error)")
            return .now(ProblemAnswer.make(503, nil))
        }
    }

    /// Answers a resource that can only be read.
    private func reads(_ head: RequestHead, _ answer: () -> Reply) -> Reply {
        switch head.method {
        case .get, .head: answer()
        case .options: .now(allow([.get]))
        default: .now(notAllowed([.get]))
        }
    }

    private var notFound: Response {
        ProblemAnswer.make(404, "there is nothing at this path")
    }

    private func notAllowed(_ methods: [Method]) -> Response {
        ProblemAnswer.make(
            405,
            "the resource has no such method",
            fields: [("Allow", Self.allowed(methods))]
        )
    }

    private func allow(_ methods: [Method]) -> Response {
        Response(
            status: 204,
            fields: Response.fieldLines([("Allow", Self.allowed(methods))]),
            body: .none
        )
    }

    /// The methods as `Allow` lists them: HEAD comes with GET, and OPTIONS with all.
    private static func allowed(_ methods: [Method]) -> String {
        var methods = Set(methods + [.options])
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.rawValue < $1.rawValue }.map(\.name.description)
            .joined(separator: ", ")
    }
}
