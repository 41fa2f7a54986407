/// A combination of an action's named implementations, as a value: the JSON of
/// `PUT /plugs/{action}`.
///
/// ```swift
/// LikePhoto.named("memory") <~ LikePhotoInMemory()
/// LikePhoto.named("network") <~ NetworkLikePhoto(network: client)
/// LikePhoto.self <~ .split(["memory": 90, "network": 10])
/// ```
/// Plans nest: each layer wraps the plan below it.
/// ```json
/// {"retry": {"plug": {"split": {"memory": 90, "network": 10}}, "attempts": 3}}
/// ```
public indirect enum PlugPlan: Sendable, Hashable {
    /// The implementation of this name: `"network"`.
    case plug(String)
    /// Distributes the calls by percentage.
    case split(PlugSplit)
    /// Runs a candidate beside the plan, compares its outputs and discards them.
    case shadow(PlugShadow)
    /// Tries one plan after the other until one succeeds.
    case fallback(PlugFallback)
    /// Pauses calls for a while after several failures in a row.
    case breaker(PlugBreaker)
    /// Retries failures.
    case retry(PlugRetry)
    /// Fails a call that takes too long.
    case timeout(PlugTimeout)
    /// Stores outputs for a while.
    case cache(PlugCache)
    /// Runs the application's own code around the plan.
    case decorate(PlugDecoration)
}

extension PlugPlan: ExpressibleByStringLiteral {
    /// The implementation of this name.
    public init(stringLiteral name: String) { self = .plug(name) }
}

extension PlugPlan {
    /// Returns a plan that gives each implementation a percentage of the calls.
    public static func split(_ shares: [String: Double], guard limits: PlugGuard?) -> PlugPlan {
        .split(PlugSplit(shares, guard: limits))
    }

    /// Returns a plan that gives each implementation a percentage of the calls.
    public static func split(_ shares: [String: Double]) -> PlugPlan { .split(PlugSplit(shares)) }

    /// Returns a plan with a candidate beside it, whose outputs are compared and discarded.
    ///
    /// `isUnsafe` allows the candidate to perform an action that isn't idempotent.
    public static func shadow(
        _ plan: PlugPlan,
        with candidate: PlugPlan,
        isUnsafe: Bool = false
    ) -> PlugPlan {
        .shadow(PlugShadow(plan, with: candidate, isUnsafe: isUnsafe))
    }

    /// Returns a plan that tries one plan after the other until one succeeds.
    public static func fallback(_ steps: PlugFallback.Step...) -> PlugPlan {
        .fallback(PlugFallback(steps))
    }

    /// The plan's outermost layer.
    var layer: any PlanLayer {
        switch self {
        case .plug(let name): NamedLayer(name: name)
        case .split(let layer): layer
        case .shadow(let layer): layer
        case .fallback(let layer): layer
        case .breaker(let layer): layer
        case .retry(let layer): layer
        case .timeout(let layer): layer
        case .cache(let layer): layer
        case .decorate(let layer): layer
        }
    }

    /// Returns this plan with every part that equals `part` replaced.
    func replacing(_ part: PlugPlan, with other: PlugPlan) -> PlugPlan {
        self == part ? other : layer.mapping { $0.replacing(part, with: other) }
    }
}

/// One layer of a plan, which checks itself and makes the wiring for calls.
protocol PlanLayer: Sendable {
    /// Adds the faults of this layer and the plans below it.
    func check(_ check: inout PlanCheck, at pointer: String)

    /// Makes this layer's wiring around the wirings of the plans below it.
    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output>

    /// Returns the same layer around transformed plans.
    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan
}

/// The innermost layer: an implementation by its name.
struct NamedLayer: PlanLayer {
    let name: String

    func check(_ check: inout PlanCheck, at pointer: String) { check.name(name, at: pointer) }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> { board.counted(name) }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan { .plug(name) }
}
