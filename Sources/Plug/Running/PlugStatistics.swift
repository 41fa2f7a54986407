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

    private struct State {
        var counts = Counts()
        var durations = DurationHistogram()
    }

    private let kept = Locked(State())

    package var counts: Counts { kept.withLock { $0.counts } }

    /// The failures and the durations of the finished calls.
    var calls: PlugSample.Calls {
        kept.withLock { state in
            var calls = PlugSample.Calls(errors: state.counts.errors)
            calls.durations = state.durations
            return calls
        }
    }

    func begin() { kept.withLock { $0.counts.running += 1 } }

    /// Stops counting a running call whose result remains unknown.
    func forget() { kept.withLock { $0.counts.running -= 1 } }

    func end(_ outcome: CallOutcome, after time: Duration) {
        kept.withLock { state in
            state.counts.running -= 1
            if outcome == .abandoned { return }
            state.counts.calls += 1
            if outcome == .failed { state.counts.errors += 1 }
            state.counts.total += time
            state.counts.slowest = max(state.counts.slowest, time)
            state.durations.add(time)
        }
    }
}
