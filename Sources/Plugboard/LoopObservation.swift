import HTTPServer
import Locking
import Telemetry

/// What is counted on one loop.
final class LoopObservation: Sendable {
    /// Requests that were answered when they were read; counted on the loop's thread alone.
    let requests = RequestCounters()
    /// The others: a task whose loop has ended goes on elsewhere.
    private let promised = Locked(Promised())
    private let attached = Locked<LoopCounters?>(nil)

    private struct Promised {
        let requests = RequestCounters()
        var inFlight = 0
    }

    var counters: LoopCounters? { attached.withLock { $0 } }

    /// Requests whose answer is being made.
    var inFlight: Int { promised.withLock { $0.inFlight } }

    func attach(_ counters: LoopCounters) {
        attached.withLock { $0 = counters }
    }

    func begin() {
        promised.withLock { $0.inFlight += 1 }
    }

    func end(_ key: RequestCounters.Key, nanoseconds: Int) {
        promised.withLock { promised in
            promised.inFlight -= 1
            promised.requests.count(key, nanoseconds: nanoseconds)
        }
    }

    /// All that was counted, from any thread.
    func totals() -> [(key: RequestCounters.Key, total: RequestCounters.Total)] {
        requests.totals() + promised.withLock { $0.requests }.totals()
    }
}
