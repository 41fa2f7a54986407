import Locking

/// A circuit breaker: `{"breaker": {"plug": "one", "failures": 5, "seconds": 30}}`.
///
/// After `failures` failures in a row it opens: calls throw ``CircuitOpen`` and don't reach the
/// plan. After `seconds` it lets up to `probes` calls through at once. A probe that succeeds closes
/// it; one that fails opens it again.
public struct PlugBreaker: Sendable, Hashable {
    /// The protected plan.
    public var plan: PlugPlan
    /// The number of failures in a row that opens it.
    public var failures: Int
    /// The time that it stays open, in seconds.
    public var seconds: Double
    /// The number of calls that it then lets through at once.
    public var probes: Int

    /// Creates a breaker around a plan.
    public init(_ plan: PlugPlan, failures: Int = 5, seconds: Double = 30, probes: Int = 1) {
        self.plan = plan
        self.failures = failures
        self.seconds = seconds
        self.probes = probes
    }
}

extension PlugBreaker: Codable {
    /// Decodes the breaker.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "failures", "seconds", "probes")
        self.init(
            try members.decode(PlugPlan.self, forKey: .plug),
            failures: try members.integer("failures", 5),
            seconds: try members.number("seconds", 30),
            probes: try members.integer("probes", 1)
        )
    }

    /// Encodes the breaker.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PlanKey.self)
        try members.encode(plan, forKey: .plug)
        try members.encode(failures, forKey: PlanKey("failures"))
        try members.encode(seconds, forKey: PlanKey("seconds"))
        try members.encode(probes, forKey: PlanKey("probes"))
    }
}

extension PlugBreaker: PlanLayer {
    func check(_ check: inout PlanCheck, at pointer: String) {
        let pointer = pointer + "/breaker"
        check.count(failures, in: 1...1_000_000, at: pointer + "/failures")
        check.seconds(seconds, at: pointer + "/seconds")
        check.count(probes, in: 1...1000, at: pointer + "/probes")
        check.plan(plan, at: pointer + "/plug")
    }

    func wire<Input, Output>(
        _ board: PlanParts<Input, Output>,
        at pointer: String
    ) -> Wiring<Input, Output> {
        let pointer = pointer + "/breaker"
        let next = board.wire(plan, at: pointer + "/plug")
        let circuit = Circuit(self, board.name, board.tools)
        board.gauges.add { $0.breakers.append(circuit.state(at: pointer)) }
        return Wiring(making: { BreakingPlug(next, circuit) })
    }

    func mapping(_ transform: (PlugPlan) -> PlugPlan) -> PlugPlan {
        var layer = self
        layer.plan = transform(plan)
        return .breaker(layer)
    }
}

/// The error of a call that an open circuit breaker rejected.
public struct CircuitOpen: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// The time until a retry makes sense, in seconds.
    public let seconds: Double

    /// Names the action whose breaker is open.
    public var description: String { "\(action)'s circuit breaker is open" }
}

/// A breaker's state, as a value that decides about each call.
struct CircuitState {
    private(set) var failures = 0
    /// The time when it last opened; nil while it is closed.
    private(set) var opened: Duration?
    private(set) var probes = 0
    let limits: PlugBreaker

    init(_ limits: PlugBreaker) { self.limits = limits }

    enum Admission: Equatable {
        case pass
        case probe
        /// Rejected; a retry makes sense after this many seconds.
        case refused(Double)
    }

    mutating func admit(at now: Duration) -> Admission {
        guard let opened else { return .pass }
        let left = opened + .seconds(limits.seconds) - now
        guard left <= .zero else { return .refused(left / .seconds(1)) }
        guard probes < limits.probes else { return .refused(limits.seconds) }
        probes += 1
        return .probe
    }

    mutating func end(_ admission: Admission, _ outcome: CallOutcome, at now: Duration) {
        let isProbe = admission == .probe
        if isProbe { probes -= 1 }
        // The result of a call that started before the breaker opened is out of date.
        guard isProbe || opened == nil else { return }
        switch outcome {
        case .abandoned: break
        case .answered:
            failures = 0
            opened = nil
        case .failed:
            failures += 1
            if isProbe || failures >= limits.failures { opened = now }
        }
    }

    func name(at now: Duration) -> PlugState.Breaker.State {
        guard let opened else { return .closed }
        return now - opened >= .seconds(limits.seconds) ? .halfOpen : .open
    }
}

private final class Circuit: Sendable {
    private let kept: Locked<CircuitState>
    private let action: String
    private let now: @Sendable () -> Duration

    init(_ limits: PlugBreaker, _ action: String, _ tools: PlanTools) {
        kept = Locked(CircuitState(limits))
        self.action = action
        now = tools.now
    }

    func state(at pointer: String) -> PlugState.Breaker {
        let state = kept.withLock { $0 }
        return PlugState.Breaker(
            at: pointer,
            state: state.name(at: now()),
            failures: state.failures
        )
    }

    func admit() throws(CircuitOpen) -> CircuitState.Admission {
        let now = now()
        let admission = kept.withLock { $0.admit(at: now) }
        guard case .refused(let seconds) = admission else { return admission }
        throw CircuitOpen(action: action, seconds: seconds)
    }

    func end(_ admission: CircuitState.Admission, _ outcome: CallOutcome) {
        let now = now()
        kept.withLock { $0.end(admission, outcome, at: now) }
    }
}

private final class BreakingPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Wiring<Input, Output>
    private let circuit: Circuit

    init(_ next: Wiring<Input, Output>, _ circuit: Circuit) {
        self.next = next
        self.circuit = circuit
    }

    override func perform(_ input: Input) async throws -> Output {
        let admission = try circuit.admit()
        do {
            let output = try await next.implementation().perform(input)
            circuit.end(admission, .answered)
            return output
        } catch {
            circuit.end(admission, CallOutcome(error))
            throw error
        }
    }
}
