/// The settings of a circuit breaker: `{"breaker": {"plug": "one", "failures": 5, "seconds": 30}}`.
///
/// After `failures` failures in a row it opens: calls throw ``CircuitOpen`` and don't reach the
/// plan. After `seconds` it lets up to `probes` calls through at once. A probe that succeeds closes
/// it; one that fails opens it again.
public struct PlugBreaker: Sendable, Hashable {
    /// The number of failures in a row that opens it.
    public var failures: Int
    /// The time that it stays open, in seconds.
    public var seconds: Double
    /// The number of calls that it then lets through at once.
    public var probes: Int

    /// Creates the settings of a breaker.
    public init(failures: Int = 5, seconds: Double = 30, probes: Int = 1) {
        self.failures = failures
        self.seconds = seconds
        self.probes = probes
    }

    func check(_ faults: inout PlanFaults, at pointer: String) {
        faults.count(failures, in: 1...1_000_000, at: pointer + "/failures")
        faults.seconds(seconds, at: pointer + "/seconds")
        faults.count(probes, in: 1...1000, at: pointer + "/probes")
    }
}

extension PlugBreaker: Codable {
    /// Decodes the settings; the plan is a member beside them.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "failures", "seconds", "probes")
        self.init(
            failures: try members.value("failures", 5),
            seconds: try members.value("seconds", 30),
            probes: try members.value("probes", 1)
        )
    }
}
