import Locking

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

    /// The calls of each implementation.
    var calls: [String: PlugSample.Calls] {
        kept.withLock { $0.tallies }.mapValues(\.calls)
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

extension PlugState {
    fileprivate mutating func count(_ name: String, _ counts: PlugStatistics.Counts) {
        guard let index = implementations.firstIndex(where: { $0.name == name }) else { return }
        implementations[index].calls = counts.calls
        implementations[index].errors = counts.errors
        implementations[index].running = counts.running
        implementations[index].meanMilliseconds = counts.mean / .milliseconds(1)
        implementations[index].slowestMilliseconds = counts.slowest / .milliseconds(1)
    }
}
