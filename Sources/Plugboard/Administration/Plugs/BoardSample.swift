import Plug
import Telemetry

/// The counters of a server's actions at one moment.
struct BoardSample: Sendable {
    /// The requests of one action.
    struct Requests: Sendable, Equatable {
        /// The requests in each bucket of ``DurationBuckets``, and those above all limits.
        var counts = [Int](repeating: 0, count: DurationBuckets.count + 1)
        /// The requests whose action failed: those with a status of 500 or more.
        var errors = 0
    }

    /// The time in nanoseconds on a monotonic clock.
    let at: Int
    /// The requests by the action's number.
    let requests: [Int: Requests]
    /// The plugs by the action's name.
    let plugs: [String: PlugSample]

    /// Reads the counters of several actions.
    init(at time: Int, of actions: [ExposedAction], _ observations: [LoopObservation]) {
        at = time
        let numbers = Set(actions.map(\.number))
        var requests: [Int: Requests] = [:]
        for (key, total) in observations.flatMap({ $0.totals() }) where numbers.contains(key.route)
        {
            var sum = requests[key.route] ?? Requests()
            for index in sum.counts.indices { sum.counts[index] += total.counts[index] }
            if key.status >= 500 { sum.errors += total.counts.reduce(0, +) }
            requests[key.route] = sum
        }
        self.requests = requests
        plugs = Dictionary(actions.map { ($0.name, PlugCell.liveBook(of: $0.cell.action).sample) })
        {
            first,
            _ in first
        }
    }

    init(at time: Int, requests: [Int: Requests], plugs: [String: PlugSample]) {
        at = time
        self.requests = requests
        self.plugs = plugs
    }
}

/// The calls within a period: their rate, their durations and the rate of errors.
struct CallFigures: Sendable, Equatable {
    /// Calls per second.
    var rate = 0.0
    /// The median duration in microseconds; nil without calls.
    var p50: Double?
    /// The duration in microseconds that 99 % of the calls don't exceed; nil without calls.
    var p99: Double?
    /// Failed calls per second.
    var errors = 0.0

    /// No calls.
    init() {}

    /// Computes the figures of calls in buckets; `limits` are the buckets' limits in microseconds,
    /// from the lower limit of the first one on.
    init(_ counts: [Int], errors: Int, limits: [Double], seconds: Double) {
        let total = counts.reduce(0, +)
        guard total > 0, seconds > 0 else { return }
        rate = Double(total) / seconds
        self.errors = Double(errors) / seconds
        p50 = Self.quantile(0.5, counts, total, limits)
        p99 = Self.quantile(0.99, counts, total, limits)
    }

    /// Returns the duration below which a share of the calls is, interpolated within its bucket.
    private static func quantile(
        _ share: Double,
        _ counts: [Int],
        _ total: Int,
        _ limits: [Double]
    ) -> Double {
        let rank = share * Double(total)
        var below = 0
        for (index, count) in counts.enumerated() where count > 0 {
            if Double(below + count) >= rank {
                let lower = limits[min(index, limits.count - 1)]
                let upper = limits[min(index + 1, limits.count - 1)]
                return lower + (upper - lower) * (rank - Double(below)) / Double(count)
            }
            below += count
        }
        return limits.last ?? 0
    }
}
