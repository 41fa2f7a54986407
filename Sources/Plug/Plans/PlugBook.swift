import Locking

/// An action's book whatever the action takes and gives.
package protocol AnyPlugBook: AnyObject, Sendable {
    /// What the action is wired to, and how that fares.
    var state: PlugState { get }

    /// Has calls go through a plan from now on; nil for what the code said last.
    ///
    /// - Throws: what is wrong with the plan, which then changes nothing.
    func setLive(_ plan: PlugPlan?) throws(InvalidPlan)
}

/// An action's book as those see it who know the action's type and not its input's and output's.
protocol PlugBooking: AnyObject, Sendable {
    /// Plugs an implementation plainly.
    ///
    /// - Precondition: it is a wiring of the book's own input and output.
    func plug(erased wiring: (any AnyObject & Sendable)?)

    /// What gives each call what the book says at that time; nil where nothing is plugged.
    var indirect: (any AnyObject & Sendable)? { get }
}

/// All that is plugged into one action: its implementations by name, and the plan of their use.
///
/// What an action is plugged to plainly needs none, and has none. A change is published whole: each
/// call goes through the plan before it or the one after it.
final class PlugBook<Input: Sendable, Output: Sendable>: AnyPlugBook, PlugBooking {
    typealias Slot = PlugSlot<Input, Output>

    /// What the code said last.
    enum Choice: Sendable {
        case nothing
        case implementation
        case plan(PlugPlan)

        var plan: PlugPlan? {
            switch self {
            case .nothing: nil
            case .implementation: .plug(PlugPlan.defaultName)
            case .plan(let plan): plan
            }
        }
    }

    private struct State: Sendable {
        var slots: [String: Slot]
        var choice: Choice
        var live: PlugPlan?
        var planned: Planned?
        var unplugged: PlugUnplugged?

        /// What calls get: an implementation without a plan stands as it is, and isn't counted.
        var effective: Wiring<Input, Output>? {
            planned?.wiring ?? slots[PlugPlan.defaultName]?.wiring
        }
    }

    /// A plan that was made into what calls go through.
    private struct Planned: Sendable {
        let wiring: Wiring<Input, Output>
        let gauges: PlanGauges
    }

    private let action: any ActionProtocol.Type
    private let kept: Locked<State>
    /// Puts a wiring where calls find it, and gives what was there.
    private let publish: @Sendable (Wiring<Input, Output>?) -> Wiring<Input, Output>?

    init(
        _ action: any ActionProtocol.Type,
        plugged wiring: Wiring<Input, Output>?,
        publish: @escaping @Sendable (Wiring<Input, Output>?) -> Wiring<Input, Output>?
    ) {
        self.action = action
        self.publish = publish
        kept = Locked(
            State(
                slots: [PlugPlan.defaultName: Slot(action.name, wiring)],
                choice: wiring == nil ? .nothing : .implementation
            )
        )
    }

    /// A copy for one task: it begins as this one is, and changes of one are none of the other.
    func copy() -> PlugBook {
        let state = kept.withLock { $0 }
        let copy = PlugBook(action, plugged: nil, publish: { _ in nil })
        let slots = state.slots.mapValues { Slot(action.name, $0.wiring) }
        let live = state.live
        let planned = (live ?? state.choice.planWithLayers).map { plan in
            copy.adopt(slots)
            return copy.make(plan)
        }
        copy.change { copied in
            copied.slots = slots
            copied.choice = state.choice
            copied.live = live
            copied.planned = planned
        }
        return copy
    }

    /// What calls get at this moment; nil where nothing is plugged.
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

    /// Plugs an implementation plainly, or nothing: from now on it alone counts.
    func plug(_ wiring: Wiring<Input, Output>?) {
        let slot = slot(PlugPlan.defaultName)
        change { state in
            let old = slot.exchange(wiring)
            state.choice = wiring == nil ? .nothing : .implementation
            state.live = nil
            state.planned = nil
            return old
        }
    }

