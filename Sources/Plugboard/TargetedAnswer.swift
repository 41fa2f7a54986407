import BehaviorStore
import HTTPSyntax
import HTTPServer
import Logging
import Targeting

/// A loop's answers for a behavior document with rules: one for each variant, made when it is first
/// asked for.
///
/// The variants' bytes are shared by all loops; the fields are each loop's own, so that an answer
/// takes no lock.
final class TargetedAnswer {
    /// The field that a context stands in.
    private static let field: StaticString = "plugboard-context"

    private let variants: BehaviorVariants
    private let live: LiveBehavior
    private let tools: BehaviorsAnswer.Tools
    /// The answers for everybody and those for one caller.
    private var common: [BehaviorVariant: Answer] = [:]
    private var own: [BehaviorVariant: Answer] = [:]

    /// A variant's representations: a class, so that looking them up retains one reference, not both.
    private final class Answer {
        let representations: Representations

        init(_ revision: BehaviorRevision, isOwn: Bool, knowsCallers: Bool) {
            // By tags alone: two variants of a document were changed at the same time.
            representations = Representations(
                revision,
                lastModified: nil,
                caching: [("Cache-Control", TargetedAnswer.caching(isOwn: isOwn))],
                varying: ["Plugboard-Context"] + (knowsCallers ? ["Authorization"] : [])
            )
        }
    }

    init(
        _ variants: BehaviorVariants,
        of live: LiveBehavior,
        _ tools: BehaviorsAnswer.Tools
    ) {
        self.variants = variants
        self.live = live
        self.tools = tools
    }

    /// Answers a GET or HEAD with what its context is given.
    func answer(_ request: borrowing IncomingRequest, now: Int) -> Response {
        let head = request.head
        var caller: String?
        switch tools.judge(request) {
        case .granted(let known): caller = known.id
        case .anonymous, nil: break
        case .refused(let response): return response
        }
        do throws(InvalidContext) {
            let context = try ContextReader.context(
                query: head.query,
                field: try field(head),
                targetingKey: caller,
                timestamp: Int64(now),
                names: variants.behavior.names
            )
            let evaluation = variants.behavior.evaluateQuietly(context)
            if evaluation.problemCount > 0 { note(evaluation.problemCount, context) }
            let answer = answer(for: evaluation.variant, isOwn: caller != nil)
            return answer.representations.answer(head)
        } catch {
            return ProblemAnswer.make(400, error.description)
        }
    }

    private func field(_ head: RequestHead) throws(InvalidContext) -> ByteSpan? {
        guard let value = head.field(Self.field) else { return nil }
        guard head.count(of: Self.field) == 1 else { throw .severalFields }
        return value
    }

    private func answer(for variant: BehaviorVariant, isOwn: Bool) -> Answer {
        if let known = isOwn ? own[variant] : common[variant] { return known }
        let (revision, isKept) = variants.find(variant)
        let answer = Answer(revision, isOwn: isOwn, knowsCallers: tools.callers != nil)
        guard isKept else { return answer }
        if isOwn { own[variant] = answer } else { common[variant] = answer }
        return answer
    }

    /// Counts what couldn't be evaluated; the first of a revision is told in the log.
    private func note(_ count: Int, _ context: TargetingContext) {
        live.count(problems: count)
        guard variants.takesFirstProblem() else { return }
        guard let problem = variants.behavior.evaluate(context).firstProblem else { return }
        tools.logger.warning("behaviors: a rule can't be evaluated for everybody: \(problem)")
    }

    // MARK: What caches are told

    /// What a variant's answers say of being kept.
    ///
    /// What everybody with such a context gets may be kept and shared: a CDN sends it on for ten
    /// seconds while it asks anew, and for a day where it asks in vain (RFC 5861). What is given to a
    /// known caller is theirs.
    private static func caching(isOwn: Bool) -> String {
        isOwn
            ? "private, no-cache"
            : "public, max-age=0, stale-while-revalidate=10, stale-if-error=86400"
    }
}
