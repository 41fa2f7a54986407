import Locking

/// The statistics of the calls of one implementation.
package final class PlugStatistics: Sendable {
    /// The counts at one moment.
    package struct Counts: Sendable, Equatable {
        /// The finished calls.
        package var calls = 0
        /// The failed calls that the caller didn't cause.
        package var errors = 0
        /// The running calls.
        package var running = 0
        /// The sum of the durations of finished calls.
        package var total = Duration.zero
        /// The longest duration of a call.
        package var slowest = Duration.zero

        /// The average duration of a call.
        package var mean: Duration { calls == 0 ? .zero : total / calls }
        /// The failed share of the finished calls.
        package var errorRatio: Double { calls == 0 ? 0 : Double(errors) / Double(calls) }
    }

    private let kept = Locked(Counts())

    package var counts: Counts { kept.withLock { $0 } }

    func begin() { kept.withLock { $0.running += 1 } }

    /// Stops counting a running call whose result remains unknown.
    func forget() { kept.withLock { $0.running -= 1 } }

    func end(_ outcome: CallOutcome, after time: Duration) {
        kept.withLock { counts in
            counts.running -= 1
            if outcome == .abandoned { return }
            counts.calls += 1
            if outcome == .failed { counts.errors += 1 }
            counts.total += time
            counts.slowest = max(counts.slowest, time)
        }
    }
}
