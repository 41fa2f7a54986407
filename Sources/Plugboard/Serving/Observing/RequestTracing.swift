import HTTPSyntax
import HTTPServer
import HTTPTypes
import PlugHTTP
import TraceContext
import Tracing

/// Trace propagation and spans for a server's requests.
struct RequestTracing: Sendable {
    /// Whether requests get spans.
    var makesSpans: Bool { propagation.tracer != nil }

    /// Whether all requests need a context: the tracer or another instrument may read any field.
    var followsAll: Bool { makesSpans || propagation.readsAllFields }

    private let propagation: Propagation
    /// The configuration's own tracer, which each task needs as its task-local tracer.
    private let scoped: (any Tracer)?
    /// The actions' path templates by route number.
    private let routes: [Int: String]

    /// Uses a tracer; with nil, the process's current tracer.
    init(_ tracer: (any Tracer)?, _ actions: [ExposedAction]) {
        propagation = tracer.map(Propagation.init) ?? .current
        scoped = tracer
        var routes: [Int: String] = [:]
        for action in actions where action.number >= RequestSubject.Route.actions {
            guard case .success(let route) = action.actionRoute else { continue }
            routes[action.number] = route.template.description
        }
        self.routes = routes
    }

    /// Returns a request's context: the trace in its head, and its request ID.
    func context(of head: RequestHead) -> ServiceContext {
        var context = ServiceContext.current ?? .topLevel
        let fields = HTTPFields(head) { line in
            propagation.readsAllFields || line.name.equals(lowercase: "traceparent")
                || line.name.equals(lowercase: "tracestate")
        }
        propagation.extract(fields, into: &context)
        if let id = head.field("x-request-id").flatMap(RequestIdentity.usable) {
            context.request = RequestIdentity(requestID: id)
        }
        return context
    }

    /// Returns a context's position in its trace.
    func position(of context: ServiceContext) -> TraceParent? { propagation.position(of: context) }

    /// Runs `operation` in the request's trace context.
    func within<Result>(_ context: ServiceContext, _ operation: () -> Result) -> Result {
        guard let scoped else { return ServiceContext.withValue(context, operation: operation) }
        return withTracer(scoped) { ServiceContext.withValue(context, operation: operation) }
    }

    /// Wraps a request's work so that it and its body's stream run in the request's trace context.
    func within(_ context: ServiceContext, _ work: @escaping Reply.Work) -> Reply.Work {
        { [scoped] in
            var response: Response
            if let scoped {
                response = await withTracer(scoped) {
                    await ServiceContext.withValue(context) { await work() }
                }
            } else {
                response = await ServiceContext.withValue(context) { await work() }
            }
            if case .stream(let stream) = response.body {
                response.body = .stream(Self.within(context, scoped, stream))
            }
            return response
        }
    }

    private static func within(
        _ context: ServiceContext,
        _ scoped: (any Tracer)?,
        _ stream: ResponseStream
    ) -> ResponseStream {
        ResponseStream(heartbeat: stream.heartbeat, goesOn: stream.goesOn) {
            guard let scoped else {
                return try await ServiceContext.withValue(context) { try await stream.next() }
            }
            return try await withTracer(scoped) {
                try await ServiceContext.withValue(context) { try await stream.next() }
            }
        }
    }

    // MARK: Spans

    /// Starts the span of a request for an action; returns nil without a tracer or an action.
    ///
    /// Name and attributes follow OpenTelemetry's conventions for HTTP servers. The query is left
    /// out, because it may contain tokens.
    func begin(
        _ request: borrowing Request,
        at start: some TracerInstant,
        in context: ServiceContext
    ) -> (any Span)? {
        guard let tracer = propagation.tracer, let template = routes[request.subject.route] else {
            return nil
        }
        let head = request.head
        let method = head.method.name.description
        let span: any Span = tracer.startSpan(
            "\(method) \(template)",
            context: context,
            ofKind: .server,
            at: start
        )
        guard span.isRecording else { return span }
        var attributes: SpanAttributes = [
            "http.request.method": .string(method),
            "http.route": .string(template),
            "network.protocol.version": .string(head.version),
            "url.path": .string(TokenMask.masked(head.rawPath.shortTarget.text)),
            "url.scheme": .string(head.scheme.name.description),
        ]
        let host = Authority.host(of: head.authority)
        if !host.isEmpty { attributes["server.address"] = host.text }
        if let port = Authority.port(of: head.authority) { attributes["server.port"] = port }
        if let address = request.peer.address {
            attributes["client.address"] = address.description
        }
        if let agent = head.field("user-agent") {
            attributes["user_agent.original"] = TokenMask.masked(agent.told.text)
        }
        span.attributes = attributes
        return span
    }

    /// Ends a request's span; `status` is nil if the client disconnected before the response.
    static func end(_ span: any Span, _ status: UInt16?) {
        if let status, span.isRecording {
            span.attributes["http.response.status_code"] = Int(status)
            // A 4xx is the client's error, not the span's (OpenTelemetry, HTTP spans).
            if status >= 500 {
                span.attributes["error.type"] = String(status)
                span.setStatus(SpanStatus(code: .error))
            }
        }
        span.end()
    }
}
