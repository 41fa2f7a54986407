/// The settings of a candidate beside a plan: `{"shadow": {"plug": "one", "with": "two"}}`.
///
/// The candidate never slows or fails a call. While ``limit`` of its calls are running, further
/// calls run without it. It does perform the call a second time: unless the action is an
/// ``IdempotentAction``, the shadow must set ``isUnsafe``.
public struct PlugShadow: Sendable, Hashable {
    /// The maximum number of running calls of the candidate.
    public var limit: Int
    /// Whether the candidate may perform an action that isn't idempotent.
    ///
    /// The candidate is safe if it changes nothing, or only data of its own.
    public var isUnsafe: Bool
    /// The limits that remove the candidate.
    public var `guard`: PlugGuard?

    /// Creates the settings of a shadow.
    public init(limit: Int = 16, isUnsafe: Bool = false, guard limits: PlugGuard? = nil) {
        self.limit = limit
        self.isUnsafe = isUnsafe
        self.guard = limits
    }

    /// Checks the shadow and its guard; `pointer` names the object that has both as members.
    func check(_ faults: inout PlanFaults, at pointer: String) {
        if !faults.features.isIdempotent, !isUnsafe {
            faults.fault(
                pointer + "/shadow",
                PlanFaults.isDoneOnce
                    + ". If the candidate's effects are harmless, set \"unsafe\": true"
            )
        }
        faults.count(limit, in: 1...10_000, at: pointer + "/shadow/limit")
        guard let limits = `guard` else { return }
        if !faults.features.comparesOutputs, limits.differences != nil {
            faults.fault(
                pointer + "/guard/differences",
                "this action's outputs can't be compared"
            )
        }
        limits.check(&faults, at: pointer + "/guard", ofShadow: true)
    }
}

extension PlugShadow: Codable {
    /// Decodes the settings; the plans are members beside them, and the guard is one around them.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "with", "limit", "unsafe")
        self.init(
            limit: try members.value("limit", 16),
            isUnsafe: try members.value("unsafe", false)
        )
    }

    /// Encodes the settings without the guard.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(limit, forKey: "limit")
        if isUnsafe { try members.encode(true, forKey: "unsafe") }
    }
}
