import HTTPSyntax
import HTTPServer
import HTTPTypes
import Logging
import TraceContext

/// What is kept of a request for its line in the access log, until it is known whether there is one.
///
/// Bytes, of which texts are made for a line that is written: where one of many is, the others pay
/// for a copy.
struct LoggedRequest: Sendable {
    /// The method, the target, the user agent and the request ID, one behind another.
    private var bytes: [UInt8] = []
    /// Where each of them ends; nil for one that isn't there.
    private var ends: (method: Int, target: Int, agent: Int?, id: Int?)?
    private var version = ""
    /// The client's address; nil if it has none.
    private let peer: PeerAddress?
    /// Where it stands in its trace.
    private var position: TraceParent?

    /// A request whose head could not be read.
    init(from peer: Peer) {
        self.peer = peer.address
    }

    /// A request; where it stands in its trace is asked of its head unless that is known better.
    init(_ head: RequestHead, from peer: Peer, _ position: TraceParent? = nil) {
        self.init(from: peer)
        bytes.reserveCapacity(128)
        let method = add(head.methodName.told)
        let target = add(head.rawPath.toldTarget)
        let agent = head.field("user-agent").map { add($0.told) }
        let id = head.field("x-request-id").flatMap {
            RequestIdentity.isUsable($0) ? add($0) : nil
        }
        ends = (method, target, agent, id)
        version = head.version
        self.position =
            position ?? (head.isKnownElsewhere ? TraceFields(HTTPFields(head))?.parent : nil)
    }

    private mutating func add(_ text: ByteSpan) -> Int {
        bytes += text
        return bytes.count
    }

    /// What a line says of it.
    var metadata: Logger.Metadata {
        var entry: Logger.Metadata = [:]
        if let peer { entry["peer"] = .string(peer.description) }
        guard let ends else { return entry }
        entry["method"] = text(0, ends.method)
        entry["target"] = text(ends.method, ends.target)
        entry["protocol"] = .string("HTTP/" + version)
        if let end = ends.agent { entry["user_agent"] = text(ends.target, end) }
        if let end = ends.id { entry["request_id"] = text(ends.agent ?? ends.target, end) }
        entry.add(position)
        return entry
    }

    private func text(_ start: Int, _ end: Int) -> Logger.MetadataValue {
        .string(String(decoding: bytes[start..<end], as: UTF8.self))
    }
}

extension RequestHead {
    /// The version as it is spoken with the client: `1.1`, `2`.
    var version: String { majorVersion == 1 ? "1.\(minorVersion)" : "\(majorVersion)" }
}

extension ByteSpan {
    /// What logs and traces say of a text that a client sends, which may be as long as a head.
    var told: ByteSpan { slice(0, Swift.min(count, 256)) }

    /// What they say of a path.
    var toldTarget: ByteSpan { slice(0, Swift.min(count, 1024)) }
}
