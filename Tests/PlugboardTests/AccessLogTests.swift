import Locking
import Logging
import Plug
import PlugHTTP
import Plugboard
import TestLog
import Testing

@Suite("The access log")
struct AccessLogTests {
    /// The metadata of the lines that requests leave.
    private func lines(
        every: Int = 1,
        middleware: [Middleware] = [],
        _ body: (Site) async throws -> Void
    ) async throws -> [[String: String]] {
        Greet.self <~ { name in
            guard name.who != "nobody" else { throw Nobody() }
            return "Hello"
        }
        let lines = Lines()
        var server = Server(middleware: middleware, logger: Journal().logger) { Greet.self }
        server.configuration.accessLog = .init(
            logger: Logger(label: "access") { _ in LinesHandler(lines: lines) },
            every: every
        )
        try await serving(server, body)
        return lines.all
    }

    @Test("a line has the request, its address and the response, without the query")
    func line() async throws {
        let lines = try await self.lines { site in
            _ = try await site.get(
                "/greet/ada?token=hunter2",
                ("User-Agent", "probe/1"),
                ("X-Request-ID", "r-1"),
                ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            )
        }
        let line = try #require(lines.first)
        #expect(line["method"] == "GET")
        #expect(line["target"] == "/greet/ada")
        #expect(line["protocol"] == "HTTP/1.1")
        #expect(line["status"] == "200")
        #expect(line["bytes"] == "7")
        #expect(line["peer"] == "127.0.0.1")
        #expect(line["user_agent"] == "probe/1")
        #expect(line["request_id"] == "r-1")
        #expect(line["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(line["duration_us"].flatMap { Int($0) } != nil)
        #expect(!lines.description.contains("hunter2"))
    }

    @Test("a token in a path or user agent is logged without its secret, also percent-encoded")
    func tokens() async throws {
        let secret = String(repeating: "0123456789abcdef", count: 4)
        let token = "plug_2381c0a93b6d_\(secret)"
        let lines = try await self.lines { site in
            for path in [
                "/tokens/\(token)", "/a/x\(token)", "/\(token)/b",
                "/plug%5F2381c0a93b6d%5f\(secret)",
                "/%70lug_2381c0a93b6d_%30\(secret)", "/\(token.uppercased())", "/\(token)\(token)",
                "/" + String(repeating: "a", count: 980) + token,
            ] {
                _ = try await site.get(path, ("User-Agent", "probe \(token)"))
            }
        }
        #expect(lines.first?["target"] == "/tokens/plug_2381c0a93b6d_***")
        #expect(lines.first?["user_agent"] == "probe plug_2381c0a93b6d_***")
        #expect(lines.count == 8)
        for line in lines { #expect(!line.description.lowercased().contains("0123456789abc")) }
    }

    @Test(
        "only the header of a JSON Web Token is logged (RFC 7519), also percent-encoded",
        arguments: [
            "/x/TOKEN", "/TOKEN/y", "/eyJ/TOKEN", "/a.eyJx/TOKEN", "/xTOKEN", "/TOKEN,TOKEN",
            "/%65yJhbGciOiJIUzI1NiJ9%2EeyJzdWIiOiJhZGEifQ%2esecret-_secret",
            "/eyJhbGciOiJIUzI1NiJ9..iv.secret.secret", "/eyJhbGciOiJub25lIn0.secret.",
            "/" + String(repeating: "a", count: 990) + "TOKEN",
        ]
    )
    func webTokens(path: String) async throws {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.secret-_secret"
        let lines = try await self.lines(middleware: [.requestID]) { site in
            _ = try await site.get(
                path.replacing("TOKEN", with: token),
                ("User-Agent", "probe \(token)"),
                ("X-Request-ID", token)
            )
        }
        let line = try #require(lines.first)
        #expect(line["user_agent"] == "probe eyJhbGciOiJIUzI1NiJ9.***")
        #expect(line["request_id"] == "eyJhbGciOiJIUzI1NiJ9.***")
        #expect(!line.description.contains("secret") && !line.description.contains("eyJzd"))
    }

    @Test(
        "a path without a secret is logged unchanged",
        arguments: [
            "/plug_2381c0a93b6d", "/plug_2381c0a93b6d_", "/plug_2381c0a93b6d_%", "/plug_x_abc",
            "/%", "/%7", "/plugs", "/p%C3%A9", "/eyJ", "/eyJx/a.b.c", "/keys/EYJA.b.c", "/a.eyJx/y",
            "/e.y.J",
        ]
    )
    func harmless(path: String) async throws {
        let lines = try await self.lines { site in _ = try await site.get(path) }
        // A path that isn't valid has no line with its text.
        #expect(lines.first?["target"] ?? path == path)
    }

    @Test("a request ID made by the server is logged")
    func madeID() async throws {
        let told = Locked<String?>(nil)
        let lines = try await lines(middleware: [.requestID]) { site in
            let answer = try await site.get("/greet/ada")
            told.withLock { $0 = answer["X-Request-ID"] }
        }
        let id = try #require(told.withLock { $0 })
        #expect(lines.first?["request_id"] == id)
    }

    @Test("a long path and a long user agent are truncated")
    func bounds() async throws {
        let lines = try await lines { site in
            let long = String(repeating: "a", count: 3000)
            _ = try await site.get("/" + long, ("User-Agent", long))
        }
        #expect(lines.first?["target"]?.utf8.count == 1024)
        #expect(lines.first?["user_agent"]?.utf8.count == 256)
    }

    @Test("a protocol error is logged; an invalid traceparent isn't")
    func refused() async throws {
        let lines = try await lines { site in
            _ = try await exchange("GET /\r\n\r\n", port: site.port)
            _ = try await site.get("/nothing", ("traceparent", "00-0-0-01"))
        }
        #expect(lines.map { $0["status"] } == ["400", "404"])
        #expect(lines[0]["peer"] == "127.0.0.1")
        #expect(lines[1]["trace_id"] == nil)
    }

    @Test("probes aren't logged")
    func probes() async throws {
        let lines = try await lines { site in
            _ = try await site.get("/healthz")
            _ = try await site.get("/readyz")
        }
        #expect(lines.isEmpty)
    }

    @Test("with sampling all failed requests are still logged")
    func sampled() async throws {
        let lines = try await lines(every: 3) { site in
            for _ in 0..<6 { _ = try await site.get("/greet/ada") }
            for _ in 0..<2 { _ = try await site.get("/greet/nobody") }
        }
        #expect(lines.map { $0["status"] } == ["200", "200", "500", "500"])
    }
}

private struct Nobody: Error {}

private class Greet: Action<Greet.Name, String>, GET, IgnoresUnknownMembers {
    struct Name: Codable, Sendable { var who: String }
    static var path: String { "/greet/{who}" }
}

private final class Lines: Sendable {
    private let kept = Locked<[[String: String]]>([])
    var all: [[String: String]] { kept.withLock { $0 } }
    func add(_ line: [String: String]) { kept.withLock { $0.append(line) } }
}

private struct LinesHandler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.trace

    init(lines: Lines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add((event.metadata ?? [:]).mapValues(\.description))
    }
}
