import Logging
import Plug
import PlugHTTP
import Telemetry
import TestLog
import Testing

@testable import Plugboard

@Suite("Durations of requests on the metrics page")
struct ServerMetricsRequestsTests {
    /// The sums and the counts of all series of the durations, by their labels.
    private func durations(
        _ site: Site
    ) async throws -> (sums: [Substring: Double], counts: [Substring: Double]) {
        let page = try await site.operations("/metrics").text
        func values(_ suffix: String) -> [Substring: Double] {
            let prefix = "http_server_request_duration_seconds" + suffix + "{"
            let lines = page.split(separator: "\n").filter { $0.hasPrefix(prefix) }
            return Dictionary(
                uniqueKeysWithValues: lines.compactMap { line in
                    guard let end = line.lastIndex(of: " "),
                        let value = Double(line[line.index(after: end)...])
                    else { return nil }
                    return (line[..<end].dropFirst(prefix.utf8.count), value)
                }
            )
        }
        return (values("_sum"), values("_count"))
    }

    @Test("every counted request has a duration: documents, files, errors and rejected heads")
    func all() async throws {
        Fast.self <~ { "fast" }
        Upload.self <~ { body in
            for try await _ in body {}
        }
        let (folder, data) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write("a.txt", "a")
        var server = Server(
            behaviors: .file(try folder.write("behaviors.json", "[]")),
            configuration: .init(publicFolder: folder.path),
            logger: Journal().logger
        ) {
            Fast.self
            Upload.self
        }
        server.configuration.dataFolder = data.path
        try await serving(operated(server)) { site in
            let clock = ContinuousClock()
            let elapsed = try await clock.measure {
                let tag = try await site.get("/behaviors.json")["ETag"] ?? ""
                let known = try await site.get("/behaviors.json", ("If-None-Match", tag))
                #expect(known.status == 304)
                for target in [
                    "/behaviors.json?x=1", "/behaviors/other.json", "/a.txt", "/missing",
                    "/fast", "/fast?x=1", "/healthz",
                ] { _ = try await site.get(target) }
                for (method, target) in [
                    ("HEAD", "/behaviors.json"), ("OPTIONS", "/fast"), ("PUT", "/fast"),
                    ("POST", "/behaviors.json"), ("BREW", "/fast"), ("POST", "/missing"),
                ] { _ = try await site.send(method, target) }
                // Rejected by its head, before the body arrives.
                let rejected = try await exchange(
                    "POST /a.txt HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 90\r\nConnection: close\r\n\r\n",
                    port: site.port
                )
                #expect(try Answer(rejected).status == 405)
                let chunks = [String(repeating: "x", count: 200), "y"]
                _ = try await site.send("POST", "/upload", fields: [], chunks: chunks)
                _ = try await site.send("POST", "/nowhere", fields: [], chunks: ["x"])
            }
            let (sums, counts) = try await durations(site)
            #expect(counts.count >= 12)
            for (labels, count) in counts {
                let sum = try #require(sums[labels])
                // No request takes less than 10 ns; a sum in another unit would exceed the time.
                #expect(sum > 1e-8 * count, "\(labels)")
                #expect(sum < elapsed / .seconds(1), "\(labels)")
            }
        }
    }

    @Test("a sum has nanoseconds, and its text loses none of them")
    func exact() {
        let counters = RequestCounters()
        let key = RequestCounters.Key(route: 20, method: 0, status: 200, isCall: false)
        for _ in 0..<3 { counters.count(key, nanoseconds: 1_501) }
        let total = counters.totals()[0].total
        #expect(total.nanoseconds == 4_503)
        #expect(total.distribution.sum == 4.503e-6)
        #expect(total.counts[0] == 3)
    }

    @Test("the wait for an authenticator is part of a request's duration")
    func waiting() async throws {
        WhoAmI.self <~ { "\($0.caller.id)" }
        let pause = Duration.milliseconds(30)
        var server = Server(logger: Journal().logger) { WhoAmI.self }
        server.authenticators = [
            Authenticator(.cookie("session")) { _ in
                try await Task.sleep(for: pause)
                return Caller(id: "ada", name: "ada", scopes: [])
            }
        ]
        try await serving(operated(server)) { site in
            let answer = try await site.get("/who", ("Cookie", "session=1"))
            #expect(answer.status == 200)
            let (sums, _) = try await durations(site)
            let sum = sums.first { $0.key.contains("/who") }?.value ?? 0
            #expect(sum >= pause / .seconds(1))
        }
    }
}

private class Fast: Action<Void, String>, GET { static var path: String { "/fast" } }

private class Upload: Action<RequestBody, Void>, POST {
    static var path: String { "/upload" }
}

private class WhoAmI: Action<WhoAmI.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller }
    static var path: String { "/who" }
}