    /// Plugs an implementation under a name; the first one is what calls get until more is said.
    func plug(_ wiring: Wiring<Input, Output>?, as name: String) {
        let old = slot(name).exchange(wiring)
        withExtendedLifetime(old) {}
        let isUnsaid = kept.withLock { state in
            if case .nothing = state.choice { state.live == nil } else { false }
        }
        if isUnsaid, wiring != nil { choose(.plug(name)) }
    }

    /// Has calls go through a plan, whose names may be plugged later.
    func choose(_ plan: PlugPlan) {
        let planned = make(plan)
        change { state in
            state.choice = .plan(plan)
            state.live = nil
            state.planned = planned
        }
    }

    // MARK: Live

    func setLive(_ plan: PlugPlan?) throws(InvalidPlan) {
        if let plan {
            let faults = faults(of: plan, isLive: true)
            guard faults.isEmpty else { throw InvalidPlan(action: action.name, faults: faults) }
        }
        let standard = kept.withLock { $0.choice.planWithLayers }
        let planned = (plan ?? standard).map(make)
        change { state in
            state.live = plan
            state.planned = planned
            state.unplugged = nil
        }
    }

    var state: PlugState {
        let state = kept.withLock { $0 }
        let plugged = state.slots.filter { $0.value.wiring != nil }
        var report = PlugState(
            action: action.name,
            plan: state.live ?? state.choice.plan,
            standard: state.choice.plan,
            isLive: state.live != nil,
            implementations: plugged.keys.sorted().map { PlugState.Implementation(name: $0) },
            unplugged: state.unplugged
        )
        state.planned?.gauges.read(into: &report)
        return report
    }

    /// Takes out what a guard found wanting, unless the plan has changed since.
    private func unplug(
        _ gauges: PlanGauges,
        _ unplugged: PlugUnplugged,
        _ part: PlugPlan,
        _ rest: PlugPlan
    ) {
        let current = kept.withLock { state in
            state.planned?.gauges === gauges ? state.live ?? state.choice.plan : nil
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
        PlugChange.tell(
            PlugChange(action: action.name, before: current, after: plan, unplugged: unplugged)
        )
    }

    // MARK: Making

    private func make(_ plan: PlugPlan) -> Planned {
        let faults = faults(of: plan, isLive: false)
        let board = PlanBoard<Input, Output>(
            name: action.name,
            tools: .current,
            slot: { [self] name in slot(name) },
            unplug: { [weak self] gauges, unplugged, part, rest in
                self?.unplug(gauges, unplugged, part, rest)
            }
        )
        guard faults.isEmpty else {
            let error = InvalidPlan(action: action.name, faults: faults)
            return Planned(
                wiring: Wiring(making: { FailingPlug(error) }),
                gauges: board.gauges
            )
        }
        return Planned(wiring: board.wire(plan, at: ""), gauges: board.gauges)
    }

    private func faults(of plan: PlugPlan, isLive: Bool) -> [InvalidPlan.Fault] {
        let names = isLive ? kept.withLock { $0.slots.filter { $0.value.wiring != nil } } : nil
        var check = PlanCheck(
            names: names.map { Array($0.keys) },
            abilities: PlanAbilities(action, Input.self, Output.self)
        )
        check.plan(plan, at: "")
        return check.faults
    }

    private func slot(_ name: String) -> Slot {
        let action = action.name
        return kept.withLock { state in
            if let slot = state.slots[name] { return slot }
            let slot = Slot(action)
            state.slots[name] = slot
            return slot
        }
    }

    private func adopt(_ slots: [String: Slot]) { kept.withLock { $0.slots = slots } }

    /// Changes the state and publishes what calls get, in one.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        // What goes is released outside of the lock: it may have a deinit that plugs.
        let (result, gone) = kept.withLock { state in
            let before = state
            let result = body(&state)
            return (result, (before, publish(state.effective)))
        }
        withExtendedLifetime(gone) {}
        return result
    }
}

extension PlugBook.Choice {
    /// The plan, where it is more than what is plugged plainly.
    fileprivate var planWithLayers: PlugPlan? {
        if case .plan(let plan) = self { plan } else { nil }
    }
}
