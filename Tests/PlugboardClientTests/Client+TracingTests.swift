import HTTPTypes
import InMemoryTracing
import PlugHTTP
import PlugboardClient
import Testing
import Tracing

@Suite("Spans of a client's requests (OpenTelemetry, HTTP client spans)")
struct ClientTracingTests {
    private let tracer = InMemoryTracer()

    private func field(_ transport: CannedTransport, _ name: String) -> String? {
        HTTPField.Name(name).flatMap { transport.sent.first?.request.headerFields[$0] }
    }

    @Test("a span has the method and the template, and its context is in the request's fields")
    func span() async throws {
        let transport = CannedTransport(#"{"photo":42,"likes":7}"#)
        let client = Client("http://photos.example:81/api", transport: transport)
        try await withTracer(tracer) {
            try await tracer.withSpan("caller") { _ in
                _ = try await client.send(LikePhoto.self, .init(id: 42, user: "ada"))
            }
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["POST /photos/{id}/like", "caller"])
        let span = try #require(spans.first)
        #expect(span.kind == .client)
        #expect(span.parentSpanID == spans[1].spanID)
        #expect(field(transport, InMemoryTracer.traceIDKey) == spans[1].traceID)
        #expect(field(transport, InMemoryTracer.spanIDKey) == span.spanID)
        let expected: SpanAttributes = [
            "http.request.method": "POST",
            "http.response.status_code": 200,
            "server.address": "photos.example",
            "server.port": 81,
            "url.full": "http://photos.example:81/api/photos/42/like",
            "url.template": "/photos/{id}/like",
        ]
        #expect(span.attributes == expected)
        #expect(span.status == nil)
    }

    @Test("a request without a template is named by its method, and a span has no query")
    func untyped() async throws {
        let client = Client("http://photos.example", transport: CannedTransport("7"))
        let seven: Int = try await withTracer(tracer) { try await client.get("/n?token=hunter2") }
        #expect(seven == 7)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.operationName == "GET")
        #expect(span.attributes.get("url.full") == "http://photos.example/n")
    }

    @Test("an error response is an error of the span, too", arguments: [404, 500])
    func problem(code: Int) async throws {
        let status = HTTPResponse.Status(code: code)
        let client = Client("http://a", transport: CannedTransport(status, "text/plain", ""))
        await #expect(throws: Problem.self) {
            try await withTracer(tracer) { try await client.send(Ping.self) }
        }
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.status?.code == .error)
        #expect(span.attributes.get("error.type") == .string(String(code)))
        #expect(span.attributes.get("http.response.status_code") == .int64(Int64(code)))
    }

    @Test("a missing response is recorded as the span's error")
    func failure() async throws {
        let transport = CannedTransport { _ in throw ClientError(.unreachable, "refused") }
        let client = Client("http://a", transport: transport)
        await #expect(throws: ClientError.self) {
            try await withTracer(tracer) { try await client.send(Ping.self) }
        }
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.status?.code == .error)
        #expect(span.errors.count == 1)
        #expect(span.attributes.get("error.type") == .string("HTTPTransport.ClientError"))
    }

    @Test("spans contain no secrets of tokens")
    func secrets() async throws {
        let secret = String(repeating: "a", count: 64)
        let token = "plug_000000000000_" + secret
        let transport = CannedTransport { _ in throw ClientError(.unreachable, "no \(token)") }
        let client = Client("http://a", transport: transport)
        let error = await #expect(throws: ClientError.self) {
            try await withTracer(tracer) {
                let _: Int = try await client.get("/tokens/\(token)")
            }
        }
        // The caller gets the whole error.
        #expect(error.map { "\($0)".contains(secret) } == true)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.attributes.get("url.full") == "http://a/tokens/plug_000000000000_***")
        let recorded = try #require(span.errors.first)
        #expect("\(recorded.error)".contains("no plug_000000000000_***"))
        #expect(!"\(recorded) \(span.attributes)".contains(secret))
        #expect(!String(reflecting: recorded.error).contains(secret))
    }

    @Test("without a tracer and a trace no field is added")
    func nothing() async throws {
        let transport = CannedTransport(#""pong""#)
        _ = try await Client("http://a", transport: transport).send(Ping.self)
        let names = transport.sent.first?.request.headerFields.map(\.name.canonicalName)
        #expect(names == ["accept"])
    }
}
