import HTTPSyntax
import HTTPTypes
public import Logging
import TraceContext
import Tracing

/// The identifiers of the current request: its ID and its span.
struct RequestIdentity: Sendable {
    /// The ID from the client or a ``Middleware``.
    var requestID: String?
    /// The server's span of the request.
    var span: (any Span)?

    /// Returns the ID if it is usable: 1 to 128 visible ASCII characters.
    static func usable(_ id: some Collection<UInt8>) -> String? {
        isUsable(id) ? String(decoding: id, as: UTF8.self) : nil
    }

    static func isUsable(_ id: some Collection<UInt8>) -> Bool {
        (1...128).contains(id.count) && id.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension ServiceContext {
    /// The current request's identifiers.
    var request: RequestIdentity? {
        get { self[RequestKey.self] }
        set { self[RequestKey.self] = newValue }
    }

    /// Runs `operation` with a request ID in its context.
    static func withRequestID<Result>(
        _ id: String,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        var context = current ?? .topLevel
        context.request = context.request ?? RequestIdentity()
        context.request?.requestID = id
        return try await withValue(context, operation: operation)
    }
}

private enum RequestKey: ServiceContextKey {
    typealias Value = RequestIdentity
    static var nameOverride: String? { "request" }
}

extension Logger.MetadataProvider {
    /// Adds `trace_id`, `span_id` and `request_id` of the current task's request to log lines.
    ///
    /// The IDs are those that an outgoing call would propagate. With a tracer they belong to the
    /// innermost span, without one to the caller's span.
    /// ```swift
    /// LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .request)
    /// ```
    public static var request: Logger.MetadataProvider {
        Logger.MetadataProvider { ServiceContext.current?.logMetadata ?? [:] }
    }
}

extension ServiceContext {
    /// The log metadata of the current request.
    var logMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        metadata.add(Propagation.current.position(of: self))
        if let id = request?.requestID { metadata["request_id"] = .string(TokenMask.masked(id)) }
        return metadata
    }
}

extension Logger.Metadata {
    mutating func add(_ position: TraceParent?) {
        guard let position else { return }
        self["trace_id"] = .string(position.traceID)
        self["span_id"] = .string(position.parentID)
    }
}

extension HTTPFields {
    /// Copies a head's fields, without those whose names are invalid.
    init(_ head: RequestHead, where isWanted: (FieldLine) -> Bool = { _ in true }) {
        self.init()
        for line in head.fields where isWanted(line) {
            guard let name = HTTPField.Name(line.name.text) else { continue }
            append(HTTPField(name: name, value: line.value.text))
        }
    }
}
