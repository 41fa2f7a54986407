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

/// The outcome of a call, as far as the implementation is responsible for it.
enum CallOutcome {
    case answered
    case failed
    /// The caller cancelled the call, so it says nothing about the implementation.
    case abandoned

    init(_ error: any Error) {
        if error is CancellationError, !(Expiry.current?.isOver ?? false) {
            self = .abandoned
        } else if let error = error as? any CallerFault, error.isCallerFault {
            self = .answered
        } else {
            self = .failed
        }
    }
}

/// An error that may be the caller's fault, such as a `404`.
///
/// Plans treat such an error like an output: they don't retry, fall back or unplug because of it.
public protocol CallerFault: Error {
    /// Whether the same call would fail with every implementation.
    var isCallerFault: Bool { get }
}

/// The measurement of the calls of one implementation.
final class PlugMeasurement: Sendable {
    private let tally: PlugStatistics
    private let now: @Sendable () -> Duration
    private let onEnd: (@Sendable () -> Void)?

    /// Creates a meter that counts into a tally and calls `onEnd` after each call.
    init(_ tally: PlugStatistics, _ tools: PlanTools, onEnd: (@Sendable () -> Void)? = nil) {
        self.tally = tally
        now = tools.now
        self.onEnd = onEnd
    }

    func begin() -> Duration {
        tally.begin()
        return now()
    }

    /// Stops measuring a call whose result remains unknown.
    func forget() { tally.forget() }

    func end(_ outcome: CallOutcome, _ start: Duration) {
        tally.end(outcome, after: now() - start)
        onEnd?()
    }
}

/// An implementation whose calls are counted.
///
/// Plans create one for each call from a stored metatype. Looking up the generic type by name would
/// take longer than all other work of a plan. The class isn't final, because for a final class the
/// compiler replaces the metatype with that lookup.
class CountedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Action<Input, Output>
    private let meter: PlugMeasurement

    required init(_ next: Action<Input, Output>, _ meter: PlugMeasurement) {
        self.next = next
        self.meter = meter
    }

    override func performNow(_ input: Input) throws -> Output? {
        let start = meter.begin()
        do {
            guard let output = try next.performNow(input) else {
                meter.forget()
                return nil
            }
            meter.end(.answered, start)
            return output
        } catch {
            meter.end(CallOutcome(error), start)
            throw error
        }
    }

    override func perform(_ input: Input) async throws -> Output {
        let start = meter.begin()
        do {
            let output = try await next.perform(input)
            meter.end(.answered, start)
            return output
        } catch {
            meter.end(CallOutcome(error), start)
            throw error
        }
    }
}
