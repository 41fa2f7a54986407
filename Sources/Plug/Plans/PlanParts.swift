import Locking

/// The parts that a plan's layers need to make their wirings.
struct PlanParts<Input: Sendable, Output: Sendable>: Sendable {
    /// The action's name.
    let name: String
    let tools: PlanTools
    let gauges = PlanStatistics()
    /// Returns the slot of a name, whose implementation may change between calls.
    let slot: @Sendable (String) -> PlugSlot<Input, Output>
    /// Replaces a part of the plan, and reports the removed name with the reason.
    let unplug: @Sendable (PlanStatistics, PlugUnplugged, PlugPlan, PlugPlan) -> Void

    func wire(_ plan: PlugPlan, at pointer: String) -> Wiring<Input, Output> {
        plan.layer.wire(self, at: pointer)
    }

    /// Returns an implementation by its name that counts its calls.
    func counted(_ name: String) -> Wiring<Input, Output> {
        let slot = slot(name)
        let meter = PlugMeasurement(gauges.tally(name), tools)
        let counted: CountedPlug<Input, Output>.Type = CountedPlug.self
        return Wiring(making: { counted.init(slot.implementation(), meter) })
    }
}

/// The slot of one named implementation.
final class PlugSlot<Input: Sendable, Output: Sendable>: Sendable {
    private let action: String
    // Type-erased: a type with generic parameters would need a metadata lookup on each call.
    private let kept: Locked<(any AnyObject & Sendable)?>

    init(_ action: String, _ wiring: Wiring<Input, Output>? = nil) {
        self.action = action
        kept = Locked(wiring)
    }

    var wiring: Wiring<Input, Output>? {
        kept.withLock { $0 }.map { unsafeDowncast($0, to: Wiring<Input, Output>.self) }
    }

    /// The name of the implementation's type; empty if nothing is plugged.
    var implementationType: String { wiring?.implementationType ?? "" }

    /// Replaces the wiring and returns the previous one.
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

/// The statistics of a plan's layers.
final class PlanStatistics: Sendable {
    private let kept = Locked(
        (tallies: [String: PlugStatistics](), readers: [@Sendable (inout PlugState) -> Void]())
    )

    /// Returns the counts of an implementation, shared by all its places in the plan.
    func tally(_ name: String) -> PlugStatistics {
        kept.withLock { kept in
            if let tally = kept.tallies[name] { return tally }
            let tally = PlugStatistics()
            kept.tallies[name] = tally
            return tally
        }
    }

    /// Adds a layer's reader, which each report calls.
    func add(_ reader: @escaping @Sendable (inout PlugState) -> Void) {
        kept.withLock { $0.readers.append(reader) }
    }

    /// Reads the statistics of the implementations and the layers.
    func read(into state: inout PlugState) {
        let (tallies, readers) = kept.withLock { $0 }
        for (name, tally) in tallies {
            state.count(name, tally.counts)
        }
        for reader in readers { reader(&state) }
    }
}
