/// A limit on one caller's requests in a time window.
///
/// A window begins with the caller's first call, and the next one with the first call after its
/// end.
public struct RateLimit: Sendable, Hashable {
    /// The number of calls in a window.
    public let quota: Int
    /// The window's length in seconds.
    public let seconds: Int

    /// Creates a limit of 1 to 10¹⁵ - 1 calls in a second to a year.
    ///
    /// A value outside its range is replaced by the nearest one inside.
    public init(_ quota: Int, seconds: Int) {
        self.quota = min(max(1, quota), Self.maximumQuota)
        self.seconds = min(max(1, seconds), 365 * 86_400)
    }

    /// The greatest integer of a response's field (RFC 9651 §3.3.1).
    private static let maximumQuota = 999_999_999_999_999

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
