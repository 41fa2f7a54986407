import HTTPServer
import HTTPSyntax
import PlugHTTP

/// A request that claims its key.
struct IdempotencyClaim: Sendable {
    let key: IdempotencyKey
    /// The request's digest, which its retries share.
    let fingerprint: [UInt8]
    /// The request's address if the action has no callers; empty for a known caller.
    var origin = ""

    init(_ key: IdempotencyKey, _ fingerprint: [UInt8], origin: String = "") {
        self.key = key
        self.fingerprint = fingerprint
        self.origin = origin
    }

    init(
        _ key: IdempotencyKey,
        of request: borrowing Request,
        _ body: ByteSpan,
        for action: ExposedAction
    ) {
        self.init(
            key,
            request.fingerprint(body, for: action),
            origin: key.caller.isEmpty ? request.origin : ""
        )
    }

    /// The origins whose keys are counted, in the order of their locks.
    ///
    /// All keys of the caller are counted; without a caller, also those of the address.
    var origins: [String] { origin.isEmpty ? [""] : ["", origin] }
}

extension Request {
    /// The address of a request; an IPv6 /64 counts as one address.
    fileprivate var origin: String {
        switch addressKey {
        case .address(let address): "\(address)"
        // All clients on a Unix socket count as one.
        case .caller, .nobody: "-"
        }
    }
}

/// The limits on stored keys, per caller and action.
struct IdempotencyLimits: Sendable {
    /// The limit for a known caller.
    var greatest = 1_048_576
    /// The limit for all unknown callers together.
    ///
    /// One address may use an eighth of the free keys: alone it gets 16,384. So a few addresses
    /// always leave free keys for others.
    var maximumOfUnknown = 147_456

    private static let share = 8

    /// Returns the exceeded limit for counts of stored keys: of all origins, then of the claim's
    /// own.
    func isExceeded(by counts: [Int], _ claim: IdempotencyClaim) -> IdempotencyKeyState.Room? {
        guard claim.key.caller.isEmpty else { return counts[0] > greatest ? .own : nil }
        guard counts[0] <= maximumOfUnknown else { return .all }
        let free = maximumOfUnknown - counts[0] + 1
        return counts.last.map { $0 > max(1, free / Self.share) } ?? false ? .own : nil
    }
}
