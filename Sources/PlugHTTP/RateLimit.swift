/// A limit on one caller's requests in a time window.
///
/// A window begins with the caller's first call, and the next one with the first call after its
/// end.
public struct RateLimit: Sendable, Hashable {
    /// The number of calls in a window.
    public let quota: Int
    /// The window's length in seconds.
    public let seconds: Int

    /// Creates a limit; both values are at least 1.
    public init(_ quota: Int, seconds: Int) {
        self.quota = max(1, quota)
        self.seconds = max(1, seconds)
    }

    /// A limit per second.
    public static func perSecond(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 1) }

    /// A limit per minute.
    public static func perMinute(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 60) }

    /// A limit per hour.
    public static func perHour(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 3600) }

    /// A limit per day.
    public static func perDay(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 86_400) }
}

/// An action with a limit on each caller's requests.
///
/// ```swift
/// extension SearchPhotos: RateLimited { static var rateLimit: RateLimit { .perMinute(60) } }
/// ```
/// The server counts per caller, or per address for an action without authentication. Each response
/// has the remaining quota (`RateLimit`, draft-ietf-httpapi-ratelimit-headers). The server responds
/// with 429 and `Retry-After` beyond the limit.
public protocol RateLimited: DeclaresPolicy {
    /// The limit for each caller.
    static var rateLimit: RateLimit { get }
}
