import HTTPSyntax
import HTTPTypes
public import Logging
import TraceContext
import Tracing

/// By what a request in hand is known, here and elsewhere.
struct RequestIdentity: Sendable {
    /// The text that its client or a ``Middleware`` gave it.
    var requestID: String?
    /// The server's span of it.
    var span: (any Span)?

    /// A request ID that is usable: 1 to 128 visible characters of ASCII.
    static func usable(_ id: some Collection<UInt8>) -> String? {
        isUsable(id) ? String(decoding: id, as: UTF8.self) : nil
    }

    static func isUsable(_ id: some Collection<UInt8>) -> Bool {
        (1...128).contains(id.count) && id.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension ServiceContext {
    /// The request in hand.
    var request: RequestIdentity? {
        get { self[RequestKey.self] }
        set { self[RequestKey.self] = newValue }
    }

    /// Runs what belongs to a request of that ID.
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
    /// Adds to a log's lines which request they belong to: `trace_id`, `span_id` and `request_id`,
    /// as far as the current task's request has them.
    ///
    /// The IDs are those that a server which is called from here would be told: of the innermost
    /// span where there is a tracer, otherwise of the caller's.
    /// ```swift
    /// LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .request)
    /// ```
    public static var request: Logger.MetadataProvider {
        Logger.MetadataProvider { ServiceContext.current?.logMetadata ?? [:] }
    }
}

extension ServiceContext {
    /// What a log's line says of the request that it belongs to.
    var logMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        metadata.add(Propagation.current.position(of: self))
        if let id = request?.requestID { metadata["request_id"] = .string(id) }
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
    /// A head's fields; of those that make no sense, none.
    init(_ head: RequestHead, where isWanted: (FieldLine) -> Bool = { _ in true }) {
        self.init()
        for line in head.fields where isWanted(line) {
            guard let name = HTTPField.Name(line.name.text) else { continue }
            append(HTTPField(name: name, value: line.value.text))
        }
    }
}
