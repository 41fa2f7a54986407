import HTTPCodec
import HTTPServer
import Identity
import JSONCodec
import Logging
import PlugHTTP

/// A request as an ``ActionPolicy`` sees it, during the call that answers it.
struct PolicedRequest {
    let action: ExposedAction
    let head: RequestHead
    let body: ByteSpan
    /// The values in its path.
    var members: [TextMember] = []
    /// The loop that it came to, if that is known.
    let loop: (any ServingLoop)?
    let logger: Logger

    /// What its repetitions have in common: the target and the body.
    var fingerprint: [UInt8] {
        var bytes = Array(head.path)
        bytes.append(0x3F)
        if let query = head.query { bytes += query }
        bytes.append(0x0A)
        bytes += body
        return bytes.withUnsafeBufferPointer(Digest.sha256)
    }

    /// Whom a limit counts.
    func key(of caller: Caller?) -> RateLimiter.Key {
        if let caller { return .caller(caller.id) }
        guard let connection = loop?.counters.serving, let address = PeerAddress(of: connection)
        else { return .nobody }
        return .address(address.customer)
    }
}
