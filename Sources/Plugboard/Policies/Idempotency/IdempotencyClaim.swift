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
    var origins: [String] { Self.origins(of: origin) }

    /// Returns the counted origins of a stored key.
    static func origins(of origin: String) -> [String] { origin.isEmpty ? [""] : ["", origin] }
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
