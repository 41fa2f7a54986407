extension Wiring {
    /// Returns a wiring that retries failed calls of this one.
    func retried(by limits: PlugRetry, _ layer: PlanContext) -> Wiring {
        let tools = layer.tools
        return Wiring(making: { RetryingPlug(self, limits, tools) })
    }
}

private final class RetryingPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Wiring<Input, Output>
    private let limits: PlugRetry
    private let tools: PlanDependencies

    init(_ next: Wiring<Input, Output>, _ limits: PlugRetry, _ tools: PlanDependencies) {
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
