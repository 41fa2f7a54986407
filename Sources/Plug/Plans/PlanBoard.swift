import Locking

/// What the layers of a plan are wired with.
struct PlanBoard<Input: Sendable, Output: Sendable>: Sendable {
    /// The action's name.
    let name: String
    let tools: PlanTools
    let gauges = PlanGauges()
    /// The implementation of a name, whatever it is at the time of a call.
    let slot: @Sendable (String) -> PlugSlot<Input, Output>
    /// Puts another part in the place of one that misbehaved, and says which name goes and why.
    let unplug: @Sendable (PlanGauges, PlugUnplugged, PlugPlan, PlugPlan) -> Void

    func wire(_ plan: PlugPlan, at pointer: String) -> Wiring<Input, Output> {
        plan.layer.wire(self, at: pointer)
    }

    /// An implementation by its name, with its calls counted.
    func counted(_ name: String) -> Wiring<Input, Output> {
        let slot = slot(name)
        let meter = PlugMeter(gauges.tally(name), tools)
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        return Wiring(making: { counted.init(slot.implementation(), meter) })
    }
}

/// The place of one named implementation.
final class PlugSlot<Input: Sendable, Output: Sendable>: Sendable {
    private let action: String
    // No type of the parameters': a call that goes through a plan would look that up.
    private let kept: Locked<(any AnyObject & Sendable)?>

    init(_ action: String, _ wiring: Wiring<Input, Output>? = nil) {
        self.action = action
        kept = Locked(wiring)
    }

    var wiring: Wiring<Input, Output>? {
        kept.withLock { $0 }.map { unsafeDowncast($0, to: Wiring<Input, Output>.self) }
    }

    /// Puts another wiring in its place, and gives what was there.
    func exchange(_ new: Wiring<Input, Output>?) -> Wiring<Input, Output>? {
        kept.withLock { wiring in
            let old = wiring
            wiring = new
            return old
        }.map { unsafeDowncast($0, to: Wiring<Input, Output>.self) }
    }

    func implementation() -> Action<Input, Output> {
        guard let wiring = kept.withLock({ $0 }) else {
            return FailingPlug(NotPlugged(action: action))
        }
        return unsafeDowncast(wiring, to: Wiring<Input, Output>.self).implementation()
    }
}

/// What a plan's layers tell of themselves.
final class PlanGauges: Sendable {
    private let kept = Locked(
        (tallies: [String: PlugTally](), readers: [@Sendable (inout PlugState) -> Void]())
    )

    /// The counts of an implementation: the same for each place that it has in the plan.
    func tally(_ name: String) -> PlugTally {
        kept.withLock { kept in
            if let tally = kept.tallies[name] { return tally }
            let tally = PlugTally()
            kept.tallies[name] = tally
            return tally
        }
    }

    /// Has a layer asked whenever somebody wants to know.
    func add(_ reader: @escaping @Sendable (inout PlugState) -> Void) {
        kept.withLock { $0.readers.append(reader) }
    }

    /// What there is to tell of the implementations and the layers.
    func read(into state: inout PlugState) {
        let (tallies, readers) = kept.withLock { $0 }
        for (name, tally) in tallies {
            state.count(name, tally.counts)
        }
        for reader in readers { reader(&state) }
    }
}
