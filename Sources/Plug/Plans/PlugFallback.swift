/// Plans that are tried one after the other until one succeeds:
/// `{"fallback": [{"plug": "two", "timeout": 30}, "one"]}`.
///
/// Three results end the chain: an output, an error that the caller caused, and any error of the
/// last step. An implementation that throws another error must have had no effect. A step that
/// timed out may still take effect, so only an ``IdempotentAction`` allows timeouts before the last
/// step.
public struct PlugFallback: Sendable, Hashable {
    /// One of the plans, with its timeout.
    public struct Step: Sendable, Hashable {
        /// The plan.
        public var plan: PlugPlan
        /// The timeout in seconds; nil for none.
        public var timeout: Double?

        /// Creates a step.
        public init(_ plan: PlugPlan, timeout: Double? = nil) {
            self.plan = plan
            self.timeout = timeout
        }
    }

    /// The plans in the order of their attempts.
    public var steps: [Step]

    /// Creates a chain of steps.
    public init(_ steps: [Step]) { self.steps = steps }
}

extension PlugFallback.Step: ExpressibleByStringLiteral {
    /// Creates a step for the implementation of this name, without a timeout.
    public init(stringLiteral name: String) { self.init(.plug(name)) }
}

extension PlugFallback: Codable {
    /// Decodes the steps.
    public init(from decoder: any Decoder) throws { self.init(try [Step](from: decoder)) }

    /// Encodes the steps.
    public func encode(to encoder: any Encoder) throws { try steps.encode(to: encoder) }
}

extension PlugFallback.Step: Codable {
    /// Decodes a step: a plan, or an object that has it as `plug`.
    public init(from decoder: any Decoder) throws {
        let members = try? decoder.container(keyedBy: PlanKey.self)
        guard let members, members.contains(.plug) else {
            self.init(try PlugPlan(from: decoder))
            return
        }
        _ = try decoder.members("plug", "timeout")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            timeout: try members.decodeIfPresent(Double.self, forKey: PlanKey("timeout"))
        )
    }

    /// Encodes the step as it is decoded.
    public func encode(to encoder: any Encoder) throws {
        guard let timeout else { return try plan.encode(to: encoder) }
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(timeout, forKey: PlanKey("timeout"))
    }
}

extension PlugFallback: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let pointer = pointer + "/fallback"
        if steps.count < 2 { check.fault(pointer, "needs at least two plans") }
        check.breadth(steps.count, at: pointer)
        for (index, step) in steps.prefix(PlanCheck.maximumBreadth).enumerated() {
            check.step(step, at: "\(pointer)/\(index)", isLast: index == steps.count - 1)
        }
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        let wirings = steps.enumerated().map { index, step in
            let place = "\(pointer)/fallback/\(index)"
            guard let timeout = step.timeout else { return board.wire(step.plan, at: place) }
            return TimeLimit.wire(
                board.wire(step.plan, at: place + "/plug"),
                seconds: timeout,
                board
            )
        }
        return Wiring(making: { FallbackPlug(wirings) })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        .fallback(PlugFallback(steps.map { Step(transform($0.plan), timeout: $0.timeout) }))
    }
}

private final class FallbackPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let wirings: [Wiring<Input, Output>]

    init(_ wirings: [Wiring<Input, Output>]) { self.wirings = wirings }

    override func perform(_ input: Input) async throws -> Output {
        for wiring in wirings.dropLast() {
            do {
                return try await wiring.implementation().perform(input)
            } catch {
                if Task.isCancelled || CallOutcome(error) == .answered { throw error }
            }
        }
        guard let last = wirings.last else { return try await super.perform(input) }
        return try await last.implementation().perform(input)
    }
}
