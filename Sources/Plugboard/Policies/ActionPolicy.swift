import HTTPSyntax
import HTTPServer
import Logging
import PlugHTTP

/// The checks and features around an action: access, rate limits, idempotency, conditions,
/// deadlines.
///
/// An action that declares none of them has no policy, and costs nothing extra. A request may still
/// need one, such as for `Request-Timeout`.
final class ActionPolicy: RoutePolicy {
    let access: Access?
    /// Whether responses may be endless.
    ///
    /// The caller's permissions are then checked again while they run.
    private let isEndless: Bool
    /// The limits of endless streams; nil if responses end.
    private let streams: StreamLimiter?
    private let limits: RateLimits?
    let keys: Keys?
    private let tags: Tags?
    /// The action's timeout in seconds.
    private let timeout: Int?
    /// Header fields that are added to each response.
    private let fields: ResponseFields

    /// The settings for requests with an `Idempotency-Key`.
    struct Keys: Sendable {
        let idempotency: Idempotency
        /// Whether each request needs a key.
        let areNeeded: Bool
        /// Whether the responses contain a secret; they are then not stored.
        let isConfidential: Bool
        /// Identifies the owner of a key; nil if the server accepts no credentials.
        let callers: Access?
    }

    /// The header field of responses that contain a secret (RFC 9111 §5.2.2.5).
    static let unstored = ResponseFields([("Cache-Control", "no-store")])

    /// The action's use of entity tags.
    enum Tags: Sendable {
        /// Its own responses have entity tags.
        case tagged
        /// It changes the resource of another action, if the request's conditions are met.
        ///
        /// The other action's response tells whether they are. So a request with a condition needs
        /// that action's permissions, too.
        case changes(ExposedAction, ChangeGuard, Access?)
    }

    init(
        access: Access? = nil,
        isEndless: Bool = false,
        streams: StreamLimiter? = nil,
        limits: RateLimits? = nil,
        keys: Keys? = nil,
        tags: Tags? = nil,
        timeout: Int? = nil,
        fields: ResponseFields = [:]
    ) {
        self.access = access
        self.isEndless = isEndless
        self.streams = streams
        self.limits = limits
        self.keys = keys
        self.tags = tags
        self.timeout = timeout
        self.fields = fields
    }

    /// The number of requests that its rate limits rejected; nil without a limit.
    var rejectedByLimit: Int? { limits?.rejected }

    /// Whether a request for an action needs a known caller, if it has credentials.
    func needsCaller(of request: borrowing Request, for action: ExposedAction) -> Bool {
        if case .changes(_, _, .some) = tags { return true }
        return access != nil || owners(of: request, for: action) != nil
    }

    /// Judges a request by its head, before its body is read, and sets its caller.
    ///
    /// Returns the response if the request is rejected.
    ///
    /// A head may arrive before an authenticator that may wait is asked. Then it isn't rejected for
    /// its caller, since the complete request is judged again.
    func refusal(
        _ request: inout Request,
        for action: ExposedAction,
        isHeadOnly: Bool = false,
        _ logger: Logger
    ) -> Response? {
        if let access {
            switch access.judge(request, logger) {
            case .granted(let caller): request.caller = caller
            case .anonymous: break
            case .pending: return isHeadOnly ? nil : ProblemResponse.make(503, nil)
            case .refused(let response): return counted(response, request)
            }
        }
        if case .changes(_, _, let access?) = tags, request.head.demands.contains(.match) {
            switch access.judge(request, logger) {
            case .granted(let caller): request.caller = caller
            case .anonymous: break
            case .pending: return isHeadOnly ? nil : ProblemResponse.make(503, nil)
            case .refused(let response): return response
            }
        }
        if let owners = owners(of: request, for: action) {
            switch owners.judge(request, logger) {
            case .granted(let caller): request.keyOwner = caller.id
            case .anonymous: break
            case .pending: return isHeadOnly ? nil : ProblemResponse.make(503, nil)
            case .refused(let response): return counted(response, request)
            }
        }
        do throws(RateLimits.Exceeded) {
            try limits?.check(request.limitKey)
            return nil
        } catch {
            return error.response
        }
    }

    /// Counts a rejection by address, to limit clients that guess credentials.
    private func counted(_ rejection: Response, _ request: borrowing Request) -> Response {
        do throws(RateLimits.Exceeded) {
            var response = rejection
            response.fields += try limits?.take(request.addressKey) ?? [:]
            return response
        } catch {
            return error.response
        }
    }

    /// Returns the error response of a head that is invalid whatever body follows; nil if it is
    /// valid.
    ///
    /// Checked before `100 Continue` is sent (RFC 9110 §10.1.1).
    func refusal(ofHead request: borrowing Request, for action: ExposedAction) -> Response? {
        do {
            _ = try Deadline.duration(request.head, atMost: timeout(of: action))
            _ = try key(request, action)
            return nil
        } catch {
            let problem = ProblemResponse.make(error)
            // It counts against the rate limit, as if its body had arrived.
            do {
                _ = try limits?.take(request.limitKey)
                return problem
            } catch {
                return error.response
            }
        }
    }

