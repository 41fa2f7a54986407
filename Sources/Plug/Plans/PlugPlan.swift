/// How the named implementations of an action are used together, as a value: the JSON of
/// `PUT /plugs/{action}`.
///
/// ```swift
/// LikePhoto.named("memory") <~ LikePhotoInMemory()
/// LikePhoto.named("network") <~ NetworkLikePhoto(network: client)
/// LikePhoto.self <~ .split(["memory": 90, "network": 10])
/// ```
/// Plans nest: each layer says what it does about the plan below it.
/// ```json
/// {"retry": {"plug": {"split": {"memory": 90, "network": 10}}, "attempts": 3}}
/// ```
public indirect enum PlugPlan: Sendable, Hashable {
    /// The implementation of this name: `"network"`.
    case plug(String)
    /// A share of the calls for each.
    case split(PlugSplit)
    /// A candidate beside, whose answers are compared and thrown away.
    case shadow(PlugShadow)
    /// One after the other, until one answers.
    case fallback(PlugFallback)
    /// Nothing is asked for a while that has failed several times.
    case breaker(PlugBreaker)
    /// Failures are tried again.
    case retry(PlugRetry)
    /// An answer that takes too long is an error.
    case timeout(PlugTimeout)
    /// Answers are kept for a while.
    case cache(PlugCache)
    /// Code of the application's own stands before it.
    case decorate(PlugDecoration)
}

extension PlugPlan: ExpressibleByStringLiteral {
    /// The implementation of this name.
    public init(stringLiteral name: String) { self = .plug(name) }
}

extension PlugPlan {
    /// The name of what `LikePhoto.self <~ …` plugs.
    public static let defaultName = "default"

    /// A percentage of the calls for each implementation.
    public static func split(_ shares: [String: Double], guard limits: PlugGuard?) -> PlugPlan {
        .split(PlugSplit(shares, guard: limits))
    }

    /// A percentage of the calls for each implementation.
    public static func split(_ shares: [String: Double]) -> PlugPlan { .split(PlugSplit(shares)) }

    /// A plan, and beside it a candidate whose answers are compared and thrown away; `isUnsafe` where
    /// it may perform what isn't idempotent.
    public static func shadow(
        _ plan: PlugPlan,
        with candidate: PlugPlan,
        isUnsafe: Bool = false
    ) -> PlugPlan {
        .shadow(PlugShadow(plan, with: candidate, isUnsafe: isUnsafe))
    }

    /// One plan after the other, until one answers.
    public static func fallback(_ steps: PlugFallback.Step...) -> PlugPlan {
        .fallback(PlugFallback(steps))
    }

    /// What this layer does, and what it needs for that.
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

    /// This plan with every part that is like one replaced by another.
    func replacing(_ part: PlugPlan, with other: PlugPlan) -> PlugPlan {
        self == part ? other : layer.mapping { $0.replacing(part, with: other) }
    }
}

/// One layer of a plan: a value that checks itself and makes what calls go through.
protocol PlanLayer: Sendable {
    /// Notes what is wrong with it and the plans below it.
    func check(_ check: inout PlanCheck, at pointer: String)

    /// Makes what calls go through, around what the plans below it make.
    func wire<Input, Output>(
        _ board: PlanBoard<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output>

    /// The same layer around other plans.
    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan
}

/// The plan below all layers: an implementation by its name.
struct NamedLayer: PlanLayer {
    let name: String

    func check(_ check: inout PlanCheck, at pointer: String) { check.name(name, at: pointer) }

    func wire<Input, Output>(
        _ board: PlanBoard<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> { board.counted(name) }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan { .plug(name) }
}
