/// One plan after the other, until one answers:
/// `{"fallback": [{"plug": "two", "timeout": 30}, "one"]}`.
///
/// An error that the caller is to blame for is an answer; so is the error of the last. An implementation
/// that throws another error says that nothing was done; one that is given up after a time says nothing,
/// so that only an ``IdempotentAction`` has time-outs before the last step.
public struct PlugFallback: Sendable, Hashable {
    /// One of the plans, and how long it is waited for.
    public struct Step: Sendable, Hashable {
        /// The plan.
        public var plan: PlugPlan
        /// How long it is waited for, in seconds; nil for as long as it takes.
        public var timeout: Double?

        /// A step.
        public init(_ plan: PlugPlan, timeout: Double? = nil) {
            self.plan = plan
            self.timeout = timeout
        }
    }

    /// The plans in the order they are asked.
    public var steps: [Step]

    /// A chain of those steps.
    public init(_ steps: [Step]) { self.steps = steps }
}

extension PlugFallback.Step: ExpressibleByStringLiteral {
    /// The implementation of this name, however long it takes.
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
        if steps.count < 2 { check.fault(pointer, "needs two plans at least") }
        check.breadth(steps.count, at: pointer)
        for (index, step) in steps.prefix(PlanCheck.greatestBreadth).enumerated() {
            check.step(step, at: "\(pointer)/\(index)", isLast: index == steps.count - 1)
        }
    }

    func wire<Input, Output>(
        _ board: PlanBoard<Input, Output>,
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
