/// A combination of an action's named implementations, as a value: the JSON of
/// `PUT /plugs/{action}`.
///
/// ```swift
/// LikePhoto.named("memory") <~ LikePhotoInMemory()
/// LikePhoto.named("network") <~ NetworkLikePhoto(network: client)
/// LikePhoto.self <~ .split(["memory": 90, "network": 10])
/// ```
/// Plans nest: each layer wraps the plan below it.
/// ```swift
/// LikePhoto.self <~ .retry(.split(["memory": 90, "network": 10]), attempts: 3)
/// ```
/// ```json
/// {"retry": {"plug": {"split": {"memory": 90, "network": 10}}, "attempts": 3}}
/// ```
public indirect enum PlugPlan: Sendable, Hashable {
    /// The implementation of this name: `"network"`.
    case plug(String)
    /// Distributes the calls by percentage.
    case split(PlugSplit)
    /// Runs a candidate beside the plan, compares its outputs and discards them.
    case shadow(PlugPlan, with: PlugPlan, PlugShadow)
    /// Tries one plan after the other until one succeeds.
    ///
    /// Three results end the chain: an output, an error that the caller caused, and any error of
    /// the last step. An implementation that throws another error must have had no effect.
    case fallback([Step])
    /// Pauses calls for a while after several failures in a row.
    case breaker(PlugPlan, PlugBreaker)
    /// Retries failures.
    case retry(PlugPlan, PlugRetry)
    /// Fails a call that takes longer than a number of seconds.
    ///
    /// At the limit the implementation is cancelled and the call throws ``TimedOut``. It throws
    /// even if the implementation ignores the cancellation.
    case timeout(PlugPlan, seconds: Double)
    /// Stores outputs for a while.
    case cache(PlugPlan, PlugCache)
    /// Runs the decorator of this name around the plan.
    case decorate(PlugPlan, with: String)

    /// One plan of a fallback, with its timeout.
    public struct Step: Sendable, Hashable {
        /// The plan.
        public var plan: PlugPlan
        /// The timeout in seconds; nil for none.
        ///
        /// A step that timed out may still take effect. So only an ``IdempotentAction`` allows
        /// timeouts before the last step.
        public var timeout: Double?

        /// Creates a step.
        public init(_ plan: PlugPlan, timeout: Double? = nil) {
            self.plan = plan
            self.timeout = timeout
        }
    }
}

extension PlugPlan: ExpressibleByStringLiteral {
    /// The implementation of this name.
    public init(stringLiteral name: String) { self = .plug(name) }
}

extension PlugPlan.Step: ExpressibleByStringLiteral {
    /// Creates a step for the implementation of this name, without a timeout.
    public init(stringLiteral name: String) { self.init(.plug(name)) }
}

extension PlugPlan {
    /// Returns this plan with every part that equals `part` replaced.
    func replacing(_ part: PlugPlan, with other: PlugPlan) -> PlugPlan {
        if self == part { return other }
        func replaced(_ plan: PlugPlan) -> PlugPlan { plan.replacing(part, with: other) }
        return switch self {
        case .plug, .split: self
        case .shadow(let plan, let candidate, let shadow):
            .shadow(replaced(plan), with: replaced(candidate), shadow)
        case .fallback(let steps):
            .fallback(steps.map { Step(replaced($0.plan), timeout: $0.timeout) })
        case .breaker(let plan, let breaker): .breaker(replaced(plan), breaker)
        case .retry(let plan, let retry): .retry(replaced(plan), retry)
        case .timeout(let plan, let seconds): .timeout(replaced(plan), seconds: seconds)
        case .cache(let plan, let cache): .cache(replaced(plan), cache)
        case .decorate(let plan, let decorator): .decorate(replaced(plan), with: decorator)
        }
    }
}
