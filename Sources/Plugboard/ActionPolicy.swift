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
    private let fields: [UInt8]

    /// How requests with an `Idempotency-Key` are done once.
    struct Keys: Sendable {
        let idempotency: Idempotency
        /// Whether each request needs one.
        let areNeeded: Bool
        /// Whether the answers hold a secret, and aren't kept.
        let isConfidential: Bool
    }

    /// The field line of answers that hold a secret (RFC 9111 §5.2.2.5).
    static let unstored = Response.fieldLines([("Cache-Control", "no-store")])

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
        fields: [UInt8] = []
    ) {
        self.access = access
        self.isEndless = isEndless
        self.limits = limits
        self.keys = keys
        self.tags = tags
        self.timeout = timeout
        self.fields = fields
    }

    /// Judges a request by its head, before its body is read: nil lets it in.
    ///
    /// `caller` becomes the one who was made out.
    func refusal(_ request: PolicedRequest, _ caller: inout Caller?) -> Response? {
        if let access {
            switch access.judge(request.head, request.loop?.clientCertificate, request.logger) {
            case .granted(let known): caller = known
            case .anonymous: caller = nil
            case .refused(var response):
                // Who tries out tokens is counted, by the address.
                do {
                    response.fields += try limits?.take(request.key(of: nil)) ?? []
                } catch {
                    return error.response
                }
                return response
            }
        }
        if case .changes(_, _, let access?) = tags, request.head.demands.contains(.match) {
            switch access.judge(request.head, request.loop?.clientCertificate, request.logger) {
            case .granted(let known): caller = known
            case .anonymous: break
            case .refused(let response): return response
            }
        }
        do {
            try limits?.check(request.key(of: caller))
            return nil
        } catch {
            return error.response
        }
    }

    /// What the head says that no body mends, of a request whose body is still to come (RFC 9110
    /// §10.1.1): nil where there is nothing.
    func refusal(ofHead request: PolicedRequest, for caller: Caller?) -> Response? {
        do {
            _ = try Deadline.duration(request.head, atMost: timeout)
            _ = try key(request, caller)
            return nil
        } catch {
            let problem = ProblemAnswer.make(error)
            // It counts as it does when its body has come along.
            do {
                _ = try limits?.take(request.key(of: caller))
                return problem
            } catch {
                return error.response
            }
        }
    }

    /// Answers a request, within the action's limits.
    func answer(
        _ request: PolicedRequest,
        for caller: Caller?,
        coding: AnswerCoding,
        tools: ExposedAction.Tools,
        _ answer: (_ atOnce: Bool) -> Reply
    ) -> Reply {
        var fields = fields
        let time: Duration?
        let key: IdempotencyKey?
        do {
            if let limits { fields += try limits.take(request.key(of: caller)) }
        } catch {
            return .now(error.response)
        }
        do {
            time = try Deadline.duration(request.head, atMost: timeout)
            key = try self.key(request, caller)
        } catch {
            return .now(ProblemAnswer.make(error))
        }
        if tags == nil, !request.action.declarations.heedsConditions,
            EntityTags.isUnmet(byUntagged: request.head)
        {
            // What is refused without its conditions is refused so (RFC 9110 §13.2.1); what isn't
            // would be done later, and never is.
            let reply = performing(for: caller) { answer(false) }
            guard case .later = reply else { return Self.adding(fields, to: reply) }
            return Self.adding(fields, to: .now(EntityTags.failed))
        }
        var reply = performing(for: caller) {
            guard let change = change(request, tools) else { return answer(key == nil) }
            let reply = answer(false)
            guard case .later(let work) = reply else { return reply }
            return .later { await change(work) }
        }
        if isEndless,
            let mayCall = access?.standing(of: BearerToken(request.head), request.logger)
        {
            reply = WatchedStream.make(reply, while: mayCall)
        }
        reply = once(key, request, reply)
        if let time, case .later(let work) = reply {
            reply = .later { await Deadline.hold(time, work) }
        }
        let judged = EntityTags.judge(reply, to: request.head, conditions(request.action), coding)
        return Self.adding(fields, to: judged)
    }

    /// Refuses a key that is none, where keys count.
    func checkKey(_ head: RequestHead) throws(Problem) {
        guard keys != nil, head.demands.contains(.idempotency) else { return }
        _ = try IdempotencyKey.text(in: head)
    }

    /// Answers for an item of a batch, whose request has a deadline for all of its items, and a key of
    /// which each has its own part.
    func answerItem(
        _ item: PolicedRequest,
        for caller: Caller?,
        _ answer: () -> Reply
    ) -> Reply {
        let key: IdempotencyKey?
        do {
            _ = try limits?.take(item.key(of: caller))
        } catch {
            return .now(error.response)
        }
        do {
            key = try self.key(item, caller)
        } catch {
            return .now(ProblemAnswer.make(error))
        }
        return once(key, item, performing(for: caller, answer))
    }

    /// Has what has a key done once.
    private func once(_ key: IdempotencyKey?, _ request: PolicedRequest, _ reply: Reply) -> Reply {
        guard let key, let keys, case .later(let work) = reply else { return reply }
        let (claim, logger) = (IdempotencyClaim(key, of: request), request.logger)
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
        _ request: PolicedRequest,
        _ tools: ExposedAction.Tools
    ) -> (@Sendable (Reply.Work) async -> Response)? {
        guard case .changes(let action, let guardian, _) = tags,
            let condition = EntityTags.Condition(request.head)
        else { return nil }
        let line = ChangeGuard.line(of: request.head.path)
        let isOfExisting = [.patch, .delete].contains(request.action.method)
        // Prepared while the request is at hand; performed when it is the change's turn.
        let current: Reply
        do {
            let none = ByteSpan(start: nil, count: 0)
            current = try action.answer(request.head, none, request.members, tools)
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
        _ request: PolicedRequest,
        _ caller: Caller?
    ) throws(Problem) -> IdempotencyKey? {
        guard let keys, request.method == .post || request.method == .patch,
            !request.action.declarations.leavesKeyToItems
        else { return nil }
        guard request.head.demands.contains(.idempotency) else {
            guard keys.areNeeded else { return nil }
            let owner = request.place == nil ? "an" : "its batch's"
            throw .badRequest("the action needs \(owner) Idempotency-Key")
        }
        guard request.action.stream == nil else {
            throw .badRequest("the action takes its body piece by piece, and so no Idempotency-Key")
        }
        return try IdempotencyKey(request, from: caller)
    }

    private func performing(for caller: Caller?, _ answer: () -> Reply) -> Reply {
        guard let caller else { return answer() }
        switch Caller.$current.withValue(caller, operation: answer) {
        case .now(let response): return .now(response)
        case .later(let work):
            return .later { await Caller.$current.withValue(caller) { await work() } }
        }
    }

    private static func adding(_ fields: [UInt8], to reply: Reply) -> Reply {
        guard !fields.isEmpty else { return reply }
        switch reply {
        case .now(var response):
            response.fields += fields
            return .now(response)
        case .later(let work):
            return .later {
                var response = await work()
                response.fields += fields
                return response
            }
        }
    }
}
