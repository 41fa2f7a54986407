import HTTPServer
import PlugHTTP

/// The limits of failed sign-ins a minute: of one address, and of all.
///
/// Successes don't count. A limit for all bounds the guesses of many addresses together.
struct SignInLimits: Sendable {
    private let ofAddress: RateLimits?
    private let ofAll: RateLimits?

    /// Creates the limits, by a clock in nanoseconds.
    init(clock: @escaping @Sendable () -> Int = RequestSubject.now) {
        ofAddress = RateLimits([RateLimiter("sign-in", .perMinute(30), clock: clock)])
        ofAll = RateLimits([RateLimiter("all sign-ins", .perMinute(1_000), clock: clock)])
    }

    /// Throws the 429 of an address or of all after too many failures.
    func check(_ address: RateLimiter.Key) throws(RateLimits.Exceeded) {
        try ofAddress?.check(address)
        try ofAll?.check(.nobody)
    }

    /// Counts a failure.
    func countFailure(of address: RateLimiter.Key) {
        _ = try? ofAddress?.take(address)
        _ = try? ofAll?.take(.nobody)
    }
}
