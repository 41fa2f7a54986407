/// An action's plan and the counts of its calls at one moment.
///
/// The counts begin with their plan, so only those of the same revision can be compared.
package struct PlugSample: Sendable {
    /// The calls of one implementation since its plan was set.
    package struct Calls: Sendable, Equatable {
        /// The finished calls that failed.
        package var errors = 0
        /// The finished calls by duration.
        package var durations = DurationHistogram()

        /// Creates the calls of a number of failures, with no durations yet.
        package init(errors: Int = 0) { self.errors = errors }
    }

    /// The number of the plugs' changes in this process.
    package let revision: Int
    /// The plan and its state.
    package let state: PlugState
    /// The calls by implementation; empty if the plan doesn't count them.
    package let calls: [String: Calls]

    package init(revision: Int, state: PlugState, calls: [String: Calls]) {
        self.revision = revision
        self.state = state
        self.calls = calls
    }
}

extension PlugState {
    /// The states of the circuit breakers around each implementation of the plan.
    ///
    /// Of several breakers around one implementation, the innermost decides; of several places of
    /// one, the most restrictive.
    package var breakerStates: [String: Breaker.State] {
        var states: [String: Breaker.State] = [:]
        let known = Dictionary(breakers.map { ($0.at, $0.state) }) { first, _ in first }
        plan?.visit(at: "", within: nil, known) { name, state in
            let all = [states[name], state].compactMap(\.self)
            states[name] = all.max { $0.rank < $1.rank }
        }
        return states
    }
}

extension PlugState.Breaker.State {
    /// The order from the least to the most restrictive.
    fileprivate var rank: Int {
        switch self {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        }
    }
}

extension PlugPlan {
    /// Calls `take` with each implementation and the state of its breaker, which has the layer's JSON
    /// Pointer in `states`.
    fileprivate func visit(
        at pointer: String,
        within state: PlugState.Breaker.State?,
        _ states: [String: PlugState.Breaker.State],
        _ take: (String, PlugState.Breaker.State?) -> Void
    ) {
        func visit(_ plan: PlugPlan, _ place: String, _ state: PlugState.Breaker.State?) {
            plan.visit(at: pointer + place, within: state, states, take)
        }
        switch self {
        case .plug(let name): take(name, state)
        case .split(let split): for name in split.shares.keys { take(name, state) }
        case .shadow(let plan, let candidate, _):
            visit(plan, "/shadow/plug", state)
            visit(candidate, "/shadow/with", state)
        case .fallback(let steps):
            for (index, step) in steps.enumerated() {
                visit(step.plan, "/fallback/\(index)" + (step.timeout == nil ? "" : "/plug"), state)
            }
        case .breaker(let plan, _):
            visit(plan, "/breaker/plug", states[pointer + "/breaker"] ?? state)
        case .retry(let plan, _): visit(plan, "/retry/plug", state)
        case .timeout(let plan, _): visit(plan, "/timeout/plug", state)
        case .cache(let plan, _): visit(plan, "/cache/plug", state)
        case .decorate(let plan, _): visit(plan, "/decorate/plug", state)
        }
    }
}
