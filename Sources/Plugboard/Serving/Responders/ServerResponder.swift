import BehaviorStore
import HTTPSyntax
import HTTPServer
import JSONCodec
import Locking
import Logging
import Plug
import PlugHTTP

/// Responds to one loop's requests: with behavior documents, actions, then public files.
///
/// It stores nothing of a request: each step receives the ``Request`` as a parameter.
final class ServerResponder {
    /// The exposed actions, created at the first request for one.
    var routes: RouteTable {
        if let known { return known }
        let routes = table.value
        known = routes
        return routes
    }
    private let table: Once<RouteTable>
    @exclusivity(unchecked) private var known: RouteTable?
    /// The policy for actions without one, if a request has a field that needs it.
    let general: ActionPolicy?
    /// The timeout in seconds of actions without a policy; nil for none.
    private let timeout: Int?
    let files: PublicFiles?
    /// The console's files; nil without a console.
    let console: ConsoleFiles?
    let bodyLimit: Int
    let streamLimit: Int
    let coding: ResponseCompression
    let rules: [PathRule]
    /// Identifies callers; nil if the server accepts no credentials.
    let callers: Access?
    /// Whether an authenticator may wait.
    let hasLateAuthenticators: Bool
    let tools: ExposedAction.Tools
    /// Whether an action may run before its response is requested.
    ///
    /// False with a middleware, which may stop the request.
    private let performsAtOnce: Bool
    var logger: Logger { tools.logger }
    /// Accessed on the loop's thread, by calls that don't call back.
    @exclusivity(unchecked) var behaviors: BehaviorsResponse?
    /// The other documents; nil if the server has no store.
    @exclusivity(unchecked) var named: NamedBehaviors?
    /// The memory of an empty array, reused for the next request's members.
    @exclusivity(unchecked) private var room: [TextMember] = []

    init(
        routes: Once<RouteTable>,
        general: ActionPolicy? = nil,
        timeout: Int? = nil,
        files: PublicFiles?,
        console: ConsoleFiles? = nil,
        behaviors: Behaviors? = nil,
        bodyLimit: Int,
        streamLimit: Int,
        performsAtOnce: Bool = true,
        isTimed: Bool = false,
        coding: ResponseCompression,
        rules: [PathRule] = [],
        callers: Access? = nil,
        logger: Logger
    ) {
        self.callers = callers
        hasLateAuthenticators =
            callers?.credentials.authenticators.contains(where: \.isLater) == true
        table = routes
        self.general = general
        self.timeout = timeout
        self.files = files
        self.console = console
        self.behaviors = behaviors?.answer
        named = behaviors?.named
        self.bodyLimit = bodyLimit
        self.streamLimit = streamLimit
        self.coding = coding
        self.rules = rules
        tools = ExposedAction.Tools(logger: logger, isTimed: isTimed)
        self.performsAtOnce = performsAtOnce
    }

    /// The responses with behavior documents.
    struct Behaviors {
        /// The document at `/behaviors.json`; nil without one at the start.
        let answer: BehaviorsResponse?
        /// The other documents; nil if the server has no store.
        let named: NamedBehaviors?

        /// Creates one loop's responses.
        ///
        /// `isOpen` is whether there may be documents other than the default one.
        init(_ documents: LiveBehaviors, isOpen: Bool, _ tools: BehaviorsResponse.Tools) {
            answer = documents[LiveBehaviors.defaultName].map { BehaviorsResponse($0, tools) }
            named = isOpen ? NamedBehaviors(documents, tools) : nil
        }
    }

    // MARK: Responding

    /// Wraps the incoming request for the steps that respond to it.
    @inline(__always)
    func begin(
        _ incoming: borrowing IncomingRequest,
        at began: Int = RequestSubject.now()
    ) -> Request {
        Request(incoming, at: began, performsAtOnce: performsAtOnce)
    }

