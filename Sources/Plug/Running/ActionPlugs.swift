import Locking

/// The implementations of one action by name, and the plan that uses them.
///
/// An action with one plain plug needs no book. A change is published as a whole: each call uses
/// either the plan before it or the one after it.
final class ActionPlugs<Input: Sendable, Output: Sendable>: AnyActionPlugs {
    typealias Slot = PlugSlot<Input, Output>

    private struct State: Sendable {
        var slots: [String: Slot]
        var choice: PlugChoice
        /// The slot of the implementation without a name.
        var plain: String?
        var live: PlugPlan?
        var planned: Planned?
        var unplugged: PlugUnplugged?
        /// The number of changes.
        var revision = 0

        /// The wiring that calls use.
        ///
        /// The only implementation of a plan set in code is used directly and isn't counted.
        var effective: Wiring<Input, Output>? {
            planned?.wiring ?? choice.plugged.flatMap { slots[$0]?.wiring }
        }
    }

    /// A plan with its wiring.
    private struct Planned: Sendable {
        let wiring: Wiring<Input, Output>
        let gauges: PlanStatistics
    }

    private let action: any ActionProtocol.Type
    private let kept: Locked<State>
    /// Publishes a wiring to calls and returns the previous one.
    private let publish: @Sendable (Wiring<Input, Output>?) -> Wiring<Input, Output>?

    init(
        _ action: any ActionProtocol.Type,
        plugged wiring: Wiring<Input, Output>?,
        publish: @escaping @Sendable (Wiring<Input, Output>?) -> Wiring<Input, Output>?
    ) {
        self.action = action
        self.publish = publish
        let type = wiring?.implementationType
        kept = Locked(
            State(
                slots: type.map { [$0: Slot(action.name, $0, wiring)] } ?? [:],
                choice: type.map(PlugChoice.implementation) ?? .nothing,
                plain: type
            )
        )
    }

    /// Returns a copy for one task; later changes of either don't affect the other.
    func copy() -> ActionPlugs {
        let state = kept.withLock { $0 }
        let copy = ActionPlugs(action, plugged: nil, publish: { _ in nil })
        let slots = Dictionary(
            uniqueKeysWithValues: state.slots.map { ($0, Slot(action.name, $0, $1.wiring)) }
        )
        let live = state.live
        let planned = (live ?? state.choice.planWithLayers).map { plan in
            copy.adopt(slots)
            return copy.make(plan)
        }
        copy.change { copied in
            copied.slots = slots
            copied.choice = state.choice
            copied.plain = state.plain
            copied.live = live
            copied.planned = planned
        }
        return copy
    }

    /// The current wiring; nil if nothing is plugged.
    var effective: Wiring<Input, Output>? { kept.withLock { $0.effective } }

    func plug(erased wiring: (any AnyObject & Sendable)?) {
        plug(wiring.map { unsafeDowncast($0, to: Wiring<Input, Output>.self) })
    }

    var indirect: (any AnyObject & Sendable)? {
        guard effective != nil else { return nil }
        let error = NotPlugged(action: action.name)
        return Wiring<Input, Output>(making: { [self] in
            effective?.implementation() ?? FailingPlug(error)
        })
    }

    // MARK: Code

    /// Plugs an implementation without a name, or unplugs it; replaces any plan.
    func plug(_ wiring: Wiring<Input, Output>?) {
        let type = wiring?.implementationType
        let slot = type.map(slot)
        change { state in
            if let plain = state.plain, plain != type { state.slots[plain] = nil }
            let old = slot?.exchange(wiring)
            state.plain = type
            state.choice = type.map(PlugChoice.implementation) ?? .nothing
            state.live = nil
            state.unplugged = nil
            state.planned = nil
            return old
        }
    }

    /// Plugs an implementation under a name; calls use it if nothing else is plugged.
    func plug(_ wiring: Wiring<Input, Output>?, as name: String) {
        let slot = slot(name)
        change { state in
            let old = slot.exchange(wiring)
            if wiring != nil, case .nothing = state.choice, state.live == nil {
                state.choice = .plan(.plug(name))
            }
            return old
        }
    }

    /// Sends calls through a plan, whose names may be plugged later.
    func choose(_ plan: PlugPlan) {
        let choice = PlugChoice.plan(plan)
        let planned = choice.planWithLayers.map(make)
        change { state in
            state.choice = choice
            state.live = nil
            state.unplugged = nil
            state.planned = planned
        }
    }

