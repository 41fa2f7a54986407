import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Read: Action<Void, String>, GET { static var path: String { "/read" } }
private class Change: Action<Change.Text, String>, POST {
    static var path: String { "/change" }
    struct Text: Codable, Sendable { var text: String? }
}
private class Take: Action<RequestBody, Int>, POST { static var path: String { "/take" } }

@Suite("The checks of a request's host and origin", .serialized)
struct RequestGateTests {
    private func site(
        hosts: [String] = [],
        _ body: (Site) async throws -> Void
    ) async throws {
        Read.self <~ { "read" }
        Change.self <~ { $0.text ?? "none" }
        Take.self <~ { body in
            var count = 0
            for try await piece in body { count += piece.count }
            return count
        }
        var server = Server {
            Read.self
            Change.self
            Take.self
        }
        server.configuration.allowedHosts = hosts
        server.configuration.operations = .init()
        server.configuration.operations?.port = 0
        try await serving(server, body)
    }

    @Test("a streamed body, and one that waits for 100 Continue, are rejected before they are read")
    func bodies() async throws {
        try await site { site in
            let fields = [("Sec-Fetch-Site", "cross-site"), ("Transfer-Encoding", "chunked")]
            #expect(
                try await site.send("POST", "/take", fields: fields, chunks: ["a"]).status == 403
            )
            let head =
                "POST /take HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n"
                + "Content-Length: 900000000\r\nExpect: 100-continue\r\n\r\n"
            let answer = try Answer(await exchange(head, port: site.port))
            #expect(answer.status == 403)
        }
    }

    @Test("the operations port has the same checks")
    func operations() async throws {
        try await site { site in
            let port = try site.operationsPort
            for (host, fields, status) in [
                ("localhost", "", 200), ("evil.example", "", 421), ("127.0.0.1:\(port)", "", 200),
            ] {
                let get =
                    "GET /metrics HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n"
                let answer = try await Answer(exchange(get, port: port))
                #expect(answer.status == status, "\(host)")
            }
            let post =
                "POST /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Origin: https://evil.example\r\nContent-Length: 0\r\n\r\n"
            let answer = try await Answer(exchange(post, port: port))
            #expect(answer.status == 403)
        }
    }

    @Test(
        "probes may have any host: orchestrators send an address",
        arguments: ["healthz", "readyz"]
    )
    func probes(path: String) async throws {
        try await site(hosts: ["app.example"]) { site in
            // The operations port serves addresses, so that its other paths are unknown only.
            for (port, other) in [(site.port, 421), (try site.operationsPort, 404)] {
                for (target, status) in [(path, 200), (path + "/x", other), ("", other)] {
                    let get =
                        "GET /\(target) HTTP/1.1\r\nHost: 10.0.0.9:9464\r\nConnection: close\r\n\r\n"
                    let answer = try await Answer(exchange(get, port: port))
                    #expect(answer.status == status, "/\(target)")
                }
            }
        }
    }

    @Test("a host that isn't allowed is a 421 with a remedy (RFC 9110 §15.5.20)")
    func hosts() async throws {
        try await site(hosts: ["app.example"]) { site in
            func status(_ host: String, _ line: String = "GET /read") async throws -> Answer {
                let head = "\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
                return try await Answer(exchange(head, port: site.port))
            }
            #expect(try await status("APP.example.:9").status == 200)
            #expect(try await status("localhost").status == 200)
            let rejected = try await status("evil.example:80")
            #expect(rejected.status == 421)
            #expect(rejected.text.contains("evil.example is not a host of this server"))
            #expect(rejected.text.contains("configuration.allowedHosts"))
            // An absolute target's authority replaces Host (RFC 9112 §3.2.2).
            let absolute = try await status("localhost", "GET http://evil.example/read")
            #expect(absolute.status == 421)
            let other = try await status("evil.example", "GET http://app.example/read")
            #expect(other.status == 200)
        }
    }

    @Test("an HTTP/1.0 request without Host isn't from a browser, and is allowed")
    func noHost() async throws {
        try await site { site in
            let answer = try await Answer(exchange("GET /read HTTP/1.0\r\n\r\n", port: site.port))
            #expect(answer.status == 200)
        }
    }

    @Test("an invalid host or origin is a start-up error")
    func invalid() throws {
        var server = Server { Read.self }
        server.configuration.allowedHosts = ["http://a"]
        server.configuration.allowedOrigins = ["app.example", "https://*.example", "https://a/"]
        let error = #expect(throws: StartError.self) { try server.start() }
        #expect(error?.problems.count { $0.contains(" is not a") } == 4, "\(error?.problems ?? [])")
    }

    @Test("a body of an action has to declare its type (RFC 9110 §8.3)")
    func types() async throws {
        try await site { site in
            #expect(try await site.send("POST", "/change", body: "{}").status == 415)
            #expect(try await site.send("POST", "/change", body: "").status == 200)
            #expect(try await site.send("POST", "/change").status == 200)
            let text = [("Content-Type", "text/plain")]
            #expect(try await site.send("POST", "/change", fields: text, body: "{}").status == 415)
            let form = [("Content-Type", "application/x-www-form-urlencoded")]
            let sent = try await site.send("POST", "/change", fields: form, body: "text=a")
            #expect(sent.text == "\"a\"")
            let chunked = [("Transfer-Encoding", "chunked")]
            let full = try await site.send("POST", "/change", fields: chunked, chunks: ["{}"])
            #expect(full.status == 415)
            let empty = try await site.send("POST", "/change", fields: chunked, chunks: [])
            #expect(empty.status == 200)
            let batch = #"[{"action":"Read"}]"#
            #expect(try await site.send("POST", "/actions", body: batch).status == 415)
            #expect(
                try await site.send("POST", "/actions", fields: form, body: "a=b").status == 415
            )
            #expect(try await site.post("/actions", batch).status == 200)
        }
    }
}
