import Locking

/// The limits beyond which a candidate is unplugged automatically:
/// `{"split": …, "guard": {"errors": 0.05, "slowdown": 2}}`.
public struct PlugGuard: Sendable, Hashable {
    /// The maximum share of failed calls of a candidate: 0.05 is one in twenty.
    public var errors: Double?
    /// The maximum average duration of a candidate's calls, as a multiple of the other's average.
    public var slowdown: Double?
    /// The maximum share of a shadow's outputs that differ from the caller's.
    public var differences: Double?
    /// The number of a candidate's calls before the limits apply.
    public var calls: Int

    /// Creates a guard from limits.
    public init(
        errors: Double? = nil,
        slowdown: Double? = nil,
        differences: Double? = nil,
        calls: Int = 100
    ) {
        self.errors = errors
        self.slowdown = slowdown
        self.differences = differences
        self.calls = calls
    }

    func check(_ check: inout PlanCheck, at pointer: String, ofShadow isShadow: Bool) {
        if errors == nil, slowdown == nil, differences == nil {
            check.fault(pointer, "needs a limit: errors, slowdown or, for a shadow, differences")
        }
        if let errors { check.number(errors, in: 0...1, at: pointer + "/errors") }
        if let slowdown { check.number(slowdown, in: 1...1000, at: pointer + "/slowdown") }
        if let differences {
            check.number(differences, in: 0...1, at: pointer + "/differences")
            if !isShadow { check.fault(pointer + "/differences", "only a shadow can have it") }
        }
        check.count(calls, in: 1...1_000_000_000, at: pointer + "/calls")
    }

    /// Returns the reason to remove a candidate; nil if it may stay.
    func verdict(
        _ candidate: PlugStatistics.Counts,
        against other: PlugStatistics.Counts
    ) -> String? {
        guard candidate.calls >= calls else { return nil }
        if let errors, candidate.errorRatio > errors {
            return "\(candidate.errors) of \(candidate.calls) calls failed, "
                + "more than \(PlanCheck.text(errors * 100)) %"
        }
        guard let slowdown, other.calls >= calls, candidate.mean > other.mean * slowdown else {
            return nil
        }
        return "calls took \(candidate.mean) on average, more than "
            + "\(PlanCheck.text(slowdown)) times the \(other.mean) of the other"
    }

    /// Returns the reason to remove a shadow; nil if it may stay.
    func verdict(differences count: Int, of compared: Int) -> String? {
        guard let differences, compared >= calls,
            Double(count) > differences * Double(compared)
        else { return nil }
        return "\(count) of \(compared) outputs differed, "
            + "more than \(PlanCheck.text(differences * 100)) %"
    }
}

extension PlugGuard: Codable {
    /// Decodes the limits.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("errors", "slowdown", "differences", "calls")
        self.init(
            errors: try members.decodeIfPresent(Double.self, forKey: PlanKey("errors")),
            slowdown: try members.decodeIfPresent(Double.self, forKey: PlanKey("slowdown")),
            differences: try members.decodeIfPresent(Double.self, forKey: PlanKey("differences")),
            calls: try members.integer("calls", 100)
        )
    }
}

/// The measurement of a layer's candidates against a guard.
final class PlugWatch<Input: Sendable, Output: Sendable>: Sendable {
    let limits: PlugGuard
    private let tools: PlanTools
    private let onVerdict: @Sendable (_ name: String, _ rest: PlugPlan, _ reason: String) -> Void
    private let leader = PlugStatistics()

    /// `part` is the layer as it is in the plan.
    init(_ limits: PlugGuard, _ board: PlanParts<Input, Output>, unplugging part: PlugPlan) {
        self.limits = limits
        tools = board.tools
        // Captures the gauges, not the board: the board refers to the book that owns this watch,
        // which would be a retain cycle.
        onVerdict = { [gauges = board.gauges, unplug = board.unplug] name, rest, reason in
            unplug(gauges, PlugUnplugged(plug: name, reason: reason), part, rest)
        }
    }

    /// Measures an implementation, and replaces a candidate beyond the limits.
    func watch(
        _ wiring: Wiring<Input, Output>,
        _ name: String,
        isCandidate: Bool,
        replacement: () -> PlugPlan
    ) -> Wiring<Input, Output> {
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        guard isCandidate else {
            let meter = PlugMeasurement(leader, tools)
            return Wiring(making: { counted.init(wiring.implementation(), meter) })
        }
        let tally = PlugStatistics()
        let rest = replacement()
        let onEnd: @Sendable () -> Void = { [self] in
            guard let reason = limits.verdict(tally.counts, against: leader.counts) else { return }
            unplug(name, leaving: rest, reason)
        }
        let meter = PlugMeasurement(tally, tools, onEnd: onEnd)
        return Wiring(making: { counted.init(wiring.implementation(), meter) })
    }

    func unplug(_ name: String, leaving rest: PlugPlan, _ reason: String) {
        onVerdict(name, rest, reason)
    }
}
