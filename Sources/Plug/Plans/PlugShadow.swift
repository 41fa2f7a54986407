import Locking

/// A candidate beside a plan, whose outputs are compared and discarded:
/// `{"shadow": {"plug": "one", "with": "two"}}`.
///
/// The candidate never slows or fails a call. While ``limit`` of its calls are running, further
/// calls run without it. It does perform the call a second time: unless the action is an
/// ``IdempotentAction``, the shadow must set ``isUnsafe``.
public struct PlugShadow: Sendable, Hashable {
    /// The plan whose output the caller gets.
    public var plan: PlugPlan
    /// The plan that runs beside it.
    public var candidate: PlugPlan
    /// The maximum number of running calls of the candidate.
    public var limit: Int
    /// Whether the candidate may perform an action that isn't idempotent.
    ///
    /// The candidate is safe if it changes nothing, or only data of its own.
    public var isUnsafe: Bool
    /// The limits that remove the candidate.
    public var `guard`: PlugGuard?

    /// Creates a shadow of a plan.
    public init(
        _ plan: PlugPlan,
        with candidate: PlugPlan,
        limit: Int = 16,
        isUnsafe: Bool = false,
        guard limits: PlugGuard? = nil
    ) {
        self.plan = plan
        self.candidate = candidate
        self.limit = limit
        self.isUnsafe = isUnsafe
        self.guard = limits
    }
}

extension PlugShadow: Codable {
    /// Decodes the shadow without its guard, which is a member beside it.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "with", "limit", "unsafe")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            with: try members.decode(PlugPlan.self, forKey: PlanKey("with")),
            limit: try members.integer("limit", 16),
            isUnsafe: try members.decodeIfPresent(Bool.self, forKey: PlanKey("unsafe")) ?? false
        )
    }

    /// Encodes the shadow without its guard.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(candidate, forKey: PlanKey("with"))
        try members.encode(limit, forKey: PlanKey("limit"))
        if isUnsafe { try members.encode(true, forKey: PlanKey("unsafe")) }
    }
}

extension PlugShadow: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let inner = pointer + "/shadow"
        if !check.features.isIdempotent, !isUnsafe {
            check.fault(
                inner,
                PlanCheck.isDoneOnce
                    + ". If the candidate's effects are harmless, set \"unsafe\": true"
            )
        }
        check.plan(plan, at: inner + "/plug")
        check.plan(candidate, at: inner + "/with")
        check.count(limit, in: 1...10_000, at: inner + "/limit")
        if !check.features.comparesOutputs, `guard`?.differences != nil {
            check.fault(pointer + "/guard/differences", "this action's outputs can't be compared")
        }
        `guard`?.check(&check, at: pointer + "/guard", ofShadow: true)
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        let inner = pointer + "/shadow"
        var answering = board.wire(plan, at: inner + "/plug")
        var beside = board.wire(candidate, at: inner + "/with")
        let watch = `guard`.map { PlugWatch($0, board, unplugging: .shadow(self)) }
        if let watch {
            answering = watch.watch(answering, "", isCandidate: false) { self.plan }
            beside = watch.watch(beside, candidateName, isCandidate: true) { self.plan }
        }
        let gauge = ShadowGauge(limit: limit)
        board.gauges.add { $0.shadows.append(gauge.state(at: inner)) }
        let name = candidateName
        let plan = plan
        let onDifference: @Sendable () -> Void = {
            guard let watch else { return }
            let state = gauge.state(at: inner)
            let count = state.differences
            guard let reason = watch.limits.verdict(differences: count, of: state.compared)
            else { return }
            watch.unplug(name, leaving: plan, reason)
        }
        return Wiring(making: { [answering, beside] in
            ShadowedPlug(answering.implementation(), beside, gauge, onDifference)
        })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        var layer = self
        layer.plan = transform(plan)
        layer.candidate = transform(candidate)
        return .shadow(layer)
    }

    private var candidateName: String {
        if case .plug(let name) = candidate { name } else { "the shadow" }
    }
}

