import HTTPSyntax
import HTTPServer
import Logging
import PlugHTTP

/// What a server does around the performing of an action that asks for more than to be performed.
///
/// An action that asks for nothing has none, and its requests cost nothing more, unless they ask for
/// something themselves.
final class ActionPolicy: Sendable {
    private let access: Access?
    /// Whether the answers may have no end, so that it is looked again whether their callers may call.
    private let isEndless: Bool
    private let limits: RateLimits?
    private let keys: Keys?
    private let tags: Tags?
    /// The most seconds that the action may take.
    private let timeout: Int?
    /// The field lines of each answer.
    private let fields: ResponseFields

    /// How requests with an `Idempotency-Key` are done once.
    struct Keys: Sendable {
        let idempotency: Idempotency
        /// Whether each request needs one.
        let areNeeded: Bool
        /// Whether the answers hold a secret, and aren't kept.
        let isConfidential: Bool
    }

    /// The field line of answers that hold a secret (RFC 9111 §5.2.2.5).
    static let unstored = ResponseFields([("Cache-Control", "no-store")])

    /// What an action has to do with entity tags.
    enum Tags: Sendable {
        /// Its own answers have them.
        case tagged
        /// It changes what the answers of another action are about, if that is as the request says.
        ///
        /// Whether it is tells what the other answers: who makes a condition needs what that one's
        /// callers need.
        case changes(ExposedAction, ChangeGuard, Access?)
    }

    init(
        access: Access? = nil,
        isEndless: Bool = false,
        limits: RateLimits? = nil,
        keys: Keys? = nil,
        tags: Tags? = nil,
        timeout: Int? = nil,
        fields: ResponseFields = [:]
    ) {
        self.access = access
        self.isEndless = isEndless
        self.limits = limits
        self.keys = keys
        self.tags = tags
        self.timeout = timeout
        self.fields = fields
    }

    /// Judges a request by its head, before its body is read, and notes its caller in it.
    ///
    /// Returns the response of a request that is rejected.
    func refusal(_ request: inout Request, _ logger: Logger) -> Response? {
        if let access {
            switch access.judge(request.head, from: request.peer, logger) {
            case .granted(let caller): request.caller = caller
            case .anonymous: break
            case .refused(var response):
                // A client that tries out tokens is counted, by its address.
                do throws(RateLimits.Exceeded) {
                    response.fields += try limits?.take(request.addressKey) ?? [:]
                } catch {
                    return error.response
                }
                return response
            }
        }
        if case .changes(_, _, let access?) = tags, request.head.demands.contains(.match) {
            switch access.judge(request.head, from: request.peer, logger) {
            case .granted(let caller): request.caller = caller
            case .anonymous: break
            case .refused(let response): return response
            }
        }
        do throws(RateLimits.Exceeded) {
            try limits?.check(request.limitKey)
            return nil
        } catch {
            return error.response
        }
    }

    /// What the head says that no body mends, of a request whose body is still to come (RFC 9110
    /// §10.1.1): nil where there is nothing.
    func refusal(ofHead request: borrowing Request, for action: ExposedAction) -> Response? {
        do {
            _ = try Deadline.duration(request.head, atMost: timeout)
            _ = try key(request, action)
            return nil
        } catch {
            let problem = ProblemAnswer.make(error)
            // It counts as it does when its body has come along.
            do {
                _ = try limits?.take(request.limitKey)
                return problem
            } catch {
                return error.response
            }
        }
    }

    /// Responds to a request that was judged, within the action's limits.
    ///
    /// `perform` prepares the action, and performs it where the request may be performed at once.
    func answer(
        _ request: inout Request,
        for action: ExposedAction,
        _ body: ByteSpan,
        coding: AnswerCoding,
        tools: ExposedAction.Tools,
        _ perform: (inout Request) -> Reply
    ) -> Reply {
        var fields = fields
        let time: Duration?
        let key: IdempotencyKey?
        do {
            if let limits { fields += try limits.take(request.limitKey) }
        } catch {
            return .now(error.response)
        }
        do {
            time = try Deadline.duration(request.head, atMost: timeout)
            key = try self.key(request, action)
        } catch {
            return .now(ProblemAnswer.make(error))
        }
        if tags == nil, !action.declarations.heedsConditions,
            EntityTags.isUnmet(byUntagged: request.head)
        {
            // What is refused without its conditions is refused so (RFC 9110 §13.2.1); what isn't
            // would be done later, and never is.
            request.performsAtOnce = false
            let reply = performing(for: request.caller) { perform(&request) }
            guard case .later = reply else { return Self.adding(fields, to: reply) }
            return Self.adding(fields, to: .now(EntityTags.failed))
        }
        var reply = performing(for: request.caller) {
            if key != nil { request.performsAtOnce = false }
            guard let change = change(request, action, tools) else { return perform(&request) }
            request.performsAtOnce = false
            let reply = perform(&request)
            guard case .later(let work) = reply else { return reply }
            return .later { await change(work) }
        }
        if isEndless,
            let mayCall = access?.standing(of: BearerToken(request.head), tools.logger)
        {
            reply = WatchedStream.make(reply, while: mayCall)
        }
        reply = once(key, request, body, action, tools.logger, reply)
        if let time, case .later(let work) = reply {
            reply = .later { await Deadline.hold(time, work) }
        }
        let judged = EntityTags.judge(reply, to: request.head, conditions(action), coding)
        return Self.adding(fields, to: judged)
    }