    /// Decides by the head alone how to read the body.
    func admit(_ request: inout Request) -> Admission {
        do {
            if let (action, policy) = try match(&request) {
                if let policy = policy?.actionPolicy ?? self.policy(request.head) {
                    if let refusal = policy.refusal(
                        &request,
                        for: action,
                        isHeadOnly: true,
                        logger
                    )
                        ?? policy.refusal(ofHead: request, for: action)
                    {
                        return .reject(.now(refusal))
                    }
                }
                if action.hasBody,
                    let refusal = refusal(
                        request.head,
                        ContentEncoding(request.head),
                        action,
                        mayBeEmpty: request.head.framing == .chunked
                    )
                {
                    return .reject(.now(refusal))
                }
                let admitted = Request.Admitted(request)
                guard action.stream == nil else {
                    return .stream(upTo: bodyLimit(streamLimit, of: request.head), admitted)
                }
                return .collect(upTo: bodyLimit, admitted)
            }
        } catch {
            return .reject(.now(ProblemResponse.make(error.problem)))
        }
        guard case .now(let response) = answerWithoutAction(&request), response.status >= 400 else {
            return .collect(upTo: bodyLimit, nil)
        }
        return .reject(.now(response))
    }

    /// Finds the action of a request; returns nil if none matches.
    ///
    /// An admitted request was matched already.
    func match(_ request: inout Request) throws(MalformedTarget) -> RouteTable.Served? {
        if let known = request.match { return known }
        swap(&request.members, &room)
        guard
            case .action(let action, let policy) = try routes.match(
                request.head.path,
                request.head.method,
                &request.members
            ), !isDocument(request)
        else { return nil }
        request.note((action, policy))
        return (action, policy)
    }

    /// Responds with the default behavior document; returns nil for any other request.
    ///
    /// This is the cheapest request of all.
    @inline(__always)
    func document(_ request: borrowing IncomingRequest) -> Reply? {
        switch request.head.method {
        case .get, .head:
            guard behaviors != nil, request.head.path.equals(BehaviorsResponse.path) else {
                return nil
            }
            return answerBehaviors(request)
        default: return nil
        }
    }

    /// Responds to a request with its complete body.
    func respond(_ request: inout Request, body: ByteSpan) -> Reply {
        // Tests the method first, so that other requests skip the comparisons of paths.
        switch request.head.method {
        case .get, .head:
            if let document = document(request.incoming) {
                request.subject.route = RequestSubject.Route.behaviors
                return document
            }
            if named != nil, let document = namedDocument(request.incoming) {
                request.subject.route = RequestSubject.Route.namedBehaviors
                return document
            }
        default: break
        }
        do {
            defer { returnDescriptors(&request.members) }
            guard let (action, policy) = try match(&request) else {
                return answerWithoutAction(&request)
            }
            guard let policy = policy?.actionPolicy ?? self.policy(request.head) else {
                let reply = Deadline.limit(
                    performAlone(action, &request, body),
                    to: action.stream == nil ? timeout : nil
                )
                return coding.code(reply, for: request.head)
            }
            return governed(policy, action, &request, body) { request in
                perform(action, &request, body)
            }
        } catch {
            return .now(ProblemResponse.make(error.problem))
        }
    }

    /// Responds to a request whose body is a stream.
    func respond(_ request: inout Request, stream: BodyStream) -> Reply {
        guard let (action, policy) = try? match(&request), let perform = action.stream else {
            return answerWithoutAction(&request)
        }
        let body = RequestBody { try await stream.next() }
        func answer(_ request: inout Request) -> Reply {
            request.subject.isCall = true
            do {
                return try self.perform(perform, request, body)
            } catch {
                request.subject.isCall = false
                return .now(ProblemResponse.make(Problem(for: error)))
            }
        }
        guard let policy = policy?.actionPolicy ?? self.policy(request.head) else {
            guard let key = PlugKey.of(request, callers) else {
                return coding.code(answer(&request), for: request.head)
            }
            return PlugKey.within(key) { coding.code(answer(&request), for: request.head) }
        }
        let none = ByteSpan(start: nil, count: 0)
        return governed(policy, action, &request, none, answer)
    }

    /// Recovers the memory of a request's members for the next one.
    @inline(__always)
    func returnDescriptors(_ members: inout [TextMember]) {
        members.removeAll(keepingCapacity: true)
        swap(&members, &room)
    }
}
