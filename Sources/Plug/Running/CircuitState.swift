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