    /// Refuses a key that is none, where keys count.
    func checkKey(_ head: RequestHead) throws(Problem) {
        guard keys != nil, head.demands.contains(.idempotency) else { return }
        _ = try IdempotencyKey.text(in: head)
    }

    /// Answers for an item of a batch, whose request has a deadline for all of its items, and a key of
    /// which each has its own part.
    func answer(
        item: borrowing Request,
        for action: ExposedAction,
        _ body: ByteSpan,
        _ logger: Logger,
        _ perform: () -> Reply
    ) -> Reply {
        let key: IdempotencyKey?
        do {
            _ = try limits?.take(item.limitKey)
        } catch {
            return .now(error.response)
        }
        do {
            key = try self.key(item, action)
        } catch {
            return .now(ProblemAnswer.make(error))
        }
        let reply = performing(for: item.caller, perform)
        return once(key, item, body, action, logger, reply)
    }

    /// Has what has a key done once.
    private func once(
        _ key: IdempotencyKey?,
        _ request: borrowing Request,
        _ body: ByteSpan,
        _ action: ExposedAction,
        _ logger: Logger,
        _ reply: Reply
    ) -> Reply {
        guard let key, let keys, case .later(let work) = reply else { return reply }
        let claim = IdempotencyClaim(key, of: request, body, for: action)
        let (idempotency, isConfidential) = (keys.idempotency, keys.isConfidential)
        return .later {
            await idempotency.answer(claim, isConfidential: isConfidential, logger, work)
        }
    }

    // MARK: Entity tags

    /// Whether what is read gets a tag here.
    var tagsAnswers: Bool { if case .tagged = tags { true } else { false } }

    /// Who sees to the conditions of an action's GET.
    private func conditions(_ action: ExposedAction) -> EntityTags.Conditions {
        if tagsAnswers { return .tagged }
        return action.declarations.heedsConditions ? .heeded : .untagged
    }

    /// Makes a change if its condition is met; nil where the request has none.
    private func change(
        _ request: borrowing Request,
        _ action: ExposedAction,
        _ tools: ExposedAction.Tools
    ) -> (@Sendable (Reply.Work) async -> Response)? {
        guard case .changes(let other, let guardian, _) = tags,
            let condition = EntityTags.Condition(request.head)
        else { return nil }
        let line = ChangeGuard.line(of: request.head.path)
        let isOfExisting = [.patch, .delete].contains(action.method)
        // Prepared while the request is at hand; performed when it is the change's turn.
        let current: Reply
        do {
            let none = ByteSpan(start: nil, count: 0)
            let reading = request.reading
            current = try other.answer(reading, none, tools)
        } catch {
            current = .now(ProblemAnswer.make(Problem(for: error)))
        }
        return { work in
            await guardian.change(
                line,
                condition,
                isOfExisting: isOfExisting,
                current: current,
                work
            )
        }
    }

    // MARK: Performing

    /// The key under which a request is done once; nil for one that is done anyway.
    private func key(
        _ request: borrowing Request,
        _ action: ExposedAction
    ) throws(Problem) -> IdempotencyKey? {
        let method = request.method(for: action)
        guard let keys, method == .post || method == .patch,
            !action.declarations.leavesKeyToItems
        else { return nil }
        guard request.head.demands.contains(.idempotency) else {
            guard keys.areNeeded else { return nil }
            let owner = request.item == nil ? "an" : "its batch's"
            throw .badRequest("the action needs \(owner) Idempotency-Key")
        }
        guard action.stream == nil else {
            throw .badRequest("the action takes its body piece by piece, and so no Idempotency-Key")
        }
        return try IdempotencyKey(request, for: action)
    }

    private func performing(for caller: Caller?, _ answer: () -> Reply) -> Reply {
        guard let caller else { return answer() }
        switch Caller.$current.withValue(caller, operation: answer) {
        case .now(let response): return .now(response)
        case .later(let work):
            return .later { await Caller.$current.withValue(caller) { await work() } }
        }
    }

    private static func adding(_ fields: ResponseFields, to reply: Reply) -> Reply {
        guard !fields.isEmpty else { return reply }
        return reply.map { response in
            var response = response
            response.fields += fields
            return response
        }
    }
}
