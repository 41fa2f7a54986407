import Plug
import Telemetry

extension ServerMetrics {
    /// The plans of the exposed actions, and the counts and states of their layers.
    var plugs: [MetricFamily] {
        let states = subjects.exposed
            .map { PlugCell.liveBook(of: $0.cell.action).state }
            .sorted { $0.action < $1.action }
        func samples(
            _ make: (PlugState, MetricFamily.Label) -> [MetricFamily.Sample]
        ) -> [MetricFamily.Sample] {
            states.flatMap { make($0, ("action", $0.action)) }
        }
        return [
            MetricFamily(
                "plugboard_plug",
                .info,
                help: "The implementations that an action's plan uses; live if set at run time.",
                samples { state, action in
                    guard let plan = state.plan else { return [] }
                    let labels: [MetricFamily.Label] = [
                        action, ("plan", plan.layer), ("live", String(state.isLive)),
                    ]
                    return plan.implementations.sorted().map {
                        .init(labels + [("plug", $0)], 1)
                    }
                }
            ),
            calls(
                "plugboard_plug_calls",
                .counter,
                "Finished calls of an implementation since its plan was set.",
                states,
                \.calls
            ),
            calls(
                "plugboard_plug_errors",
                .counter,
                "Calls of an implementation that failed since its plan was set.",
                states,
                \.errors
            ),
            calls(
                "plugboard_plug_running_calls",
                .gauge,
                "Running calls of an implementation.",
                states,
                \.running
            ),
            MetricFamily(
                "plugboard_plug_breaker_state",
                .gauge,
                help: "The state of a plan's circuit breaker: 1 for the current one, else 0.",
                samples { state, action in
                    state.breakers.flatMap { breaker in
                        PlugState.Breaker.State.allCases.map { each in
                            .init(
                                [action, ("layer", breaker.at), ("state", each.rawValue)],
                                breaker.state == each ? 1 : 0
                            )
                        }
                    }
                }
            ),
            MetricFamily(
                "plugboard_plug_guard_removals",
                .gauge,
                help: "1 if a guard has removed a candidate from the current plan, else 0.",
                samples { state, action in
                    [.init([action], state.unplugged == nil ? 0 : 1)]
                }
            ),
        ]
    }

    /// A number of each implementation of the plans, which count their calls.
    private func calls(
        _ name: String,
        _ kind: MetricFamily.Kind,
        _ help: String,
        _ states: [PlugState],
        _ number: (PlugState.Implementation) -> Int
    ) -> MetricFamily {
        let samples = states.flatMap { state in
            let used = state.plan?.implementations ?? []
            return state.implementations.filter { state.countsCalls && used.contains($0.name) }
                .map {
                    MetricFamily.Sample(
                        [("action", state.action), ("plug", $0.name)],
                        Double(number($0))
                    )
                }
        }
        return MetricFamily(name, kind, help: help, samples)
    }
}

extension PlugState {
    /// Whether its implementations count their calls.
    ///
    /// The only implementation of a plan that the code has set doesn't.
    fileprivate var countsCalls: Bool {
        if case .plug? = plan { isLive } else { plan != nil }
    }
}

extension PlugPlan {
    /// The name of the plan's outermost layer in its JSON; `plug` for an implementation.
    fileprivate var layer: String {
        switch self {
        case .plug: "plug"
        case .split: "split"
        case .shadow: "shadow"
        case .fallback: "fallback"
        case .breaker: "breaker"
        case .retry: "retry"
        case .timeout: "timeout"
        case .cache: "cache"
        case .decorate: "decorate"
        }
    }

    /// The names of the implementations in the plan.
    fileprivate var implementations: Set<String> {
        switch self {
        case .plug(let name): [name]
        case .split(let split): Set(split.shares.keys)
        case .shadow(let plan, let candidate, _):
            plan.implementations.union(candidate.implementations)
        case .fallback(let steps):
            steps.reduce(into: []) { $0.formUnion($1.plan.implementations) }
        case .breaker(let plan, _), .retry(let plan, _), .timeout(let plan, _),
            .cache(let plan, _), .decorate(let plan, _):
            plan.implementations
        }
    }
}
