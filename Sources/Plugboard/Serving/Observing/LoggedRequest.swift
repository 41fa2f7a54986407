import HTTPSyntax
import HTTPServer
import HTTPTypes
import Logging
import TraceContext

/// The parts of a request for its access log line, stored until the server decides whether to log
/// it.
///
/// They are stored as bytes, and become strings only if the line is logged. With sampling the other
/// requests cost only a copy.
struct LoggedRequest: Sendable {
    /// The method, the target, the user agent and the request ID, concatenated.
    private var bytes: [UInt8] = []
    /// The end of each part; nil for a missing part.
    private var ends: (method: Int, target: Int, agent: Int?, id: Int?)?
    private var version = ""
    /// The client's address; nil if it has none.
    private let peer: IPAddress?
    /// The request's position in its trace.
    private var position: TraceParent?

    /// A request whose head could not be read.
    init(from peer: Peer) {
        self.peer = peer.address
    }

    /// A request; without a given position, its position in its trace is read from its head.
    init(_ head: RequestHead, from peer: Peer, _ position: TraceParent? = nil) {
        self.init(from: peer)
        bytes.reserveCapacity(128)
        let method = add(head.methodName.told)
        let target = add(head.rawPath.shortTarget)
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
        TokenMask.append(text, to: &bytes)
        return bytes.count
    }

    /// The log line's metadata.
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
    /// The client's HTTP version: `1.1`, `2`.
    var version: String { majorVersion == 1 ? "1.\(minorVersion)" : "\(majorVersion)" }
}

extension ByteSpan {
    /// The text shortened for logs and traces: a client may send one as long as a head.
    var told: ByteSpan { slice(0, Swift.min(count, 256)) }

    /// The path shortened for logs and traces.
    var shortTarget: ByteSpan { slice(0, Swift.min(count, 1024)) }
}
