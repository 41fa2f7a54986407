/// Failures are retried with increasing delays: `{"retry": {"plug": "one", "attempts": 3}}`.
///
/// Only an ``IdempotentAction`` allows retries. Before the n-th retry it waits for a random time of
/// up to `delay · 2ⁿ⁻¹` seconds, at most ten. So callers that failed together don't return
/// together.
public struct PlugRetry: Sendable, Hashable {
    /// The retried plan.
    public var plan: PlugPlan
    /// The maximum number of attempts, including the first.
    public var attempts: Int
    /// The maximum wait before the first retry, in seconds.
    public var delay: Double

    /// Creates retries of a plan.
    public init(_ plan: PlugPlan, attempts: Int = 3, delay: Double = 0.1) {
        self.plan = plan
        self.attempts = attempts
        self.delay = delay
    }

    /// Returns the wait before a retry; the first retry is number 1.
    func wait(before attempt: Int, random: Double) -> Duration {
        .seconds(random * min(10, delay * Double(1 << min(attempt - 1, 20))))
    }
}

extension PlugRetry: Codable {
    /// Decodes the retries.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "attempts", "delay")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            attempts: try members.integer("attempts", 3),
            delay: try members.number("delay", 0.1)
        )
    }

    /// Encodes the retries.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(attempts, forKey: PlanKey("attempts"))
        try members.encode(delay, forKey: PlanKey("delay"))
    }
}

extension PlugRetry: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        if !check.features.isIdempotent {
            check.fault(pointer + "/retry", PlanCheck.isDoneOnce)
        }
        check.count(attempts, in: 2...10, at: pointer + "/retry/attempts")
        check.number(delay, in: 0...10, at: pointer + "/retry/delay")
        let inner = pointer + "/retry"
        check.plan(plan, at: inner + "/plug", times: attempts, from: inner)
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        let next = board.wire(plan, at: pointer + "/retry/plug")
        let tools = board.tools
        return Wiring(making: { RetryingPlug(next, self, tools) })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        var layer = self
        layer.plan = transform(plan)
        return .retry(layer)
    }
}

private final class RetryingPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Wiring<Input, Output>
    private let limits: PlugRetry
    private let tools: PlanTools

    init(_ next: Wiring<Input, Output>, _ limits: PlugRetry, _ tools: PlanTools) {
        self.next = next
        self.limits = limits
        self.tools = tools
    }

    override func perform(_ input: Input) async throws -> Output {
        for attempt in 1..<limits.attempts {
            do {
                return try await next.implementation().perform(input)
            } catch {
                // A retry would reach the same open breaker.
                if Task.isCancelled || error is CircuitOpen || CallOutcome(error) != .failed {
                    throw error
                }
            }
            try await tools.sleep(limits.wait(before: attempt, random: tools.random()))
        }
        return try await next.implementation().perform(input)
    }
}
