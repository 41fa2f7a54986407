/// The number of an origin's stored keys, and the size of their responses.
struct StoredKeys: Sendable {
    var count: Int
    /// The bytes of the responses' fields and bodies.
    var bytes: Int

    /// Keeps values of an edited database in a range without overflows.
    init(count: Int, bytes: Int) {
        (self.count, self.bytes) = (Self.limited(count), Self.limited(bytes))
    }

    private static func limited(_ number: Int) -> Int { min(max(0, number), .max / 4) }
}

/// The limits on stored keys and responses, per caller and action.
struct IdempotencyLimits: Sendable {
    /// The limit on keys of a known caller.
    var greatest = 1_048_576
    /// The limit on keys of all unknown callers together.
    ///
    /// One address may use an eighth of the free keys: alone it gets 16,384. So a few addresses
    /// always leave free keys for others.
    var maximumOfUnknown = 147_456
    /// The limit on bytes of a known caller's responses, and of all unknown callers' together.
    ///
    /// One address may use an eighth of the free bytes, or one response.
    var maximumBytes = 256 * 1024 * 1024

    private static let share = 8

    /// Returns the limit that a new key exceeds; nil if it exceeds none.
    ///
    /// `stored` has the keys of all origins, then of the claim's own; their counts include the new
    /// key. The largest response must fit, too: a request whose response isn't stored can't be
    /// repeated safely.
    func isExceeded(
        by stored: [StoredKeys],
        _ claim: IdempotencyClaim
    ) -> IdempotencyKeyState.Room? {
        let size = StoredResponse.greatest
        let isFull = stored[0].bytes + size > maximumBytes
        guard claim.key.caller.isEmpty else {
            return isFull || stored[0].count > greatest ? .own : nil
        }
        guard !isFull, stored[0].count <= maximumOfUnknown else { return .all }
        guard hasRoom(for: size, beside: stored) else { return .own }
        let free = maximumOfUnknown - stored[0].count + 1
        return stored.last.map { $0.count > max(1, free / Self.share) } ?? false ? .own : nil
    }

    /// Whether a response fits beside the other ones: of all origins, then of the key's own.
    func hasRoom(for size: Int, beside stored: [StoredKeys]) -> Bool {
        guard stored[0].bytes + size <= maximumBytes else { return false }
        guard stored.count > 1, let own = stored.last else { return true }
        let free = maximumBytes - stored[0].bytes
        return own.bytes + size <= max(StoredResponse.greatest, free / Self.share)
    }
}
