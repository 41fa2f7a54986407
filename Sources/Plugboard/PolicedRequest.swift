import HTTPSyntax
import HTTPServer
import Identity
import JSONCodec
import Logging
import PlugHTTP

/// A request as an ``ActionPolicy`` sees it, during the call that answers it: one of its own, or a
/// batch's as far as it is about one of its items.
struct PolicedRequest {
    let action: ExposedAction
    let head: RequestHead
    let body: ByteSpan
    /// The values in its path.
    var members: [TextMember] = []
    /// The item's place in its batch; nil for a request of its own.
    var place: Int?
    /// The loop that it came to, if that is known.
    let loop: (any ServingLoop)?
    let logger: Logger

    /// How the action is asked for: an item has its action's method.
    var method: Method { place == nil ? head.method : action.method }

    /// What its repetitions have in common: the target, what else makes the input, and the body.
    ///
    /// What is no body's and no target's stands behind a byte that no target has.
    var fingerprint: [UInt8] {
        var bytes = Array(head.path)
        bytes.append(0x3F)
        if let query = head.query { bytes += query }
        if place == nil {
            if let type = head.field("content-type"), MediaType.isForm(type) {
                bytes += [0x00, 0x66]
            }
            for member in action.fields?.members(of: head) ?? [] where member.origin == .field {
                bytes.append(0x00)
                for text in [member.name, member.text] {
                    bytes += "\(text.utf8.count):\(text)".utf8
                }
            }
        }
        bytes.append(0x0A)
        bytes += body
        return bytes.withUnsafeBufferPointer(Digest.sha256)
    }

    /// A digest of what it shows of who has sent it, whether anybody has looked at that or not: its
    /// `Authorization` and its connection's certificate; nil where it shows nothing.
    var credentials: [UInt8]? {
        let name: StaticString = "authorization"
        let shown = head.fields.filter { $0.name.equals(lowercase: name) }.map(\.value)
        let certificate = loop?.clientCertificate?.details.fingerprint
        guard !shown.isEmpty || certificate != nil else { return nil }
        var bytes = Array((certificate ?? "").utf8)
        for value in shown { bytes += [0x0A] + value }
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
