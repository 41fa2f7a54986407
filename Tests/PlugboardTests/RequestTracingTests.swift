import HTTPTypes
import Locking
import Logging
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Synchronization
import TestLog
import Testing
import Tracing

private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
private let caller = "00f067aa0ba902b7"
private let parent = "00-\(trace)-\(caller)-01"

private class Greet: Action<Greet.Name, String>, GET, IgnoresUnknownMembers {
    struct Name: Codable, Sendable { var who: String }
    static var path: String { "/greet/{who}" }
}
private class Count: Action<Count.Text, Int>, POST {
    struct Text: Codable, Sendable { var text: String }
    static var path: String { "/count" }
}
private class Relay: Action<Greet.Name, String>, GET {
    static var path: String { "/relay/{who}" }
}
private class Drain: Action<RequestBody, Int>, PUT {
    static var path: String { "/drain" }
}
private class Tell: Action<Void, ResponseBody>, GET {
    static var path: String { "/tell" }
}
private struct Broken: Error {}

@Suite("Spans of requests (OpenTelemetry, HTTP spans)", .serialized)
struct RequestTracingTests {
    /// A server of these actions, and the journal of its log.
    private func site(
        _ tracer: TestTracer?,
        middleware: [Middleware] = [],
        _ body: (Site, Journal) async throws -> Void
    ) async throws {
        Greet.self <~ { name in
            guard name.who != "nobody" else { throw Broken() }
            return TestTracer.identity(ServiceContext.current).map { "\($0.traceID) \($0.spanID)" }
                ?? "untraced"
        }
        Relay.self <~ { $0.who }
        Count.self <~ { (text: Count.Text) async throws -> Int in
            if text.text == "nobody" { throw Broken() }
            return await withSpan("inner") { _ in
                await Task.yield()
                return text.text.utf8.count
            }
        }
        Drain.self <~ { body in
            var count = 0
            for try await piece in body { count += piece.count }
            return count
        }
        Tell.self <~ {
            let first = Atomic(true)
            return ResponseBody(mediaType: "text/plain") {
                guard first.exchange(false, ordering: .relaxed) else { return nil }
                return Array("traced: \(ServiceContext.current != nil)".utf8)
            }
        }
        let journal = Journal()
        let folder = try TemporaryFolder()
        try folder.write("behaviors.json", "[]")
        try folder.write("page.txt", "a page")
        var server = Server(
            behaviors: .file(folder.path + "/behaviors.json"),
            middleware: middleware,
            logger: journal.logger
        ) {
            Greet.self
            Count.self
            Relay.self
            Drain.self
            Tell.self
        }
        server.configuration.publicFolder = folder.path
        server.configuration.allowedHosts = ["*"]
        server.configuration.tracer = tracer
        try await serving(server) { site in try await body(site, journal) }
    }