/// A shadow's statistics and its limit.
final class ShadowGauge: Sendable {
    private let limit: Int
    private let kept = Locked(PlugState.Shadow(at: ""))

    init(limit: Int) { self.limit = limit }

    func state(at pointer: String) -> PlugState.Shadow {
        var state = kept.withLock { $0 }
        state.at = pointer
        return state
    }

    func begin() -> Bool {
        kept.withLock { state in
            guard state.running < limit else {
                state.skipped += 1
                return false
            }
            state.running += 1
            return true
        }
    }

    /// - Parameter isSame: Whether the results are the same; nil if they can't be compared.
    func end(_ isSame: Bool?) {
        kept.withLock { state in
            state.running -= 1
            guard let isSame else { return }
            state.compared += 1
            if !isSame { state.differences += 1 }
        }
    }
}

/// A call with a candidate that runs beside it.
private final class ShadowedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let answering: Action<Input, Output>
    private let beside: Wiring<Input, Output>
    private let gauge: ShadowGauge
    private let onDifference: @Sendable () -> Void

    init(
        _ answering: Action<Input, Output>,
        _ beside: Wiring<Input, Output>,
        _ gauge: ShadowGauge,
        _ onDifference: @escaping @Sendable () -> Void
    ) {
        self.answering = answering
        self.beside = beside
        self.gauge = gauge
        self.onDifference = onDifference
    }

    override func performNow(_ input: Input) throws -> Output? {
        // The candidate starts afterwards, so that an immediate output needn't wait for its task.
        do {
            guard let output = try answering.performNow(input) else { return nil }
            begin(input)?.answered(.success(output))
            return output
        } catch {
            begin(input)?.answered(.failure(error))
            throw error
        }
    }

    override func perform(_ input: Input) async throws -> Output {
        let comparison = begin(input)
        do {
            let output = try await answering.perform(input)
            comparison?.answered(.success(output))
            return output
        } catch {
            comparison?.answered(.failure(error))
            throw error
        }
    }

    private func begin(_ input: Input) -> Comparison<Output>? {
        guard gauge.begin() else { return nil }
        let comparison = Comparison<Output>(gauge, onDifference)
        // An unstructured task: the end or cancellation of the caller's task doesn't affect it.
        Task { [beside] in
            do {
                comparison.shadowed(.success(try await beside.implementation().perform(input)))
            } catch {
                comparison.shadowed(.failure(error))
            }
        }
        return comparison
    }
}

/// The two results of one call, in the order of their arrival.
private final class Comparison<Output: Sendable>: Sendable {
    private let gauge: ShadowGauge
    private let onDifference: @Sendable () -> Void
    private let kept = Locked<(Result<Output, any Error>?, Result<Output, any Error>?)>((nil, nil))

    init(_ gauge: ShadowGauge, _ onDifference: @escaping @Sendable () -> Void) {
        self.gauge = gauge
        self.onDifference = onDifference
    }

    func answered(_ result: Result<Output, any Error>) {
        let shadow = kept.withLock { kept in
            kept.0 = result
            return kept.1
        }
        if let shadow { compare(result, shadow) }
    }

    func shadowed(_ result: Result<Output, any Error>) {
        let answer = kept.withLock { kept in
            kept.1 = result
            return kept.0
        }
        if let answer { compare(answer, result) }
    }

    private func compare(_ one: Result<Output, any Error>, _ two: Result<Output, any Error>) {
        let isSame: Bool?
        switch (one, two) {
        case (.success(let one), .success(let two)): isSame = Outputs.areSame(one, two)
        // Two errors count as the same; an error beside an output is a difference.
        case (.failure, .failure): isSame = true
        case (.failure(let error), .success), (.success, .failure(let error)):
            isSame = error is CancellationError ? nil : false
        }
        gauge.end(isSame)
        if isSame == false { onDifference() }
    }
}
