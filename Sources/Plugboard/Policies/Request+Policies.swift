import Digests
import HTTPServer
import HTTPSyntax
import Identity
import JSONCodec
import PlugHTTP

extension Request {
    /// The method that applies to an action; for an item of a batch, the action's own.
    func method(for action: ExposedAction) -> Method { item == nil ? head.method : action.method }

    /// A SHA-256 digest of the target, the fields that are input, and the body.
    ///
    /// A retry has the same fingerprint. Each part after the target begins with a byte that no
    /// target contains.
    func fingerprint(_ body: ByteSpan, for action: ExposedAction) -> [UInt8] {
        var bytes = Array(head.path)
        bytes.append(0x3F)
        if let query = head.query { bytes += query }
        if item == nil {
            if let type = head.field("content-type"), MediaType(type).isForm {
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

    /// A digest of the request's `Authorization`, its client certificate and the values at the
    /// places of authenticators, verified or not.
    ///
    /// Nil if the request has none of them.
    func credentials(for authenticators: [Authenticator]) -> [UInt8]? {
        let name: StaticString = "authorization"
        let shown = head.fields.filter { $0.name.equals(lowercase: name) }.map(\.value)
        let certificate = peer.certificate?.details.fingerprint
        var bytes = Array((certificate ?? "").utf8)
        for value in shown { bytes += [0x0A] + value }
        for authenticator in authenticators {
            guard case .text(let value) = authenticator.place.find(in: head) else { continue }
            // No place and no value contains a line feed.
            bytes += [0x0A, 0x0A] + authenticator.place.words.utf8 + [0x0A] + value
        }
        return bytes.isEmpty ? nil : bytes.withUnsafeBufferPointer(Digest.sha256)
    }

    /// The key for rate limits: the caller, or the address if the caller is unknown.
    var limitKey: RateLimiter.Key { caller.map { .caller(ExactName(text: $0.id)) } ?? addressKey }

    /// The address as a key for rate limits; an IPv6 /64 counts as one address.
    var addressKey: RateLimiter.Key { peer.address.map { .address($0.customer) } ?? .nobody }
}
