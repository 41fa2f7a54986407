import HTTPSyntax

/// A token bucket: a burst of operations, and a number per second after it.
package struct HTTP2Budget: Sendable {
    private let capacity: Int
    private let perSecond: Int
    private var tokens: Int
    private var updated = 0

    package init(capacity: Int, perSecond: Int) {
        self.capacity = capacity
        self.perSecond = perSecond
        tokens = capacity
    }

    /// Sets the start time, in monotonic milliseconds.
    mutating func start(now: Int) { updated = now }

    /// Removes a token; returns false if there is none.
    mutating func spend(now: Int) -> Bool {
        if tokens > 0 {
            tokens -= 1
            return true
        }
        let earned = (now - updated) * perSecond / 1000
        guard earned > 0 else { return false }
        updated = now
        tokens = min(capacity, earned) - 1
        return true
    }

    /// Adds tokens for the client's useful work.
    mutating func earn(_ count: Int) { tokens = min(capacity, tokens + count) }
}
