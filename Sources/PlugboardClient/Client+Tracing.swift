import HTTPSyntax
import HTTPTypes
import TraceContext
import Tracing

extension Client {
    /// Sends a request as part of the current task's trace, if there is one.
    ///
    /// With a tracer in the process (swift-distributed-tracing) the request gets a span, and the
    /// tracer's fields are sent along. Without one, the trace context of the server's own request
    /// is forwarded unchanged (W3C Trace Context, processing model in forwarding mode).
    /// `template` is the path's template, if known: `/photos/{id}`. The span ends with `send`, so
    /// that of a stream ends after the response's head.
    func traced<Body: Sendable>(
        _ request: HTTPRequest,
        to base: BaseURL,
        _ template: String?,
        _ send: (HTTPRequest) async throws -> (HTTPResponse, Body)
    ) async throws -> (HTTPResponse, Body) {
        let propagation = Propagation.current
        var request = request
        guard let tracer = propagation.tracer else {
            if let context = ServiceContext.current {
                propagation.inject(context, into: &request.headerFields)
            }
            return try await send(request)
        }
        let method = request.method.rawValue
        let span: any Span = tracer.startSpan(
            template.map { "\(method) \($0)" } ?? method,
            ofKind: .client
        )
        defer { span.end() }
        span.attributes = Self.attributes(of: request, to: base, template: template)
        propagation.inject(span.context, into: &request.headerFields)
        do {
            let (response, received) = try await ServiceContext.withValue(span.context) {
                [request] in
                try await send(request)
            }
            let status = response.status.code
            span.attributes["http.response.status_code"] = Int(status)
            if status >= 400 { Self.fail(span, String(status)) }
            return (response, received)
        } catch {
            span.recordMaskedError(error)
            Self.fail(span, String(reflecting: type(of: error)))
            throw error
        }
    }

    /// Returns OpenTelemetry's attributes of an HTTP client's request.
    ///
    /// They exclude the query, which may contain secrets, and mask tokens in the path.
    private static func attributes(
        of request: HTTPRequest,
        to base: BaseURL,
        template: String?
    ) -> SpanAttributes {
        let path = request.path.map { TokenMask.masked(String($0.prefix { $0 != "?" })) } ?? "/"
        var attributes: SpanAttributes = [
            "http.request.method": .string(request.method.rawValue),
            "server.address": .string(base.authority.host),
            "server.port": .int64(Int64(base.authority.port)),
            "url.full": .string("\(base.scheme)://\(base.authority.text)\(path)"),
        ]
        if let template { attributes["url.template"] = template }
        return attributes
    }

    private static func fail(_ span: any Span, _ type: String) {
        span.attributes["error.type"] = type
        span.setStatus(SpanStatus(code: .error))
    }
}
