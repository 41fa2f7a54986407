import BehaviorStore
import HTTPSyntax
import HTTPServer
import JSONCodec
import Locking
import Logging
import Plug
import PlugHTTP

/// Answers one loop's requests: the behavior document, the actions, then the public files.
final class ServerResponder: Responder {
    /// What is exposed: made when somebody first asks, and kept by the loop.
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
    @exclusivity(unchecked) private(set) var tools: ExposedAction.Tools
    /// For what isn't performed before it is known whether it has to be.
    @exclusivity(unchecked) private(set) var laterTools: ExposedAction.Tools
    var logger: Logger { tools.logger }
    /// Read and written on the loop's thread, by calls that don't call back.
    @exclusivity(unchecked) var behaviors: BehaviorsAnswer?
    /// The documents beside that one; nil where there can't be any.
    @exclusivity(unchecked) var named: NamedBehaviors?
    private let behaviorTools: BehaviorsAnswer.Tools?
    /// The values in the path of the request in hand: kept for its memory.
    @exclusivity(unchecked) var members: [TextMember] = []
    /// What the request in hand is about.
    @exclusivity(unchecked) var subject = RequestSubject()
    /// Who has sent the request in hand, where its action asks for that.
    @exclusivity(unchecked) var caller: Caller?

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
        behaviorTools = behaviors?.tools
        self.bodyLimit = bodyLimit
        self.streamLimit = streamLimit
        self.coding = coding
        self.rules = rules
        tools = ExposedAction.Tools(
            logger: logger,
            performsAtOnce: performsAtOnce,
            isTimed: isTimed
        )
        laterTools = ExposedAction.Tools(logger: logger, performsAtOnce: false, isTimed: isTimed)
    }

    /// The behavior documents that are served.
    struct Behaviors {
        /// The one at `/behaviors.json`; nil where there is none.
        let answer: BehaviorsAnswer?
        /// The others; nil where there can't be any.
        let named: NamedBehaviors?
        let tools: BehaviorsAnswer.Tools

        /// A loop's answers.
        ///
        /// `isOpen` is whether there may be others than the default document.
        init(_ documents: LiveBehaviors, isOpen: Bool, _ tools: BehaviorsAnswer.Tools) {
            answer = documents[LiveBehaviors.defaultName].map { BehaviorsAnswer($0, tools) }
            named = isOpen ? NamedBehaviors(documents, tools) : nil
            self.tools = tools
        }
    }

    // MARK: Responder

    func attach(_ loop: any ServingLoop) {
        tools.loop = loop
        laterTools.loop = loop
        behaviorTools?.loop = loop
        tools.counters = loop.counters
        laterTools.counters = loop.counters
    }

    func admit(_ head: RequestHead) -> Admission {
        caller = nil
        do {
            if case .action(let action, let policy) = try routes.match(
                head.path,
                head.method,
                &members
            ), !isDocument(head) {
                subject.route = action.number
                if let policy = policy ?? self.policy(head),
                    let refusal = refusal(by: policy, action, head)
                {
                    return .refuse(.now(refusal))
                }
                if action.hasBody, let refusal = refusal(head, ContentEncoding(head), action) {
                    return .refuse(.now(refusal))
                }
                if action.stream != nil { return .stream(upTo: bodyLimit(streamLimit, of: head)) }
                return .collect(upTo: bodyLimit)
            }
        } catch {
            return .refuse(.now(ProblemAnswer.make(error.problem)))
        }
        guard case .now(let answer) = answerWithoutAction(head), answer.status >= 400 else {
            return .collect(upTo: bodyLimit)
        }
        return .refuse(.now(answer))
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
        // By the method first: no other request pays for looking whether it is for a document.
        switch head.method {
        case .get, .head:
            if let document = document(head) {
                subject = RequestSubject(route: RequestSubject.Route.behaviors)
                return .now(document)
            }
            if named != nil, let document = namedDocument(head) {
                subject = RequestSubject(route: RequestSubject.Route.namedBehaviors)
                return .now(document)
            }
        default: break
        }
        subject = RequestSubject(began: RequestSubject.now())
        do {
            if case .action(let action, let policy) = try routes.match(
                head.path,
                head.method,
                &members
            ), !isDocument(head) {
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
        func answerNow() -> Reply {
            subject.isCall = true
            do {
                return try self.perform(perform, head, body)
            } catch {
                subject.isCall = false
                return .now(ProblemAnswer.make(Problem(for: error)))
            }
        }
        func answer() -> Reply {
            guard let key = PlugKey.of(head) else { return answerNow() }
            return PlugKey.within(key, answerNow)
        }
        guard let policy = policy ?? self.policy(head) else {
            return coding.code(answer(), for: head)
        }
        let none = ByteSpan(start: nil, count: 0)
        return governed(policy, action, head, none) { _ in answer() }
    }
}
