/// The check of a plan against an action's implementations and types.
struct PlanCheck {
    private(set) var faults: PlanFaults
    private var depth = 0
    private var parts = 0
    /// The product of the surrounding retries' attempts.
    private var attempts = 1
    /// Whether another plan follows after a failure of this one.
    private var isFollowed = false

    /// The maximum depth of nested plans; each layer costs time on each call.
    private static let maximumDepth = 8
    /// The maximum number of layers and names in a plan, not counting the names in splits.
    private static let maximumCount = 64
    /// The maximum number of attempts by nested retries, whose numbers multiply.
    private static let maximumAttempts = 100

    private init(_ faults: PlanFaults) { self.faults = faults }

    /// Returns all faults of a plan; `faults` has the facts about its action, and no fault yet.
    static func faults(of plan: PlugPlan, _ faults: PlanFaults) -> [InvalidPlan.Fault] {
        var check = PlanCheck(faults)
        check.check(plan, at: "")
        return check.faults.all
    }

    private mutating func check(_ plan: PlugPlan, at pointer: String) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            return faults.fault(pointer, "plans may nest at most \(Self.maximumDepth) deep")
        }
        parts += 1
        guard parts <= Self.maximumCount else {
            if parts == Self.maximumCount + 1 {
                faults.fault(pointer, "a plan may have at most \(Self.maximumCount) parts")
            }
            return
        }
        checkLayer(plan, at: pointer)
    }

    private mutating func checkLayer(_ plan: PlugPlan, at pointer: String) {
        switch plan {
        case .plug(let name): faults.name(name, at: pointer)
        case .split(let split): split.check(&faults, at: pointer)
        case .shadow(let plan, let candidate, let shadow):
            shadow.check(&faults, at: pointer)
            check(plan, at: pointer + "/shadow/plug")
            check(candidate, at: pointer + "/shadow/with")
        case .fallback(let steps): check(steps, at: pointer + "/fallback")
        case .breaker(let plan, let breaker):
            breaker.check(&faults, at: pointer + "/breaker")
            check(plan, at: pointer + "/breaker/plug")
        case .retry(let plan, let retry): check(plan, retry, at: pointer + "/retry")
        case .timeout(let plan, let seconds):
            check(timeout: seconds, at: pointer + "/timeout/seconds")
            check(plan, at: pointer + "/timeout/plug")
        case .cache(let plan, let cache):
            cache.check(&faults, at: pointer + "/cache")
            check(plan, at: pointer + "/cache/plug")
        case .decorate(let plan, let decorator):
            faults.decorator(decorator, at: pointer + "/decorate/with")
            check(plan, at: pointer + "/decorate/plug")
        }
    }

    /// Checks a retried plan, which runs up to `attempts` times per call.
    private mutating func check(_ plan: PlugPlan, _ retry: PlugRetry, at pointer: String) {
        retry.check(&faults, at: pointer)
        let around = attempts
        defer { attempts = around }
        attempts *= min(max(retry.attempts, 1), 10)
        if attempts > Self.maximumAttempts, around <= Self.maximumAttempts {
            faults.fault(
                pointer + "/attempts",
                "with the surrounding retries this makes \(attempts) attempts per call: "
                    + "the limit is \(Self.maximumAttempts)"
            )
        }
        check(plan, at: pointer + "/plug")
    }

    /// Checks the steps of a fallback; each step but the last may be followed by another.
    private mutating func check(_ steps: [PlugPlan.Step], at pointer: String) {
        if steps.count < 2 { faults.fault(pointer, "needs at least two plans") }
        faults.breadth(steps.count, at: pointer)
        let around = isFollowed
        defer { isFollowed = around }
        for (index, step) in steps.prefix(PlanFaults.maximumBreadth).enumerated() {
            let pointer = "\(pointer)/\(index)"
            isFollowed = around || index < steps.count - 1
            if let timeout = step.timeout { check(timeout: timeout, at: pointer + "/timeout") }
            check(step.plan, at: step.timeout == nil ? pointer : pointer + "/plug")
        }
    }

    /// Checks a timeout; a plan that timed out may still take effect.
    private mutating func check(timeout: Double, at pointer: String) {
        faults.seconds(timeout, at: pointer)
        guard isFollowed, !faults.features.isIdempotent else { return }
        faults.fault(
            pointer,
            "a plan that timed out may still take effect before the next one runs, and "
                + PlanFaults.isDoneOnce
        )
    }
}
