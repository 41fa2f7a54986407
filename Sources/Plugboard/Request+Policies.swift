import Digests
import HTTPServer
import HTTPSyntax
import Identity
import JSONCodec
import PlugHTTP

extension Request {
    /// The method by which an action is asked for: an item has its action's.
    func method(for action: ExposedAction) -> Method { item == nil ? head.method : action.method }

    /// A digest of what its repetitions have in common: the target, the fields that make the input,
    /// and the body.
    ///
    /// A byte that no target has comes before what is neither target nor body.
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

    /// A digest of its credentials, judged or not: its `Authorization` and its connection's
    /// certificate; nil where it shows nothing.
    var credentials: [UInt8]? {
        let name: StaticString = "authorization"
        let shown = head.fields.filter { $0.name.equals(lowercase: name) }.map(\.value)
        let certificate = peer.certificate?.details.fingerprint
        guard !shown.isEmpty || certificate != nil else { return nil }
        var bytes = Array((certificate ?? "").utf8)
        for value in shown { bytes += [0x0A] + value }
        return bytes.withUnsafeBufferPointer(Digest.sha256)
    }

    /// The key under which a limit counts it: its caller, or its address where no caller is known.
    var limitKey: RateLimiter.Key { caller.map { .caller($0.id) } ?? addressKey }

    /// The key of its address, an IPv6 /64 being one.
    var addressKey: RateLimiter.Key { peer.address.map { .address($0.customer) } ?? .nobody }
}
