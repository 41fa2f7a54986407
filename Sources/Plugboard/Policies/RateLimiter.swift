import HTTPServer
import HTTPSyntax
import JSONCodec
import Locking
import PlugHTTP

/// Counts calls per caller in fixed windows, for a limited number of callers.
final class RateLimiter: Sendable {
    /// The party whose calls are counted together.
    enum Key: Hashable {
        case caller(ExactName)
        case address(IPAddress)
        /// All clients on a Unix socket, which have no address.
        case nobody
    }

    /// A caller's remaining quota.
    struct Standing: Equatable {
        var isWithin: Bool
        var remaining: Int
        /// Seconds until the window ends, at least 1.
        var reset: Int
    }

    private struct Window {
        var used: Int
        /// Nanoseconds on `clock`.
        let end: Int
    }

    /// The windows of recent callers (`young`) and of earlier ones (`old`).
    ///
    /// When `young` is full, `old` is dropped as a whole and `young` becomes `old`.
    private struct Windows {
        var young: [Key: Window] = [:]
        var old: [Key: Window] = [:]
    }

    /// The policy's name in `RateLimit-Policy` and `RateLimit`.
    let name: StaticString
    let limit: RateLimit
    private let maximumCount: Int
    private let clock: @Sendable () -> Int
    private let windows = Locked(Windows())

    /// Creates a limiter for at most `maximumCount` callers, by a clock in nanoseconds.
    init(
        _ name: StaticString,
        _ limit: RateLimit,
        atMost maximumCount: Int = 65_536,
        clock: @escaping @Sendable () -> Int = RequestSubject.now
    ) {
        self.name = name
        self.limit = limit
        self.maximumCount = max(2, maximumCount)
        self.clock = clock
    }

    /// Counts a call and returns its caller's remaining quota; a count of 0 only checks.
    func take(_ key: Key, count: Int = 1) -> Standing {
        let now = clock()
        return windows.withLock { windows in
            var window = windows.young[key] ?? windows.old[key] ?? fresh(now)
            if window.end <= now { window = fresh(now) }
            let isWithin = window.used < limit.quota
            if isWithin { window.used += count }
            if count > 0 { keep(window, key, &windows) }
            let left = window.end - now
            return Standing(
                isWithin: isWithin,
                remaining: limit.quota - window.used,
                reset: max(1, (left + 999_999_999) / 1_000_000_000)
            )
        }
    }

    private func fresh(_ now: Int) -> Window {
        Window(used: 0, end: now + limit.seconds * 1_000_000_000)
    }

    private func keep(_ window: Window, _ key: Key, _ windows: inout Windows) {
        if windows.young.updateValue(window, forKey: key) == nil,
            windows.young.count > maximumCount / 2
        {
            windows.old = windows.young
            windows.young = [:]
        }
    }

    // MARK: Fields

    /// A policy, `"action";q=60;w=60` (draft-ietf-httpapi-ratelimit-headers-10 §4).
    var policyItem: String { "\"\(name)\";q=\(limit.quota);w=\(limit.seconds)" }

    /// A standing, `"action";r=59;t=42` (§5).
    func item(_ standing: Standing) -> String {
        "\"\(name)\";r=\(standing.remaining);t=\(standing.reset)"
    }
}