    @Test("a span has the request's target and status, without the query")
    func attributes() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            let answer = try await site.get("/greet/ada?token=hunter2", ("User-Agent", "probe/1"))
            #expect(answer.status == 200)
            #expect(tracer.spans.count == 1)
            let span = try #require(tracer.spans.first)
            #expect(span.operationName == "GET /greet/{who}")
            #expect(span.kind == .server)
            var seen: [String: String] = [:]
            span.attributes.forEach { seen[$0] = "\($1)" }
            let expected: SpanAttributes = [
                "http.request.method": "GET",
                "http.route": "/greet/{who}",
                "http.response.status_code": 200,
                "url.path": "/greet/ada",
                "url.scheme": "http",
                "network.protocol.version": "1.1",
                "server.address": "localhost",
                "client.address": "127.0.0.1",
                "user_agent.original": "probe/1",
            ]
            #expect(span.attributes == expected, "\(seen)")
            #expect(!"\(seen)".contains("hunter2"))
            #expect(span.status == nil)
            // The action ran within it.
            #expect(answer.text == "\"\(span.identity.traceID) \(span.identity.spanID)\"")
        }
    }

    @Test("a span has no secret of a token")
    func secrets() async throws {
        let tracer = TestTracer()
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.secret"
        try await site(tracer) { site, _ in
            _ = try await site.get("/greet/\(token)", ("User-Agent", "probe \(token)"))
        }
        let span = try #require(tracer.spans.first)
        var seen: [String: String] = [:]
        span.attributes.forEach { seen[$0] = "\($1)" }
        #expect(!"\(seen)".contains("secret"), "\(seen)")
    }

    @Test("server.port is set if the client's authority has one")
    func port() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            for host in ["a.example:8080", "[::1]:81", "b.example"] {
                _ = try await exchange(
                    "GET /greet/ada HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n",
                    port: site.port
                )
            }
            let places = tracer.spans.map { span in
                "\(span.attributes.get("server.address") as Any) \(span.attributes.get("server.port") as Any)"
            }
            #expect(places[0].contains("a.example") && places[0].contains("8080"))
            #expect(places[1].contains("\"::1\"") && places[1].contains("81"))
            #expect(places[2].contains("b.example") && places[2].contains("nil"))
        }
    }

    @Test("a span's parent is the caller's span, and tracestate is propagated")
    func parentSpan() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            _ = try await site.get(
                "/greet/ada",
                ("traceparent", parent),
                ("tracestate", "rojo=1,bad"),
                ("tracestate", "congo=2")
            )
            let span = try #require(tracer.spans.first)
            #expect(span.identity.traceID == trace)
            #expect(span.identity.parentID == caller)
            #expect(span.identity.state == "rojo=1,congo=2")
        }
    }

    @Test(
        "an invalid traceparent begins a trace, and tracestate is ignored (§3.3)",
        arguments: [
            [], ["00-\(trace)-\(caller)"], ["00-\(trace)-0000000000000000-01"], [parent, parent],
            [parent + "-more"], ["ff-\(trace)-\(caller)-01"], [parent.uppercased()],
        ]
    )
    func invalid(_ parents: [String]) async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            let fields = parents.map { ("traceparent", $0) } + [("tracestate", "rojo=1")]
            let answer = try await site.send("GET", "/greet/ada", fields: fields)
            #expect(answer.status == 200)
            let span = try #require(tracer.spans.first)
            #expect(span.identity.traceID != trace)
            #expect(span.identity.parentID == nil)
            #expect(span.identity.state == nil)
        }
    }

    @Test("an action's own span is a child of the request's span")
    func nested() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            let answer = try await site.post("/count", #"{"text":"abc"}"#)
            #expect(answer.text == "3")
            let spans = tracer.spans
            #expect(spans.map(\.operationName) == ["inner", "POST /count"])
            #expect(spans[0].identity.parentID == spans[1].identity.spanID)
            #expect(spans[0].identity.traceID == spans[1].identity.traceID)
        }
    }

    @Test("a failure sets the span's status and error, and logs the trace")
    func failure() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, journal in
            for (path, body) in [("/greet/nobody", nil), ("/count", #"{"text":"nobody"}"#)] {
                let method = body == nil ? "GET" : "POST"
                let fields = [
                    ("traceparent", parent), ("X-Request-ID", "r-1"),
                    ("Content-Type", "application/json"),
                ]
                let answer = try await site.send(method, path, fields: fields, body: body)
                #expect(answer.status == 500)
                let span = try #require(tracer.spans.last)
                #expect(span.status?.code == .error)
                #expect(span.errors == ["Broken()"])
                #expect(span.attributes.get("error.type") == .string("500"))
                let line = try #require(journal.lines.last)
                #expect(line.hasPrefix("error: "))
                #expect(
                    line.hasSuffix(
                        "request_id=r-1 span_id=\(span.identity.spanID) trace_id=\(trace)"
                    )
                )
            }
        }
    }

    @Test("a client error doesn't set the span's error")
    func refused() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            let answer = try await site.post("/count", #"{"text":5}"#)
            #expect(answer.status == 422)
            let span = try #require(tracer.spans.first)
            #expect(span.attributes.get("http.response.status_code") == .int64(422))
            #expect(span.status == nil)
            #expect(span.errors.isEmpty)
        }
    }

    @Test("streamed request and response bodies are within the span")
    func streams() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            let chunked = [("Transfer-Encoding", "chunked")]
            let count = try await site.send("PUT", "/drain", fields: chunked, chunks: ["ab", "c"])
            #expect(count.text == "3")
            let raw = try await exchange(
                "GET /tell HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                port: site.port
            )
            #expect(String(decoding: raw, as: UTF8.self).contains("traced: true"))
            #expect(tracer.spans.map(\.operationName) == ["PUT /drain", "GET /tell"])
        }
    }

    @Test("a request without an action has no span")
    func others() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            for path in ["/behaviors.json", "/page.txt", "/none", "/healthz", "/readyz"] {
                _ = try await site.get(path, ("traceparent", parent))
            }
            #expect(tracer.spans.isEmpty)
        }
    }

    @Test("requests through middleware have a span, also rejected ones")
    func middleware() async throws {
        let tracer = TestTracer()
        let closed = Middleware { request, next in
            guard request.path != "/count" else {
                return ServerResponse(Problem(status: .unauthorized))
            }
            return try await next()
        }
        try await site(tracer, middleware: [.requestID, closed]) { site, journal in
            let answer = try await site.get("/greet/ada", ("traceparent", parent))
            #expect(answer.status == 200)
            let refused = try await site.post("/count", #"{"text":"a"}"#)
            #expect(refused.status == 401)
            #expect(tracer.spans.map(\.operationName) == ["GET /greet/{who}", "POST /count"])
            #expect(tracer.spans[0].identity.traceID == trace)
            #expect(tracer.spans[1].attributes.get("http.response.status_code") == .int64(401))
            // A made-up request ID is that of the log's line.
            let failed = try await site.get("/greet/nobody")
            let id = try #require(failed["X-Request-ID"])
            #expect(journal.lines.last?.contains("request_id=\(id) ") == true)
        }
    }

    @Test("a chain of two servers is one trace: server, client, server")
    func chain() async throws {
        let tracer = TestTracer()
        try await site(tracer) { site, _ in
            let client = Client(site.url)
            Relay.self <~ { name in try await client.send(Greet.self, name) }
            _ = try await site.get("/relay/ada", ("traceparent", parent), ("tracestate", "rojo=1"))
            let spans = tracer.spans
            #expect(
                spans.map(\.operationName)
                    == ["GET /greet/{who}", "GET /greet/{who}", "GET /relay/{who}"]
            )
            #expect(spans.map(\.kind) == [.server, .client, .server])
            #expect(spans.allSatisfy { $0.identity.traceID == trace })
            #expect(spans.allSatisfy { $0.identity.state == "rojo=1" })
            #expect(spans[0].identity.parentID == spans[1].identity.spanID)
            #expect(spans[1].identity.parentID == spans[2].identity.spanID)
        }
    }

    // MARK: Without a tracer

    @Test("without a tracer the trace is propagated unchanged")
    func forwarded() async throws {
        try await site(nil) { site, _ in
            let upstream = CannedUpstream()
            let client = Client("http://upstream.example", transport: upstream)
            Relay.self <~ { name in try await client.send(Greet.self, name) }
            let fields = [("traceparent", parent), ("tracestate", "rojo=1 , congo=2")]
            let answer = try await site.send("GET", "/relay/ada", fields: fields)
            #expect(answer.status == 200)
            #expect(upstream.sent("traceparent") == [parent])
            #expect(upstream.sent("tracestate") == ["rojo=1,congo=2"])
        }
    }

    @Test("a request's context doesn't leak into the next one")
    func apart() async throws {
        try await site(nil) { site, _ in
            let upstream = CannedUpstream()
            let client = Client("http://upstream.example", transport: upstream)
            Relay.self <~ { name in try await client.send(Greet.self, name) }
            let get = "GET /relay/ada HTTP/1.1\r\nHost: localhost\r\n"
            _ = try await exchange(
                get + "traceparent: \(parent)\r\n\r\n" + get + "\r\n" + get
                    + "traceparent: \(parent)x\r\ntracestate: a=1\r\nConnection: close\r\n\r\n",
                port: site.port
            )
            #expect(upstream.sent("traceparent") == [parent, nil, nil])
            #expect(upstream.sent("tracestate") == [nil, nil, nil])
        }
    }

    @Test("without a tracer a failure is logged with the caller's span, synchronous or async")
    func failureWithout() async throws {
        try await site(nil) { site, journal in
            let fields = [("traceparent", parent), ("X-Request-ID", "r-1")]
            _ = try await site.send("GET", "/greet/nobody", fields: fields)
            _ = try await site.post("/count", #"{"text":"nobody"}"#, fields)
            let long = String(repeating: "x", count: 129)
            _ = try await site.get("/greet/nobody", ("X-Request-ID", long))
            let request = "request_id=r-1 span_id=\(caller) trace_id=\(trace)"
            #expect(
                journal.lines == [
                    "error: Greet failed: Broken() \(request)",
                    "error: Count failed: Broken() \(request)", "error: Greet failed: Broken()",
                ]
            )
        }
    }

    @Test("log lines have their request's IDs")
    func provider() async throws {
        let provider = Logger.MetadataProvider.request
        #expect(provider.get().isEmpty)
        try await site(nil) { site, _ in
            Relay.self <~ { _ in "\(provider.get().sorted { $0.key < $1.key }.map { "\($1)" })" }
            let answer = try await site.get(
                "/relay/ada",
                ("traceparent", parent),
                ("X-Request-ID", "r-1")
            )
            #expect(answer.text.contains("r-1"))
            #expect(answer.text.contains(trace))
            #expect(answer.text.contains(caller))
        }
    }
}

/// A server that answers "hello" to everybody, and keeps what it was asked.
private final class CannedUpstream: Transport {
    private let requests = Locked<[HTTPRequest]>([])

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        requests.withLock { $0.append(request) }
        return (HTTPResponse(status: .ok), Array(#""hello""#.utf8))
    }

    /// The field of each request.
    func sent(_ name: String) -> [String?] {
        requests.withLock { $0 }.map { request in
            HTTPField.Name(name).flatMap { request.headerFields[$0] }
        }
    }
}
