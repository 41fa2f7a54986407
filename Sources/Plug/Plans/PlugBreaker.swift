import Locking

/// A circuit breaker: `{"breaker": {"plug": "one", "failures": 5, "seconds": 30}}`.
///
/// After so many failures in a row it opens: calls throw ``CircuitOpen`` and nothing is asked. When
/// the time is over it lets as many calls through as it has probes; one that is answered closes it,
/// one that fails opens it anew.
public struct PlugBreaker: Sendable, Hashable {
    /// What it protects.
    public var plan: PlugPlan
    /// How many failures in a row open it.
    public var failures: Int
    /// How long it stays open, in seconds.
    public var seconds: Double
    /// How many calls at once it then lets through.
    public var probes: Int

    /// A breaker before a plan.
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
        _ board: PlanBoard<Input, Output>,
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

/// The error of a call that an open circuit breaker didn't let through.
public struct CircuitOpen: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// When it is worth to ask again, in seconds from now.
    public let seconds: Double

    /// Whose breaker is open.
    public var description: String { "\(action)'s circuit breaker is open" }
}

/// What a breaker knows: a value that says for each call what becomes of it.
struct CircuitState {
    private(set) var failures = 0
    /// When it opened last; nil while it is closed.
    private(set) var opened: Duration?
    private(set) var probes = 0
    let limits: PlugBreaker

    init(_ limits: PlugBreaker) { self.limits = limits }

    enum Admission: Equatable {
        case pass
        case probe
        /// Not before so many seconds.
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
        // A call from before it opened tells nothing new.
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
