import Locking

/// The bounds beyond which a candidate is unplugged by itself:
/// `{"split": …, "guard": {"errors": 0.05, "slowdown": 2}}`.
public struct PlugGuard: Sendable, Hashable {
    /// The part of a candidate's calls that may fail: 0.05 is one in twenty.
    public var errors: Double?
    /// How many times as long as the others' a candidate's calls may take on average.
    public var slowdown: Double?
    /// The part of a shadow's answers that may be others than the caller got.
    public var differences: Double?
    /// How many calls of a candidate say enough of it.
    public var calls: Int

    /// Bounds of one's own.
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
            check.fault(pointer, "needs a bound: errors, slowdown or, for a shadow, differences")
        }
        if let errors { check.number(errors, in: 0...1, at: pointer + "/errors") }
        if let slowdown { check.number(slowdown, in: 1...1000, at: pointer + "/slowdown") }
        if let differences {
            check.number(differences, in: 0...1, at: pointer + "/differences")
            if !isShadow { check.fault(pointer + "/differences", "only a shadow has any") }
        }
        check.count(calls, in: 1...1_000_000_000, at: pointer + "/calls")
    }

    /// Why a candidate has to go; nil while it may stay.
    func verdict(_ candidate: PlugTally.Counts, against other: PlugTally.Counts) -> String? {
        guard candidate.calls >= calls else { return nil }
        if let errors, candidate.errorRatio > errors {
            return "\(candidate.errors) of \(candidate.calls) calls failed, "
                + "more than \(PlanCheck.text(errors * 100)) %"
        }
        guard let slowdown, other.calls >= calls, candidate.mean > other.mean * slowdown else {
            return nil
        }
        return "a call took \(candidate.mean), more than \(PlanCheck.text(slowdown)) times "
            + "the \(other.mean) of the other"
    }

    /// Why a shadow has to go; nil while it may stay.
    func verdict(differences count: Int, of compared: Int) -> String? {
        guard let differences, compared >= calls,
            Double(count) > differences * Double(compared)
        else { return nil }
        return "\(count) of \(compared) answers were others, "
            + "more than \(PlanCheck.text(differences * 100)) %"
    }
}

extension PlugGuard: Codable {
    /// Decodes the bounds.
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

/// The watching of a layer's candidates, call by call.
final class PlugWatch<Input: Sendable, Output: Sendable>: Sendable {
    let limits: PlugGuard
    private let tools: PlanTools
    private let onVerdict: @Sendable (_ name: String, _ rest: PlugPlan, _ reason: String) -> Void
    private let leader = PlugTally()

    /// `part` is the layer as it stands in the plan.
    init(_ limits: PlugGuard, _ board: PlanBoard<Input, Output>, unplugging part: PlugPlan) {
        self.limits = limits
        tools = board.tools
        // Not the board, which knows the book that this watch is a part of: it would never go.
        onVerdict = { [gauges = board.gauges, unplug = board.unplug] name, rest, reason in
            unplug(gauges, PlugUnplugged(plug: name, reason: reason), part, rest)
        }
    }

    /// Watches one way; a candidate that goes beyond the bounds is replaced.
    func watch(
        _ wiring: Wiring<Input, Output>,
        _ name: String,
        isCandidate: Bool,
        replacement: () -> PlugPlan
    ) -> Wiring<Input, Output> {
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        guard isCandidate else {
            let meter = PlugMeter(leader, tools)
            return Wiring(making: { counted.init(wiring.implementation(), meter) })
        }
        let tally = PlugTally()
        let rest = replacement()
        let onEnd: @Sendable () -> Void = { [self] in
            guard let reason = limits.verdict(tally.counts, against: leader.counts) else { return }
            unplug(name, leaving: rest, reason)
        }
        let meter = PlugMeter(tally, tools, onEnd: onEnd)
        return Wiring(making: { counted.init(wiring.implementation(), meter) })
    }

    func unplug(_ name: String, leaving rest: PlugPlan, _ reason: String) {
        onVerdict(name, rest, reason)
    }
}
