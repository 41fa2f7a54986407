import CoreMetrics
import Foundation
import Logging
import MetricsTestKit
import Plug
import PlugHTTP
@testable import Plugboard
import TestLog
import Testing

@Suite("The page of metrics")
struct ServerMetricsTests {
    @Test("it is Prometheus text, or OpenMetrics if preferred; other paths are not found")
    func formats() async throws {
        try await serving(operated(Server())) { site in
            let open = ("Accept", "application/openmetrics-text")
            let page = try await site.operations("/metrics", open)
            #expect(page.status == 200)
            #expect(
                page.mediaType == "application/openmetrics-text; version=1.0.0; charset=utf-8"
            )
            #expect(page["Cache-Control"] == "no-store")
            #expect(page.text.hasSuffix("# EOF\n"))
            #expect(page.text.contains("plugboard_build_info{version=\"\(Server.version)\"} 1\n"))
            let plain = try await site.operations("/metrics", ("Accept", "*/*"))
            #expect(plain.mediaType == "text/plain; version=0.0.4; charset=utf-8")
            #expect(!plain.text.contains("# EOF"))
            for path in ["/metrics", "/healthz", "/readyz"] {
                let unmet = try await site.operations(path, ("If-Match", "\"x\""))
                #expect(unmet.status == 412, "\(path)")
                let known = try await site.operations(path, ("If-None-Match", "*"))
                #expect(known.status == 304 && known.body.isEmpty, "\(path)")
            }
            #expect(try await site.operations("/").status == 404)
            #expect(try await site.operations("/healthz").status == 200)
            #expect(try await site.get("/metrics").status == 404)
        }
    }

    @Test("it allows only GET and HEAD; other methods are rejected as on the main port")
    func methods() async throws {
        try await serving(operated(Server())) { site in
            for (method, status) in [
                ("POST", 405), ("PUT", 405), ("DELETE", 405), ("OPTIONS", 204), ("TRACE", 405),
                ("PROPFIND", 405), ("BREW", 501),
            ] {
                let site = Site(running: site.running, port: try site.operationsPort)
                for body in [nil, "body"] where method != "TRACE" || body == nil {
                    let answer = try await site.send(method, "/metrics", body: body)
                    #expect(Int(answer.status) == status, "\(method)")
                    let allowed = status == 501 ? nil : "GET, HEAD, OPTIONS"
                    #expect(answer["Allow"] == allowed, "\(method)")
                }
            }
        }
    }

    @Test("requests are counted by method, route template and status")
    func requests() async throws {
        Echo.self <~ { input in
            guard input.word != "bad" else { throw Problem.notFound("no such word") }
            guard input.word != "worse" else { throw Broken() }
            return input.word
        }
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "a")
        let path = try folder.write("behaviors.json", "[]")
        let server = Server(
            behaviors: .file(path),
            configuration: .init(publicFolder: folder.path),
            logger: Journal().logger
        ) { Echo.self }
        try await serving(operated(server)) { site in
            for word in ["one", "two", "bad", "worse"] {
                _ = try await site.get("/words/\(word)")
            }
            for target in ["/behaviors.json", "/behaviors.json?x=1", "/a.txt", "/secret-1"] {
                _ = try await site.get(target)
            }
            for method in ["BREW", "PROPFIND"] { _ = try await site.send(method, "/a.txt") }
            _ = try await site.send("DELETE", "/words/one")
            func count(_ method: String, _ route: String, _ status: Int) async throws -> Double? {
                let labels = "method=\"\(method)\",route=\"\(route)\",status=\"\(status)\""
                return try await site.metric(
                    "http_server_request_duration_seconds_count{\(labels)}"
                )
            }
            #expect(try await count("GET", "/words/{word}", 200) == 2)
            #expect(try await count("GET", "/words/{word}", 404) == 1)
            #expect(try await count("GET", "/words/{word}", 500) == 1)
            #expect(try await count("GET", "/behaviors.json", 200) == 2)
            #expect(try await count("GET", "/{file}", 200) == 1)
            #expect(try await count("GET", "", 404) == 1)
            #expect(try await count("_OTHER", "", 501) == 1)
            #expect(try await count("_OTHER", "/{file}", 405) == 1)
            #expect(try await count("DELETE", "", 405) == 1)
            #expect(
                try await site.metric(
                    "plugboard_action_calls_total{action=\"Echo\",outcome=\"ok\"}"
                )
                    == 2
            )
            for outcome in ["rejected", "failed"] {
                let labels = "action=\"Echo\",outcome=\"\(outcome)\""
                #expect(try await site.metric("plugboard_action_calls_total{\(labels)}") == 1)
            }
            let page = try await site.operations("/metrics").text
            #expect(!page.contains("secret-1"))
            #expect(!page.contains("BREW"))
        }
    }

    @Test("a backend of swift-metrics gets the same metrics, also at the server's end")
    func forwarded() async throws {
        let backend = TestMetrics()
        try await serving(operated(Server())) { site in
            let metrics = site.running.parts.metrics
            let task = Task { await metrics.forward(to: backend, every: .seconds(3600)) }
            for _ in 0..<3 { _ = try await site.get("/nothing") }
            task.cancel()
            await task.value
        }
        let labels = [("method", "GET"), ("route", ""), ("status", "404")]
        let count = try backend.expectCounter("http_server_request_duration_seconds_count", labels)
        #expect(count.totalValue == 3)
        #expect(try backend.expectCounter("http_server_accepted_connections").totalValue == 3)
        #expect(try backend.expectMeter("http_server_active_requests").lastValue == 0)
    }

    @Test("the page has the application's metrics, and the server's own only once")
    func once() async throws {
        Counter(label: "http_server_accepted_connections", factory: Server.metrics).increment()
        let sum = "http_server_request_duration_seconds_sum"
        Counter(label: sum, factory: Server.metrics).increment()
        Counter(label: "tests_of_the_page", factory: Server.metrics).increment(by: 7)
        try await serving(operated(Server())) { site in
            let page = try await site.operations("/metrics").text
            #expect(
                page.components(separatedBy: "# TYPE http_server_accepted_connections_total ").count
                    == 2
            )
            #expect(!page.contains(sum + "_total"))
            #expect(try await site.metric("tests_of_the_page_total") == 7)
        }
    }

    @Test("protocol errors are counted by their status")
    func refused() async throws {
        try await serving(operated(Server())) { site in
            _ = try await exchange("GET /\r\n\r\n", port: site.port)
            #expect(
                try await site.metric("http_server_rejected_requests_total{status=\"400\"}") == 1
            )
        }
    }

    @Test("connections, bytes and loop turns are counted")
    func connections() async throws {
        var server = operated(Server())
        // Of several any may take a connection.
        server.configuration.loops = 1
        try await serving(server) { site in
            for _ in 0..<3 { _ = try await site.get("/healthz") }
            #expect(try await site.metric("http_server_accepted_connections_total") == 3)
            #expect(try await site.metric("http_server_rejected_connections_total") == 0)
            #expect(try await site.metric("http_server_active_connections") == 0)
            #expect(try await site.metric("http_server_active_requests") == 0)
            let received = try await site.metric("http_server_received_bytes_total") ?? 0
            let sent = try await site.metric("http_server_sent_bytes_total") ?? 0
            let turns = try await site.metric("plugboard_loop_turns_total{loop=\"0\"}") ?? 0
            let cpu = try await site.metric("plugboard_loop_cpu_seconds_total{loop=\"0\"}") ?? 0
            #expect(received > 100)
            #expect(sent > received)
            // Who comes back before a turn ends is served within it.
            #expect(turns > 0)
            #expect(cpu > 0)
        }
    }

    @Test("a waiting action is in flight, and counted when it ends")
    func inFlight() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        Wait.self <~ { () async in
            start.yield()
            for await _ in ended { break }
        }
        try await serving(operated(Server { Wait.self })) { (site: Site) async throws -> Void in
            let answer = Task { try await site.send("POST", "/actions/Wait").status }
            for await _ in started { break }
            #expect(try await site.metric("http_server_active_requests") == 1)
            end.yield()
            let status = try await answer.value
            #expect(status == 204)
            #expect(try await site.metric("http_server_active_requests") == 0)
            let labels = #"{action="Wait",outcome="ok"}"#
            #expect(try await site.metric("plugboard_action_calls_total\(labels)") == 1)
        }
    }

    @Test("a port in use is an error if it was chosen, else a warning")
    func taken() async throws {
        try await serving(operated(Server())) { site in
            let port = try site.operationsPort
            let journal = Journal()
            var server = Server(logger: journal.logger)
            server.configuration.port = 0
            server.configuration.operations = .init()
            server.configuration.operations?.port = port
            #expect(startFails(server))
            server.configuration.operations?.isOptional = true
            try await serving(server) { other in
                let health = try await other.get("/healthz")
                #expect(health.status == 200)
            }
            #expect(
                journal.lines.contains {
                    $0.hasPrefix("warning: the operations port is closed: can't listen")
                }
            )
        }
    }

    private func startFails(_ server: Server) -> Bool {
        do {
            _ = try server.start()
            return false
        } catch {
            return error is StartError
        }
    }
}

private struct Broken: Error {}

private class Echo: Action<Echo.Input, String>, GET {
    struct Input: Codable, Sendable { var word: String }
    static var path: String { "/words/{word}" }
}

private class Wait: Action<Void, Void> {}
