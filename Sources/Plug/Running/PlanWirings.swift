/// The wirings of a plan: each layer's wiring around those of the plans below it.
struct PlanWirings<Input: Sendable, Output: Sendable> {
    typealias Made = Wiring<Input, Output>

    let context: PlanContext
    /// Returns the slot of a name, whose implementation may change between calls.
    let slot: (String) -> PlugSlot<Input, Output>

    /// Makes the wiring of a plan, whose statistics have its JSON Pointer.
    func wiring(_ plan: PlugPlan, at pointer: String = "") -> Made {
        switch plan {
        case .plug(let name): counted(name)
        case .split(let split): self.split(split)
        case .shadow(let plan, let candidate, let shadow):
            self.shadow(plan, candidate, shadow, at: pointer + "/shadow")
        case .fallback(let steps): fallback(steps, at: pointer + "/fallback")
        case .breaker(let plan, let breaker):
            wiring(plan, at: pointer + "/breaker/plug")
                .protected(by: breaker, context, at: pointer + "/breaker")
        case .retry(let plan, let retry):
            wiring(plan, at: pointer + "/retry/plug").retried(by: retry, context)
        case .timeout(let plan, let seconds):
            wiring(plan, at: pointer + "/timeout/plug").limited(to: seconds, context)
        case .cache(let plan, let cache):
            wiring(plan, at: pointer + "/cache/plug")
                .cached(by: cache, context, at: pointer + "/cache")
        case .decorate(let plan, let decorator):
            wiring(plan, at: pointer + "/decorate/plug").decorated(by: decorator, context)
        }
    }

    /// Returns an implementation by its name that counts its calls.
    private func counted(_ name: String) -> Made {
        let slot = slot(name)
        let meter = PlugMeasurement(context.gauges.tally(name), context.tools)
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        return Made(making: { counted.init(slot.implementation(), meter) })
    }

    private func fallback(_ steps: [PlugPlan.Step], at pointer: String) -> Made {
        let wirings = steps.enumerated().map { index, step in
            let place = "\(pointer)/\(index)"
            guard let timeout = step.timeout else { return wiring(step.plan, at: place) }
            return wiring(step.plan, at: place + "/plug").limited(to: timeout, context)
        }
        return Made(making: { FallbackPlug(wirings) })
    }

    private func split(_ split: PlugSplit) -> Made {
        let leader = split.leader
        let watch = split.guard.map { PlugWatch($0, context, unplugging: .split(split)) }
        // The leader comes first, because the guard compares the candidates with it.
        let wirings = split.names.sorted { $0 == leader && $1 != leader }.map { name in
            let wiring = counted(name)
            guard let watch else { return (name, wiring) }
            guard name != leader else { return (name, watch.watch(leader: wiring)) }
            let rest = split.without(name)
            let plan: PlugPlan = rest.shares.count == 1 ? .plug(leader) : .split(rest)
            return (name, watch.watch(wiring, name, leaving: plan))
        }
        return Made.split(split, Dictionary(uniqueKeysWithValues: wirings), context)
    }

    private func shadow(
        _ plan: PlugPlan,
        _ candidate: PlugPlan,
        _ shadow: PlugShadow,
        at pointer: String
    ) -> Made {
        let answering = wiring(plan, at: pointer + "/plug")
        let beside = wiring(candidate, at: pointer + "/with")
        let gauge = ShadowGauge(limit: shadow.limit)
        context.gauges.add { $0.shadows.append(gauge.state(at: pointer)) }
        guard let limits = shadow.guard else { return answering.shadowed(by: beside, gauge) {} }
        let watch = PlugWatch(
            limits,
            context,
            unplugging: .shadow(plan, with: candidate, shadow)
        )
        let name = if case .plug(let name) = candidate { name } else { "the shadow" }
        return watch.watch(leader: answering)
            .shadowed(by: watch.watch(beside, name, leaving: plan), gauge) {
                let state = gauge.state(at: pointer)
                watch.judge(name, differences: state.differences, of: state.compared, plan)
            }
    }
}
