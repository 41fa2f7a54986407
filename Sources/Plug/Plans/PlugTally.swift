import Locking

/// What is counted of the calls that went one way.
package final class PlugTally: Sendable {
    /// The counts at one moment.
    package struct Counts: Sendable, Equatable {
        /// The calls that ended.
        package var calls = 0
        /// Those of them that failed, by no fault of the caller.
        package var errors = 0
        /// The calls that go on.
        package var running = 0
        /// How long those that ended took together.
        package var total = Duration.zero
        /// How long the slowest took.
        package var slowest = Duration.zero

        /// How long a call took on average.
        package var mean: Duration { calls == 0 ? .zero : total / calls }
        /// Which part of the calls failed.
        package var errorRatio: Double { calls == 0 ? 0 : Double(errors) / Double(calls) }
    }

    private let kept = Locked(Counts())

    package var counts: Counts { kept.withLock { $0 } }

    func begin() { kept.withLock { $0.running += 1 } }

    /// It is not known after all how this one went.
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

/// How a call went, as far as its implementation is to blame.
enum CallOutcome {
    case answered
    case failed
    /// The caller went away: it says nothing of the implementation.
    case abandoned

    init(_ error: any Error) {
        if error is CancellationError, !(Expiry.current?.isOver ?? false) {
            self = .abandoned
        } else if let error = error as? any CallerBlaming, error.blamesCaller {
            self = .answered
        } else {
            self = .failed
        }
    }
}

/// An error that may say of itself that the caller is to blame, such as a `404`.
///
/// Such an error is an answer like any other: no plan tries again, falls back or unplugs for it.
public protocol CallerBlaming: Error {
    /// Whether the same call would fail wherever it went.
    var blamesCaller: Bool { get }
}

/// What measures the calls that go one way.
final class PlugMeter: Sendable {
    private let tally: PlugTally
    private let now: @Sendable () -> Duration
    private let onEnd: (@Sendable () -> Void)?

    /// A meter that counts into a tally, and tells when a call has ended.
    init(_ tally: PlugTally, _ tools: PlanTools, onEnd: (@Sendable () -> Void)? = nil) {
        self.tally = tally
        now = tools.now
        self.onEnd = onEnd
    }

    func begin() -> Duration {
        tally.begin()
        return now()
    }

    /// It is not known after all how this one went.
    func forget() { tally.forget() }

    func end(_ outcome: CallOutcome, _ start: Duration) {
        tally.end(outcome, after: now() - start)
        onEnd?()
    }
}

/// An implementation whose calls are counted, and watched by who needs to know how they go.
///
/// Plans make one for each call by its metatype, which they keep: a generic type's name would be
/// looked up each time, which takes longer than all else that a plan does. So it isn't final: of a
/// final class the compiler puts the name in the metatype's place.
class CountedPlug<Input: Sendable, Output: Sendable>: Action<Input, Output> {
    private let next: Action<Input, Output>
    private let meter: PlugMeter

    required init(_ next: Action<Input, Output>, _ meter: PlugMeter) {
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
