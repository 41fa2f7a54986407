import BehaviorStore
import HTTPSyntax
import HTTPServer
import Logging
import Targeting

/// A loop's responses for a behavior document with rules: one per variant, created on demand.
///
/// All loops share the variants' bytes. The fields belong to each loop, so that a response takes no
/// lock.
final class TargetedResponse {
    /// The field with the request's context.
    private static let field: StaticString = "plugboard-context"

    private let variants: BehaviorVariants
    private let live: LiveBehavior
    private let tools: BehaviorsResponse.Tools
    /// The responses without a caller (`common`) and those with one (`own`).
    private var common: [BehaviorVariant: Answer] = [:]
    private var own: [BehaviorVariant: Answer] = [:]

    /// A variant's representations; a class, because a lookup then retains one reference, not two.
    private final class Answer {
        let representations: Representations

        init(_ revision: BehaviorRevision, isOwn: Bool, fields: [String]) {
            // Without a date: two variants of a document changed at the same time.
            representations = Representations(
                revision,
                lastModified: nil,
                caching: [("Cache-Control", TargetedResponse.caching(isOwn: isOwn))],
                varying: ["Plugboard-Context"] + fields
            )
        }
    }

    init(
        _ variants: BehaviorVariants,
        of live: LiveBehavior,
        _ tools: BehaviorsResponse.Tools
    ) {
        self.variants = variants
        self.live = live
        self.tools = tools
    }

    /// Responds to a GET or HEAD with the variant for the request's context.
    ///
    /// Long evaluations and new variants leave the loop's thread.
    func answer(_ request: borrowing IncomingRequest, now: Int) -> Reply {
        let head = request.head
        var caller: String?
        switch tools.judge(request) {
        case .granted(let known): caller = known.id
        case .anonymous, nil: break
        case .refused(let response): return .now(response)
        case .pending: return .now(ProblemResponse.make(503, nil))
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
            return .now(ProblemResponse.make(400, error.description))
        }
    }

    private func field(_ head: RequestHead) throws(InvalidContext) -> ByteSpan? {
        guard let value = head.field(Self.field) else { return nil }
        guard head.count(of: Self.field) == 1 else { throw .severalFields }
        return value
    }

    /// Returns this loop's response for a variant; nil if the variant doesn't exist yet.
    private func answer(for variant: BehaviorVariant, isOwn: Bool) -> Answer? {
        if let known = isOwn ? own[variant] : common[variant] { return known }
        guard let revision = variants.known(variant) else { return nil }
        let answer = Answer(revision, isOwn: isOwn, fields: tools.fields)
        if isOwn { own[variant] = answer } else { common[variant] = answer }
        return answer
    }

    /// Builds the response for a variant off the loop's thread.
    @inline(never)
    private func make(
        for head: RequestHead,
        isOwn: Bool,
        _ variant: @escaping @Sendable () -> BehaviorVariant
    ) -> Reply {
        let held = HeadCopy(head)
        let (variants, fields) = (variants, tools.fields)
        return .later {
            await WorkQueue.computing.respond {
                let revision = variants.revision(of: variant())
                let answer = Answer(revision, isOwn: isOwn, fields: fields)
                return answer.representations.answer(held.head)
            }
        }
    }

    // MARK: Caching

    /// The value of `Cache-Control` for a variant's responses.
    ///
    /// Without a caller, caches may share them. A CDN may send a stale response for ten seconds
    /// during revalidation, and for a day if the server fails (RFC 5861). With a caller they are
    /// private.
    private static func caching(isOwn: Bool) -> String {
        isOwn
            ? "private, no-cache"
            : "public, max-age=0, stale-while-revalidate=10, stale-if-error=86400"
    }
}

extension BehaviorVariants {
    /// Whether evaluating a context may take more than a millisecond.
    fileprivate var takeLong: Bool { behavior.takesLong }

    /// Returns the variant for a context.
    ///
    /// Counts failed evaluations. Logs the first one of a revision.
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
        logger.warning("behaviors: a rule can't be evaluated for all contexts: \(problem)")
    }
}
