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
    ///
    /// Many rules are evaluated beside the loop, and a variant that nobody has asked for yet is made
    /// there.
    func answer(_ request: borrowing IncomingRequest, now: Int) -> Reply {
        let head = request.head
        var caller: String?
        switch tools.judge(request) {
        case .granted(let known): caller = known.id
        case .anonymous, nil: break
        case .refused(let response): return .now(response)
        }
        do throws(InvalidContext) {
            let context = try ContextReader.context(
                query: head.query,
                field: try field(head),
                targetingKey: caller,
                timestamp: Int64(now),
                names: variants.behavior.names
            )
            if variants.takeLong {
                return make(for: head, isOwn: caller != nil) {
                    [variants, live, logger = tools.logger] in
                    variants.evaluate(context, live, logger)
                }
            }
            let variant = variants.evaluate(context, live, tools.logger)
            if let known = answer(for: variant, isOwn: caller != nil) {
                return .now(known.representations.answer(head))
            }
            return make(for: head, isOwn: caller != nil) { variant }
        } catch {
            return .now(ProblemAnswer.make(400, error.description))
        }
    }

    private func field(_ head: RequestHead) throws(InvalidContext) -> ByteSpan? {
        guard let value = head.field(Self.field) else { return nil }
        guard head.count(of: Self.field) == 1 else { throw .severalFields }
        return value
    }

    /// This loop's answer for a variant; nil where the variant isn't made yet.
    private func answer(for variant: BehaviorVariant, isOwn: Bool) -> Answer? {
        if let known = isOwn ? own[variant] : common[variant] { return known }
        guard let revision = variants.known(variant) else { return nil }
        let answer = Answer(revision, isOwn: isOwn, knowsCallers: tools.callers != nil)
        if isOwn { own[variant] = answer } else { common[variant] = answer }
        return answer
    }

    /// Makes the answer for a variant beside the loop.
    @inline(never)
    private func make(
        for head: RequestHead,
        isOwn: Bool,
        _ variant: @escaping @Sendable () -> BehaviorVariant
    ) -> Reply {
        let held = HeldHead(head)
        let (variants, knowsCallers) = (variants, tools.callers != nil)
        return .later {
            await besideLoop {
                let revision = variants.revision(of: variant())
                let answer = Answer(revision, isOwn: isOwn, knowsCallers: knowsCallers)
                return answer.representations.answer(held.head)
            }
        }
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

extension BehaviorVariants {
    /// Whether evaluating a context may take more than a millisecond.
    fileprivate var takeLong: Bool { behavior.takesLong }

    /// The variant that a context is given.
    ///
    /// What can't be evaluated is counted; the first of a revision is told in the log.
    fileprivate func evaluate(
        _ context: TargetingContext,
        _ live: LiveBehavior,
        _ logger: Logger
    ) -> BehaviorVariant {
        let evaluation = behavior.evaluateQuietly(context)
        if evaluation.problemCount > 0 { note(evaluation.problemCount, context, live, logger) }
        return evaluation.variant
    }

    private func note(
        _ count: Int,
        _ context: TargetingContext,
        _ live: LiveBehavior,
        _ logger: Logger
    ) {
        live.count(problems: count)
        guard takesFirstProblem(), let problem = behavior.evaluate(context).firstProblem else {
            return
        }
        logger.warning("behaviors: a rule can't be evaluated for everybody: \(problem)")
    }
}
