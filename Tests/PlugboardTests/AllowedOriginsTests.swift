import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Read: Action<Void, String>, GET { static var path: String { "/read" } }
private class Change: Action<Void, String>, POST { static var path: String { "/change" } }
private class Erase: Action<Void, Void>, DELETE { static var path: String { "/change" } }

@Suite("Requests from pages of other origins", .serialized)
struct AllowedOriginsTests {
    private func site(origins: [String] = [], _ body: (Site) async throws -> Void) async throws {
        Read.self <~ { "read" }
        Change.self <~ { "changed" }
        Erase.self <~ {}
        var server = Server {
            Read.self
            Change.self
            Erase.self
        }
        server.configuration.allowedOrigins = origins
        try await serving(server, body)
    }

    private func change(_ site: Site, _ fields: [(String, String)]) async throws -> Answer {
        try await site.send("POST", "/change", fields: fields)
    }

    @Test("Sec-Fetch-Site: the server's own pages and the user are allowed (Fetch Metadata §2.3)")
    func fetchSite() async throws {
        try await site { site in
            for value in ["same-origin", "none"] {
                let answer = try await change(site, [("Sec-Fetch-Site", value)])
                #expect(answer.status == 200, "\(value)")
            }
            for value in ["same-site", "cross-site", "", "unknown", "same-origin, none", "NONE"] {
                let answer = try await change(site, [("Sec-Fetch-Site", value)])
                #expect(answer.status == 403, "\(value)")
                #expect(answer.mediaType == "application/problem+json")
                #expect(answer.text.contains("configuration.allowedOrigins"))
                #expect(!answer.text.contains("--"))
            }
        }
    }

    @Test("without it, Origin must have the server's scheme, host and port (RFC 6454 §5)")
    func origin() async throws {
        try await site { site in
            for own in ["http://localhost", "http://LOCALHOST", "http://localhost:80"] {
                let answer = try await change(site, [("Origin", own)])
                #expect(answer.status == 200, "\(own)")
            }
            for other in [
                "https://localhost", "http://localhost:81", "http://localhost.evil.example",
                "http://evil.example", "null", "", "localhost", "http://", "http://localhost/",
                "http://evil.example@localhost", "ftp://localhost",
            ] {
                let answer = try await change(site, [("Origin", other)])
                #expect(answer.status == 403, "\(other)")
            }
        }
    }

    @Test("a repeated field is rejected, since a proxy may read either value")
    func repeated() async throws {
        try await site { site in
            for field in [("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")] {
                let answer = try await change(site, [field, field])
                #expect(answer.status == 403)
            }
        }
    }

    @Test("a request with neither field isn't from a browser, and is allowed")
    func noBrowser() async throws {
        try await site { site in
            let answer = try await change(site, [])
            #expect(answer.status == 200)
        }
    }

    @Test("safe methods are allowed, since browsers hide their responses (RFC 9110 §9.2.1)")
    func safe() async throws {
        try await site { site in
            let fields = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
            for method in ["GET", "HEAD", "OPTIONS"] {
                let answer = try await site.send(method, "/read", fields: fields)
                #expect(answer.status < 300, "\(method)")
            }
            let erased = try await site.send("DELETE", "/change", fields: fields)
            #expect(erased.status == 403)
        }
    }

    @Test("only listed origins are allowed")
    func listed() async throws {
        try await site(origins: ["https://App.example:443", "http://b.example:8080"]) { site in
            let cross = ("Sec-Fetch-Site", "cross-site")
            for origin in ["https://app.example", "http://b.example:8080"] {
                let answer = try await change(site, [("Origin", origin), cross])
                #expect(answer.status == 200)
                let plain = try await change(site, [("Origin", origin)])
                #expect(plain.status == 200)
            }
            for origin in ["http://app.example", "https://app.example.evil", "http://b.example"] {
                let answer = try await change(site, [("Origin", origin), cross])
                #expect(answer.status == 403)
            }
        }
        try await site(origins: ["*"]) { site in
            let answer = try await change(site, [("Sec-Fetch-Site", "cross-site")])
            #expect(answer.status == 200)
        }
    }

    @Test(
        "an origin that no browser sends is invalid",
        arguments: [
            "app.example", "https://", "https://a/", "https://*.example", "ftp://a", "https://a:b",
            "null", "",
        ]
    )
    func invalid(origin: String) {
        #expect(AllowedOrigins.problems(["https://a", "*", origin]).count == 1)
        #expect(!AllowedOrigins([origin]).contains(origin))
    }
}
