import Glibc
import HTTPCodec
import HTTPServer
import HTTPTypes
public import Logging
import Synchronization
import TraceContext

/// A line for each request, through swift-log.
///
/// A query is left out: tokens travel in queries.
final class AccessLogWriter: Sendable {
    private let logger: Logger
    private let every: Int
    private let seen = Atomic<Int>(0)

    /// The most that is written of a text that a client sends, in bytes.
    private static let textLimit = 256

    init(_ settings: Server.AccessLog) {
        logger = settings.logger
        every = max(1, settings.every)
    }

    /// Whether a request's line is written: one of `every`, and all that failed here; none of a
    /// probe's.
    func wants(_ route: Int, _ status: UInt16) -> Bool {
        guard !RequestSubject.Route.isProbe(route) else { return false }
        return status >= 500 || every == 1
            || seen.wrappingAdd(1, ordering: .relaxed).oldValue % every == 0
    }

    /// What is known of a request at its beginning; where it stands in its trace is asked of its
    /// head unless that is known better.
    func entry(
        _ head: RequestHead,
        _ connection: CInt?,
        _ position: TraceParent? = nil
    ) -> Logger.Metadata {
        var entry = entry(connection)
        entry["method"] = .string(Self.text(head.methodName))
        entry["target"] = .string(Self.text(head.path, limit: 1024))
        entry["protocol"] = .string("HTTP/" + head.version)
        if let agent = head.field("user-agent") { entry["user_agent"] = .string(Self.text(agent)) }
        if let id = head.field("x-request-id").flatMap(RequestIdentity.usable) {
            entry["request_id"] = .string(id)
        }
        entry.add(position ?? (head.isKnownElsewhere ? TraceFields(HTTPFields(head))?.parent : nil))
        return entry
    }

    /// What is known of a request whose head could not be read.
    func entry(_ connection: CInt?) -> Logger.Metadata {
        connection.flatMap(Self.peer).map { ["peer": .string($0)] } ?? [:]
    }

    func write(
        _ entry: Logger.Metadata,
        _ response: Response? = nil,
        status: UInt16? = nil,
        nanoseconds: Int? = nil
    ) {
        var entry = entry
        entry["status"] = (status ?? response?.status).map { .stringConvertible(Int($0)) }
        entry["bytes"] = response?.length.map { .stringConvertible($0) }
        entry["duration_us"] = nanoseconds.map { .stringConvertible($0 / 1000) }
        logger.info("request", metadata: entry)
    }

    static func text(_ bytes: ByteSpan, limit: Int = textLimit) -> String {
        String(decoding: bytes.prefix(limit), as: UTF8.self)
    }

    /// The other end's address, without its port; nil if it has none.
    private static func peer(_ connection: CInt) -> String? {
        PeerAddress(of: connection)?.description
    }
}

extension RequestHead {
    /// The version as it is spoken with the client: `1.1`, `2`.
    var version: String { majorVersion == 1 ? "1.\(minorVersion)" : "\(majorVersion)" }
}

extension Response {
    /// The body's length in bytes; nil where it is made while it is sent.
    fileprivate var length: Int? {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.range.count
        case .stream: nil
        }
    }
}

extension Server {
    /// Which requests are logged, and where.
    public struct AccessLog: Sendable {
        /// Gets a line at level `info` for each request, whose parts are its metadata.
        public var logger: Logger
        /// One of so many requests is logged, and all that are answered with 500 or more.
        public var every: Int

        /// Logs one of so many requests.
        public init(logger: Logger = Logger(label: "plugboard.access"), every: Int = 1) {
            self.logger = logger
            self.every = every
        }
    }
}
