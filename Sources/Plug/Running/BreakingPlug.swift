import Locking

/// The error of a call that an open circuit breaker rejected.
public struct CircuitOpen: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// The time until a retry makes sense, in seconds.
    public let seconds: Double

    /// Names the action whose breaker is open.
    public var description: String { "\(action)'s circuit breaker is open" }
}

extension Wiring {
    /// Returns a wiring that pauses calls of this one after several failures in a row.
    func protected(by limits: PlugBreaker, _ layer: PlanContext, at pointer: String) -> Wiring {
        let circuit = Circuit(limits, layer.action, layer.tools)
        layer.gauges.add { $0.breakers.append(circuit.state(at: pointer)) }
        return Wiring(making: { BreakingPlug(self, circuit) })
    }
}

/// A circuit breaker of one layer.
private final class Circuit: Sendable {
    private let kept: Locked<CircuitState>
    private let action: String
    private let now: @Sendable () -> Duration

    init(_ limits: PlugBreaker, _ action: String, _ tools: PlanDependencies) {
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
