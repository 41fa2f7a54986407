import HTTPServer
import HTTPSyntax
import Logging
import Synchronization

/// Logs one line per request through swift-log.
///
/// Queries are left out, since they may contain tokens.
final class AccessLogWriter: Sendable {
    private let logger: Logger
    private let every: Int
    private let seen = Atomic<Int>(0)

    /// Logs one of `every` requests.
    init(_ logger: Logger, every: Int) {
        self.logger = logger
        self.every = max(1, every)
    }

    /// Whether a request is logged: one of `every`, and all with a status of 500 or more; never a
    /// probe.
    func wants(_ route: Int, _ status: UInt16) -> Bool {
        guard !RequestSubject.Route.isProbe(route) else { return false }
        return status >= 500 || every == 1
            || seen.wrappingAdd(1, ordering: .relaxed).oldValue % every == 0
    }

    func write(
        _ request: LoggedRequest,
        _ response: Response? = nil,
        status: UInt16? = nil,
        nanoseconds: Int? = nil,
        reason: StaticString? = nil
    ) {
        var entry = request.metadata
        // The response's ID takes precedence: the server makes one if the client sent none.
        if let id = response?.requestID { entry["request_id"] = .string(TokenMask.masked(id)) }
        entry["status"] = (status ?? response?.status).map { .stringConvertible(Int($0)) }
        entry["bytes"] = response?.length.map { .stringConvertible($0) }
        // Rounded up: no request takes no time.
        entry["duration_us"] = nanoseconds.map { .stringConvertible(($0 + 999) / 1000) }
        entry["reason"] = reason.map { .stringConvertible($0) }
        logger.info("request", metadata: entry)
    }
}

extension Response {
    /// The value of its `X-Request-ID`.
    fileprivate var requestID: String? {
        var id: String?
        fields.forEach { if $0.equals(lowercase: "x-request-id") { id = id ?? $1.text } }
        return id
    }

    /// The body's length in bytes; nil for a streamed body.
    fileprivate var length: Int? {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.range.count
        case .stream: nil
        }
    }
}
