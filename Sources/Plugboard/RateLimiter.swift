import HTTPServer
import Locking
import PlugHTTP

/// Counts how often each calls, within a bound of memory.
final class RateLimiter: Sendable {
    /// Who calls.
    enum Key: Hashable {
        case caller(String)
        case address(PeerAddress)
        /// Somebody on a Unix socket, whose ends have no address.
        case nobody
    }

    /// What is left of a quota.
    struct Standing: Equatable {
        var isWithin: Bool
        var remaining: Int
        /// Seconds to the window's end, one at least.
        var reset: Int
    }

    private struct Window {
        var used: Int
        /// In nanoseconds.
        let end: Int
    }

    /// The young half of the callers, who came last, and the old one.
    ///
    /// When there are as many young ones as fit the old ones are forgotten, all at once, and these
    /// take their place.
    private struct Windows {
        var young: [Key: Window] = [:]
        var old: [Key: Window] = [:]
    }

    /// The name under which answers tell of it.
    let name: StaticString
    let limit: RateLimit
    private let greatestCount: Int
    private let clock: @Sendable () -> Int
    private let windows = Locked(Windows())

    /// Counts for so many callers at a time, by a clock of nanoseconds.
    init(
        _ name: StaticString,
        _ limit: RateLimit,
        atMost greatestCount: Int = 65_536,
        clock: @escaping @Sendable () -> Int = RequestSubject.now
    ) {
        self.name = name
        self.limit = limit
        self.greatestCount = max(2, greatestCount)
        self.clock = clock
    }

    /// Counts a call, if it is one, and tells how its caller stands.
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
            windows.young.count > greatestCount / 2
        {
            windows.old = windows.young
            windows.young = [:]
        }
    }

    // MARK: On the wire

    /// `"action";q=60;w=60` (draft-ietf-httpapi-ratelimit-headers-10 §4).
    var policyItem: String { "\"\(name)\";q=\(limit.quota);w=\(limit.seconds)" }

    /// `"action";r=59;t=42` (§5).
    func item(_ standing: Standing) -> String {
        "\"\(name)\";r=\(standing.remaining);t=\(standing.reset)"
    }
}