    // MARK: Live

    func check(_ plan: PlugPlan?) throws(InvalidPlan) {
        guard let plan else { return }
        let faults = faults(of: plan, isLive: true)
        guard faults.isEmpty else { throw InvalidPlan(action: action.name, faults: faults) }
    }

    func setLive(_ plan: PlugPlan?) throws(InvalidPlan) {
        try check(plan)
        while true {
            let standard = kept.withLock { $0.choice.planWithLayers }
            let planned = (plan ?? standard).map(make)
            let isDone = change { state in
                // The code may have chosen another plan meanwhile.
                guard plan != nil || state.choice.planWithLayers == standard else { return false }
                state.live = plan
                state.planned = planned
                state.unplugged = nil
                return true
            }
            if isDone { return }
        }
    }

    var state: PlugState { report(kept.withLock { $0 }) }

    var sample: PlugSample {
        let state = kept.withLock { $0 }
        return PlugSample(
            revision: state.revision,
            state: report(state),
            calls: state.planned?.gauges.calls ?? [:]
        )
    }

    private func report(_ state: State) -> PlugState {
        let plugged = state.slots.filter { $0.value.wiring != nil }
        var report = PlugState(
            action: action.name,
            plan: state.live ?? state.choice.plan,
            standard: state.choice.plan,
            isLive: state.live != nil,
            implementations: plugged.sorted { $0.key < $1.key }.map { name, slot in
                PlugState.Implementation(name: name, type: slot.implementationType)
            },
            unplugged: state.unplugged
        )
        state.planned?.gauges.read(into: &report)
        return report
    }

    /// Removes a candidate that exceeded its guard's limits, unless the plan has changed since.
    private func unplug(
        _ unplugged: PlugUnplugged,
        _ part: PlugPlan,
        leaving rest: PlugPlan,
        _ gauges: PlanStatistics
    ) {
        let (current, wasLive) = kept.withLock { state in
            let isCurrent = state.planned?.gauges === gauges
            return (isCurrent ? state.live ?? state.choice.plan : nil, state.live != nil)
        }
        guard let current else { return }
        let plan = current.replacing(part, with: rest)
        let planned = make(plan)
        let isDone = change { state in
            guard state.planned?.gauges === gauges else { return false }
            state.live = plan
            state.planned = planned
            state.unplugged = unplugged
            return true
        }
        guard isDone else { return }
        PlugChange.publish(
            PlugChange(
                action: action.name,
                before: current,
                wasLive: wasLive,
                after: plan,
                unplugged: unplugged
            )
        )
    }

    // MARK: Making

    private func make(_ plan: PlugPlan) -> Planned {
        let gauges = PlanStatistics()
        let faults = faults(of: plan, isLive: false)
        guard faults.isEmpty else {
            let error = InvalidPlan(action: action.name, faults: faults)
            return Planned(wiring: Wiring(making: { FailingPlug(error) }), gauges: gauges)
        }
        let context = PlanContext(
            action: action.name,
            tools: .current,
            gauges: gauges,
            unplug: { [weak self] unplugged, part, rest in
                self?.unplug(unplugged, part, leaving: rest, gauges)
            }
        )
        let wirings = PlanWirings(context: context, slot: slot)
        return Planned(wiring: wirings.wiring(plan), gauges: gauges)
    }

    private func faults(of plan: PlugPlan, isLive: Bool) -> [InvalidPlan.Fault] {
        let names = isLive ? kept.withLock { $0.slots.filter { $0.value.wiring != nil } } : nil
        return PlanCheck.faults(
            of: plan,
            PlanFaults(
                names: names.map { Array($0.keys) },
                decorators: PlugDecorators.names,
                features: PlanFeatures(action, Input.self, Output.self)
            )
        )
    }

    private func slot(_ name: String) -> Slot {
        let action = action.name
        return kept.withLock { state in
            if let slot = state.slots[name] { return slot }
            let slot = Slot(action, name)
            state.slots[name] = slot
            return slot
        }
    }

    private func adopt(_ slots: [String: Slot]) { kept.withLock { $0.slots = slots } }

    /// Changes the state and publishes the new wiring as one step.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        // The old state is released outside the lock: an object in it may plug in its deinit.
        let (result, gone) = kept.withLock { state in
            let before = state
            let result = body(&state)
            state.revision += 1
            return (result, (before, publish(state.effective)))
        }
        withExtendedLifetime(gone) {}
        return result
    }
}
