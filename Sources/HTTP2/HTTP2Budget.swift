import HTTPSyntax

/// A token bucket: what a client may do in a row, and how much more as time goes by.
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

    /// Starts counting time, in milliseconds that never step back.
    mutating func start(now: Int) { updated = now }

    /// Takes a token; false if there is none.
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

    /// Gives tokens back, for what the client let the server do.
    mutating func earn(_ count: Int) { tokens = min(capacity, tokens + count) }
}
