import Glibc
import HTTPSyntax
import HTTPServer
public import Logging
import Synchronization
import Telemetry

/// A line for each request, through swift-log.
///
/// A query is left out: tokens travel in queries.
final class AccessLogWriter: Sendable {
    private let logger: Logger
    private let every: Int
    private let seen = Atomic<Int>(0)

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

    func write(
        _ request: LoggedRequest,
        _ response: Response? = nil,
        status: UInt16? = nil,
        nanoseconds: Int? = nil
    ) {
        var entry = request.metadata
        // What the client was told: the server's own where it had sent none.
        if let id = response?.requestID { entry["request_id"] = .string(id) }
        entry["status"] = (status ?? response?.status).map { .stringConvertible(Int($0)) }
        entry["bytes"] = response?.length.map { .stringConvertible($0) }
        entry["duration_us"] = nanoseconds.map { .stringConvertible($0 / 1000) }
        logger.info("request", metadata: entry)
    }
}

extension Response {
    /// What it says in `X-Request-ID`.
    fileprivate var requestID: String? {
        var id: String?
        fields.forEach { if $0.equals(lowercase: "x-request-id") { id = id ?? $1.text } }
        return id
    }

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
        /// Where the lines wait to be written; nil where that is the logger's own affair.
        private var sink: LogSink?

        /// Logs one of so many requests.
        public init(logger: Logger = Logger(label: "plugboard.access"), every: Int = 1) {
            self.logger = logger
            self.every = every
        }

        /// Writes a line of JSON for one of so many requests to standard output.
        ///
        /// A reader that is slow holds up nothing: up to a MiB waits, and what goes beyond is dropped
        /// and counted.
        ///
        /// - Throws: what keeps the thread that writes from being made.
        public static func jsonLines(every: Int = 1) throws -> AccessLog {
            let sink = try LogSink(STDOUT_FILENO)
            let logger = Logger(label: "plugboard.access") { JSONLogHandler(label: $0, sink: sink) }
            var log = AccessLog(logger: logger, every: every)
            log.sink = sink
            return log
        }

        /// Waits for what has been logged, up to a second.
        func flush() { sink?.flush() }
    }
}
