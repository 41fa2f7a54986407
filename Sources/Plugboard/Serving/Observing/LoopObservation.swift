import HTTPServer
import Locking
import Telemetry

/// The counters of one loop.
final class LoopObservation: Sendable {
    /// The requests with immediate responses; counted only on the loop's thread.
    let requests = RequestCounters()
    /// The other requests, whose tasks may run on other threads after the loop has ended.
    private let promised = Locked(Promised())
    private let attached = Locked<LoopCounters?>(nil)

    private struct Promised {
        let requests = RequestCounters()
        var inFlight = 0
    }

    var counters: LoopCounters? { attached.withLock { $0 } }

    /// The number of requests whose responses are being made.
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

    /// Returns all counts; callable from any thread.
    func totals() -> [(key: RequestCounters.Key, total: RequestCounters.Total)] {
        requests.totals() + promised.withLock { $0.requests }.totals()
    }
}
