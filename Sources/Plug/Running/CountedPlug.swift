/// The measurement of the calls of one implementation.
final class PlugMeasurement: Sendable {
    private let tally: PlugStatistics
    private let now: @Sendable () -> Duration
    private let onEnd: (@Sendable () -> Void)?

    /// Creates a measurement that counts into a tally and calls `onEnd` after each call.
    init(_ tally: PlugStatistics, _ tools: PlanDependencies, onEnd: (@Sendable () -> Void)? = nil) {
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