    /// Responds to a judged request, within the action's limits.
    ///
    /// `perform` prepares the action. It also performs it if `request.performsAtOnce`.
    func answer(
        _ request: inout Request,
        for action: ExposedAction,
        _ body: ByteSpan,
        coding: ResponseCompression,
        tools: ExposedAction.Tools,
        _ perform: (inout Request) -> Reply
    ) -> Reply {
        func unlimited(_ request: inout Request) -> Reply {
            answer(unlimited: &request, for: action, body, coding: coding, tools: tools, perform)
        }
        guard let limits else { return unlimited(&request) }
        guard limits.shared == nil else {
            // The action runs after its call is counted.
            request.performsAtOnce = false
            return limits.hold(unlimited(&request), of: request.limitKey)
        }
        do {
            let fields = try limits.take(request.limitKey)
            return Self.adding(fields, to: unlimited(&request))
        } catch {
            return .now(error.response)
        }
    }

    private func answer(
        unlimited request: inout Request,
        for action: ExposedAction,
        _ body: ByteSpan,
        coding: ResponseCompression,
        tools: ExposedAction.Tools,
        _ perform: (inout Request) -> Reply
    ) -> Reply {
        let time: Duration?
        let key: IdempotencyKey?
        do {
            time = try Deadline.duration(request.head, atMost: timeout(of: action))
            key = try self.key(request, action)
        } catch {
            return .now(ProblemResponse.make(error))
        }
        let place: StreamLimiter.Place?
        do {
            place = try streams?.open(for: request.streamKey)
        } catch {
            return .now(error.response)
        }
        if tags == nil, !action.declarations.evaluatesConditions,
            EntityTags.isUnmet(byUntagged: request.head)
        {
            // An error response takes precedence over the conditions (RFC 9110 §13.2.1). Otherwise
            // the action would run later; it is dropped instead.
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
            let mayCall = access?.standing(of: request, tools.logger)
        {
            reply = PermittedStream.make(reply, while: mayCall)
        }
        if let place { reply = place.hold(reply) }
        reply = once(key, request, body, action, tools.logger, reply)
        if let time, case .later(let work) = reply {
            reply = .later { await Deadline.hold(time, work) }
        }
        let judged = EntityTags.judge(reply, to: request.head, conditions(action), coding)
        return Self.adding(fields, to: judged)
    }

    /// The server's timeout for an action, in seconds; nil if it reads a stream, which may take long.
    private func timeout(of action: ExposedAction) -> Int? {
        action.stream == nil ? timeout : nil
    }

    /// Responds to an item of a batch.
    ///
    /// The batch's deadline covers all items; each item has its own part of the batch's key.
    func answer(
        item: borrowing Request,
        for action: ExposedAction,
        _ body: ByteSpan,
        _ logger: Logger,
        _ perform: () -> Reply
    ) -> Reply {
        guard let limits else { return answer(unlimited: item, for: action, body, logger, perform) }
        guard limits.shared == nil else {
            let reply = answer(unlimited: item, for: action, body, logger, perform)
            return limits.hold(reply, of: item.limitKey)
        }
        do {
            _ = try limits.take(item.limitKey)
            return answer(unlimited: item, for: action, body, logger, perform)
        } catch {
            return .now(error.response)
        }
    }

    private func answer(
        unlimited item: borrowing Request,
        for action: ExposedAction,
        _ body: ByteSpan,
        _ logger: Logger,
        _ perform: () -> Reply
    ) -> Reply {
        do {
            let key = try self.key(item, action)
            let reply = performing(for: item.caller, perform)
            return once(key, item, body, action, logger, reply)
        } catch {
            return .now(ProblemResponse.make(error))
        }
    }

    // MARK: Entity tags

    /// Whether the action's responses get entity tags.
    var tagsAnswers: Bool { if case .tagged = tags { true } else { false } }

    /// Returns which component evaluates the conditions of the action's GET.
    private func conditions(_ action: ExposedAction) -> EntityTags.Conditions {
        if tagsAnswers { return .tagged }
        return action.declarations.evaluatesConditions ? .evaluatedByAction : .untagged
    }

    /// Returns the function that runs a change if its conditions are met; nil without conditions.
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
        // Prepared while the request is valid; performed when the queue reaches this change.
        let current: Reply
        do {
            let none = ByteSpan(start: nil, count: 0)
            let reading = request.reading
            current = try other.answer(reading, none, tools)
        } catch {
            current = .now(ProblemResponse.make(Problem(for: error)))
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

extension RoutePolicy {
    /// The policy of an action, the only kind that a table has.
    @inline(__always)
    var actionPolicy: ActionPolicy { unsafeDowncast(self, to: ActionPolicy.self) }
}
