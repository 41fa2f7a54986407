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

    func check(_ faults: inout PlanFaults, at pointer: String, ofShadow isShadow: Bool) {
        if errors == nil, slowdown == nil, differences == nil {
            faults.fault(pointer, "needs a limit: errors, slowdown or, for a shadow, differences")
        }
        if let errors { faults.number(errors, in: 0...1, at: pointer + "/errors") }
        if let slowdown { faults.number(slowdown, in: 1...1000, at: pointer + "/slowdown") }
        if let differences {
            faults.number(differences, in: 0...1, at: pointer + "/differences")
            if !isShadow { faults.fault(pointer + "/differences", "only a shadow can have it") }
        }
        faults.count(calls, in: 1...1_000_000_000, at: pointer + "/calls")
    }
}

extension PlugGuard: Codable {
    /// Decodes the limits.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("errors", "slowdown", "differences", "calls")
        self.init(
            errors: try members.decodeIfPresent(Double.self, forKey: "errors"),
            slowdown: try members.decodeIfPresent(Double.self, forKey: "slowdown"),
            differences: try members.decodeIfPresent(Double.self, forKey: "differences"),
            calls: try members.value("calls", 100)
        )
    }
}
