/// The measurement of a layer's candidates against a guard.
final class PlugWatch: Sendable {
    private let limits: PlugGuard
    private let context: PlanContext
    /// The layer as it is in the plan.
    private let part: PlugPlan
    private let leader = PlugStatistics()

    init(_ limits: PlugGuard, _ context: PlanContext, unplugging part: PlugPlan) {
        self.limits = limits
        self.context = context
        self.part = part
    }

    /// Measures the implementation that the candidates are compared with.
    func watch<Input, Output>(leader wiring: Wiring<Input, Output>) -> Wiring<Input, Output> {
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        let meter = PlugMeasurement(leader, context.tools)
        return Wiring(making: { counted.init(wiring.implementation(), meter) })
    }

    /// Measures a candidate, and leaves `rest` of the plan once it is beyond the limits.
    func watch<Input, Output>(
        _ wiring: Wiring<Input, Output>,
        _ name: String,
        leaving rest: PlugPlan
    ) -> Wiring<Input, Output> {
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        let tally = PlugStatistics()
        let meter = PlugMeasurement(tally, context.tools) { [self] in
            guard let reason = limits.verdict(tally.counts, against: leader.counts) else { return }
            context.unplug(PlugUnplugged(plug: name, reason: reason), part, rest)
        }
        return Wiring(making: { counted.init(wiring.implementation(), meter) })
    }

    /// Leaves `rest` of the plan once too many of a shadow's outputs differ.
    func judge(_ name: String, differences: Int, of compared: Int, _ rest: PlugPlan) {
        guard let reason = limits.verdict(differences: differences, of: compared) else { return }
        context.unplug(PlugUnplugged(plug: name, reason: reason), part, rest)
    }
}

extension PlugGuard {
    /// Returns the reason to remove a candidate; nil if it may stay.
    func verdict(
        _ candidate: PlugStatistics.Counts,
        against other: PlugStatistics.Counts
    ) -> String? {
        guard candidate.calls >= calls else { return nil }
        if let errors, candidate.errorRatio > errors {
            return "\(candidate.errors) of \(candidate.calls) calls failed, "
                + "more than \((errors * 100).text) %"
        }
        guard let slowdown, other.calls >= calls, candidate.mean > other.mean * slowdown else {
            return nil
        }
        return "calls took \(candidate.mean) on average, more than "
            + "\(slowdown.text) times the \(other.mean) of the other"
    }

    /// Returns the reason to remove a shadow; nil if it may stay.
    func verdict(differences count: Int, of compared: Int) -> String? {
        guard let differences, compared >= calls,
            Double(count) > differences * Double(compared)
        else { return nil }
        return "\(count) of \(compared) outputs differed, "
            + "more than \((differences * 100).text) %"
    }
}
