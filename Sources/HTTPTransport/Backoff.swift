package import HTTPTypes

/// The waits between attempts: random up to a limit that doubles, so that clients don't return at
/// the same time ("full jitter").
public struct Backoff: Sendable {
    /// The limit of the first wait.
    public var first: Duration
    /// The limit of all waits.
    public var maximum: Duration

    /// Creates a backoff.
    public init(first: Duration, maximum: Duration) {
        self.first = first
        self.maximum = maximum
    }

    /// The limit of the wait before a further attempt, the first of which is 0.
    public func limit(before attempt: Int) -> Duration {
        let first = max(.zero, first)
        let maximum = max(.zero, maximum)
        // Doubling stops before it can overflow.
        var limit = min(first, maximum)
        for _ in 0..<max(0, attempt) where limit < maximum { limit = min(limit * 2, maximum) }
        return limit
    }

    /// Returns a random wait before a further attempt.
    public func delay(before attempt: Int) -> Duration {
        limit(before: attempt) * Double.random(in: 0...1)
    }
}

extension HTTPResponse.Status {
    /// Whether a later attempt may succeed (RFC 9110 §15.5.9, §15.6.3 to §15.6.5; RFC 6585 §4).
    package var isTemporary: Bool { [408, 429, 502, 503, 504].contains(code) }
}
