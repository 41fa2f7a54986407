import HTTPServer
import HTTPSyntax
import PlugHTTP

/// A request that wants to be the one that is done for its key.
struct IdempotencyClaim: Sendable {
    let key: IdempotencyKey
    /// What its repetitions have in common with it.
    let fingerprint: [UInt8]
    /// The address that it comes from, where nobody asked who sends it; empty for a known caller.
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

    /// The origins whose keys are counted, in the order in which they are locked: all of the caller's,
    /// and of whom nobody knows those of the address, too.
    var origins: [String] { origin.isEmpty ? [""] : ["", origin] }
}

extension Request {
    /// The address that a request comes from, an IPv6 /64 being one.
    fileprivate var origin: String {
        switch addressKey {
        case .address(let address): "\(address)"
        // Those on a Unix socket are one.
        case .caller, .nobody: "-"
        }
    }
}

/// How many keys are kept, of each caller for an action.
struct IdempotencyRoom: Sendable {
    /// The most of a known caller.
    var greatest = 1_048_576
    /// The most of those whom nobody asked who they are, together.
    ///
    /// One of their addresses may have an eighth of what is free: alone it gets 16,384, and however
    /// many keys a few of them take, there is room for those who come then.
    var greatestOfUnknown = 147_456

    private static let share = 8

    /// Whether it is too much when so many are kept, of all origins and of the claim's own.
    func isExceeded(by counts: [Int], _ claim: IdempotencyClaim) -> IdempotencyStanding.Room? {
        guard claim.key.caller.isEmpty else { return counts[0] > greatest ? .own : nil }
        guard counts[0] <= greatestOfUnknown else { return .all }
        let free = greatestOfUnknown - counts[0] + 1
        return counts.last.map { $0 > max(1, free / Self.share) } ?? false ? .own : nil
    }
}
