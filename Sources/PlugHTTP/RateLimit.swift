/// How often one caller may have something: so many times within a window.
///
/// A window begins with the first call of who calls, and the next one with the first call behind its
/// end.
public struct RateLimit: Sendable, Hashable {
    /// How many times.
    public let quota: Int
    /// The window's length in seconds.
    public let seconds: Int

    /// So many times within so many seconds; both are one at least.
    public init(_ quota: Int, seconds: Int) {
        self.quota = max(1, quota)
        self.seconds = max(1, seconds)
    }

    /// So many times a second.
    public static func perSecond(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 1) }

    /// So many times a minute.
    public static func perMinute(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 60) }

    /// So many times an hour.
    public static func perHour(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 3600) }

    /// So many times a day.
    public static func perDay(_ quota: Int) -> RateLimit { RateLimit(quota, seconds: 86_400) }
}

/// An action that nobody may call too often.
///
/// ```swift
/// extension SearchPhotos: RateLimited { static var rateLimit: RateLimit { .perMinute(60) } }
/// ```
/// A server counts for each caller, or for each address where nobody is asked who they are. It says in
/// each answer how much is left (`RateLimit`, draft-ietf-httpapi-ratelimit-headers), and answers 429
/// with `Retry-After` to what is too much.
public protocol RateLimited: Governed {
    /// How often each may call it.
    static var rateLimit: RateLimit { get }
}
