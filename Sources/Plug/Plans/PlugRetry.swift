/// The settings of retries: `{"retry": {"plug": "one", "attempts": 3}}`.
///
/// Only an ``IdempotentAction`` allows retries. Before the n-th retry the plan waits for a random
/// time of up to `delay · 2ⁿ⁻¹` seconds, at most ten. So callers that failed together don't return
/// together.
public struct PlugRetry: Sendable, Hashable {
    /// The maximum number of attempts, including the first.
    public var attempts: Int
    /// The maximum wait before the first retry, in seconds.
    public var delay: Double

    /// Creates the settings of retries.
    public init(attempts: Int = 3, delay: Double = 0.1) {
        self.attempts = attempts
        self.delay = delay
    }

    /// Returns the wait before a retry; the first retry is number 1.
    func wait(before attempt: Int, random: Double) -> Duration {
        .seconds(random * min(10, delay * Double(1 << min(attempt - 1, 20))))
    }

    func check(_ faults: inout PlanFaults, at pointer: String) {
        if !faults.features.isIdempotent { faults.fault(pointer, PlanFaults.isDoneOnce) }
        faults.count(attempts, in: 2...10, at: pointer + "/attempts")
        faults.number(delay, in: 0...10, at: pointer + "/delay")
    }
}

extension PlugRetry: Codable {
    /// Decodes the settings; the plan is a member beside them.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "attempts", "delay")
        self.init(
            attempts: try members.value("attempts", 3),
            delay: try members.value("delay", 0.1)
        )
    }
}
