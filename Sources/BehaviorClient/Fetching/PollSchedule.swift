/// The times of a client's requests: a value without a clock.
struct PollSchedule: Hashable, Sendable {
    /// The longest time between two attempts, unless the interval is longer.
    static let maximumDelay = Duration.seconds(3_600)

    let interval: Duration
    private(set) var failures = 0

    /// Creates a schedule; an interval is between a second and a day.
    init(interval: Duration) { self.interval = min(max(interval, .seconds(1)), .seconds(86_400)) }

    /// Returns the delay after a success: the interval, up to a tenth shorter or longer.
    ///
    /// `random` is a number from 0 to 1, so that clients don't send in step.
    mutating func delayAfterSuccess(random: Double) -> Duration {
        failures = 0
        return interval * Int(900 + 200 * random) / 1_000
    }

    /// Returns the delay after a failure, which doubles each time.
    ///
    /// It is random between half an interval and the limit, and at least the server's delay.
    mutating func delayAfterFailure(retryAfter: Duration?, random: Double) -> Duration {
        failures = min(failures + 1, 20)
        let longest = min(interval * Double(1 << failures), max(interval, Self.maximumDelay))
        let shortest = interval * 0.5
        return max(retryAfter ?? .zero, shortest + (longest - shortest) * random)
    }
}
