import BehaviorStore
import HTTPSyntax
import HTTPServer
import JSONCodec
import Locking
import Logging
import Plug
import PlugHTTP

/// Responds to one loop's requests: with the behavior document, the actions, then the public files.
///
/// It holds nothing of a request: what a step needs is in the ``Request`` that it receives.
final class ServerResponder {
    /// The exposed actions: made at the first request for one, and stored by the loop.
    var routes: RouteTable {
        if let known { return known }
        let routes = table.value
        known = routes
        return routes
    }
    private let table: Once<RouteTable>
    @exclusivity(unchecked) private var known: RouteTable?
    /// What is done for actions without a policy where a request asks for something.
    let general: ActionPolicy?
    let files: PublicFiles?
    let bodyLimit: Int
    let streamLimit: Int
    let coding: AnswerCoding
    let rules: [PathRule]
    let tools: ExposedAction.Tools
    /// Whether an action may be performed before its response is asked for: not with a middleware,
    /// which may not want it.
    private let performsAtOnce: Bool
    var logger: Logger { tools.logger }
    /// Read and written on the loop's thread, by calls that don't call back.
    @exclusivity(unchecked) var behaviors: BehaviorsAnswer?
    /// The documents beside that one; nil where there can't be any.
    @exclusivity(unchecked) var named: NamedBehaviors?
    /// An empty array's memory, for the members of the next request.
    @exclusivity(unchecked) private var room: [TextMember] = []

    init(
        routes: Once<RouteTable>,
        general: ActionPolicy? = nil,
        files: PublicFiles?,
        behaviors: Behaviors? = nil,
        bodyLimit: Int,
        streamLimit: Int,
        performsAtOnce: Bool = true,
        isTimed: Bool = false,
        coding: AnswerCoding,
        rules: [PathRule] = [],
        logger: Logger
    ) {
        table = routes
        self.general = general
        self.files = files
        self.behaviors = behaviors?.answer
        named = behaviors?.named
        self.bodyLimit = bodyLimit
        self.streamLimit = streamLimit
        self.coding = coding
        self.rules = rules
        tools = ExposedAction.Tools(logger: logger, isTimed: isTimed)
        self.performsAtOnce = performsAtOnce
    }

    /// The behavior documents that are served.
    struct Behaviors {
        /// The one at `/behaviors.json`; nil where there is none.
        let answer: BehaviorsAnswer?
        /// The others; nil where there can't be any.
        let named: NamedBehaviors?

        /// A loop's answers.
        ///
        /// `isOpen` is whether there may be others than the default document.
        init(_ documents: LiveBehaviors, isOpen: Bool, _ tools: BehaviorsAnswer.Tools) {
            answer = documents[LiveBehaviors.defaultName].map { BehaviorsAnswer($0, tools) }
            named = isOpen ? NamedBehaviors(documents, tools) : nil
        }
    }

    // MARK: Responding

    /// The request that came, with room for the values in its path.
    @inline(__always)
    func begin(_ incoming: borrowing IncomingRequest) -> Request {
        Request(incoming, performsAtOnce: performsAtOnce)
    }

    /// Decides by the head alone how the body that is still to come is read.
    func admit(_ request: inout Request) -> Admission {
        do {
            if let (action, policy) = try match(&request) {
                if let policy = policy ?? self.policy(request.head) {
                    if let refusal = policy.refusal(&request, logger)
                        ?? policy.refusal(ofHead: request, for: action)
                    {
                        return .reject(.now(refusal))
                    }
                }
                if action.hasBody,
                    let refusal = refusal(request.head, ContentEncoding(request.head), action)
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
            return .reject(.now(ProblemAnswer.make(error.problem)))
        }
        guard case .now(let response) = answerWithoutAction(&request), response.status >= 400 else {
            return .collect(upTo: bodyLimit, nil)
        }
        return .reject(.now(response))
    }

    /// Finds the action that a request is for; nil where there is none.
    ///
    /// A request that was admitted has its action already.
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

    /// The reply with the default behavior document, if the request is for that: the request that
    /// costs the least.
    @inline(__always)
    func document(_ request: borrowing IncomingRequest) -> Reply? {
        switch request.head.method {
        case .get, .head:
            guard behaviors != nil, request.head.path.equals(BehaviorsAnswer.path) else {
                return nil
            }
            return answerBehaviors(request)
        default: return nil
        }
    }

    /// Responds to a request whose body is complete.
    func respond(_ request: inout Request, body: ByteSpan) -> Reply {
        // By the method first: no other request pays for looking whether it is for a document.
        switch request.head.method {
        case .get, .head:
            if let document = document(request.incoming) {
                request.subject = RequestSubject(route: RequestSubject.Route.behaviors)
                return document
            }
            if named != nil, let document = namedDocument(request.incoming) {
                request.subject = RequestSubject(route: RequestSubject.Route.namedBehaviors)
                return document
            }
        default: break
        }
        request.subject.began = RequestSubject.now()
        do {
            defer { giveBack(&request.members) }
            guard let (action, policy) = try match(&request) else {
                return answerWithoutAction(&request)
            }
            guard let policy = policy ?? self.policy(request.head) else {
                return coding.code(perform(action, &request, body), for: request.head)
            }
            return governed(policy, action, &request, body) { request in
                perform(action, &request, body)
            }
        } catch {
            return .now(ProblemAnswer.make(error.problem))
        }
    }

    /// Responds to a request whose body was admitted as a stream.
    func respond(_ request: inout Request, stream: BodyStream) -> Reply {
        guard let (action, policy) = try? match(&request), let perform = action.stream else {
            return answerWithoutAction(&request)
        }
        request.subject.began = RequestSubject.now()
        let body = RequestBody { try await stream.next() }
        func answerNow(_ request: inout Request) -> Reply {
            request.subject.isCall = true
            do {
                return try self.perform(perform, request, body)
            } catch {
                request.subject.isCall = false
                return .now(ProblemAnswer.make(Problem(for: error)))
            }
        }
        func answer(_ request: inout Request) -> Reply {
            guard let key = PlugKey.of(request) else { return answerNow(&request) }
            return PlugKey.within(key) { answerNow(&request) }
        }
        guard let policy = policy ?? self.policy(request.head) else {
            return coding.code(answer(&request), for: request.head)
        }
        let none = ByteSpan(start: nil, count: 0)
        return governed(policy, action, &request, none, answer)
    }

    /// Takes the room of a request's members for the next one.
    @inline(__always)
    private func giveBack(_ members: inout [TextMember]) {
        members.removeAll(keepingCapacity: true)
        swap(&members, &room)
    }
}
