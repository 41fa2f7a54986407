import Locking

/// The counters of all loops of a server.
final class LoopObservations: Sendable {
    private let made = Locked<[LoopObservation]>([])

    /// The counters of the loops so far.
    var all: [LoopObservation] { made.withLock { $0 } }

    /// Creates the counters of the next loop.
    func make() -> LoopObservation {
        let observation = LoopObservation()
        made.withLock { $0.append(observation) }
        return observation
    }
}
