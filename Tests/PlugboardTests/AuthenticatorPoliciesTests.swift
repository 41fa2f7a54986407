import JSONCodec
import Locking
import Plug
import PlugHTTP
import Storage
import TestLog
import Testing

@testable import Plugboard

private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Post: Action<Post.Input, String>, POST, Scoped, RateLimited {
    struct Input: Codable, Sendable {
        var text: String
        var caller: Caller
    }
    static var path: String { "/post" }
    static var scopes: Scopes { ["photos:read"] }
    static var rateLimit: RateLimit { .perHour(3) }
}
@Suite("Policies of callers that authenticators identify")
struct AuthenticatorPoliciesTests {
    private let folder: TemporaryFolder
    private let sessions = Sessions()
    private let journal = Journal()

    init() throws {
        folder = try TemporaryFolder()
        WhoAmI.self <~ { Caller.current?.id ?? "-" }
        Post.self <~ { "\($0.text) by \($0.caller.name)" }
    }

    private func server(_ middleware: [Middleware] = []) -> Server {
        var server = Server(
            middleware: middleware,
            authenticators: [.apiKeys, sessions.cookies],
            logger: journal.logger
        ) {
            WhoAmI.self
            Post.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        return server
    }

    // MARK: Rate limits

    @Test("limits count each caller alone")
    func limits() async throws {
        try await serving(server()) { site in
            func post(_ field: (String, String)) async throws -> Int {
                try await site.post("/post", #"{"text":"x"}"#, [field]).status
            }
            for status in [200, 200, 200, 429] {
                let answered = try await post(cookie("s1"))
                #expect(answered == status)
            }
            let other = try await post(apiKey("k1"))
            #expect(other == 200)
        }
    }

    @Test("rejected credentials count against their address, not against a known caller")
    func guesses() async throws {
        try await serving(server()) { site in
            func post(_ field: (String, String)) async throws -> Int {
                try await site.post("/post", #"{"text":"x"}"#, [field]).status
            }
            for status in [401, 401, 401, 429] {
                let answered = try await post(apiKey("wrong"))
                #expect(answered == status)
            }
            let known = try await post(cookie("s1"))
            #expect(known == 200)
            // The session is looked up after the body, so the head alone has no caller.
            let body = #"{"text":"x"}"#
            let late = try Answer(
                await exchange(
                    head: "POST /post HTTP/1.1\r\nHost: localhost\r\nCookie: session=s1\r\n"
                        + "Content-Type: application/json\r\nConnection: close\r\n"
                        + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n",
                    pause: {},
                    body: body,
                    port: site.port
                )
            )
            #expect(late.status == 200)
        }
    }

    // MARK: Batches and middleware

    @Test("a batch's items have the caller, and middleware sees it")
    func batch() async throws {
        let seen = Locked<[String?]>([])
        let watch = Middleware { request, next in
            seen.withLock { $0.append(request.caller?.id) }
            return try await next()
        }
        try await serving(server([watch])) { site in
            let batch = #"[{"action":"WhoAmI"},{"action":"Post","input":{"text":"a"}}]"#
            let answer = try await site.post("/actions", batch, [cookie("s1")])
            let items = try JSON.decode([Batch.Answer].self, from: answer.body)
            #expect(items.map(\.body) == ["u1", "a by ada"])
            _ = try await site.get("/who", cookie("s1"))
            #expect(seen.withLock { $0.last } == "u1")
        }
    }

    @Test("a batch's items are limited for their caller, and each is authorized")
    func batchLimits() async throws {
        let post = #"{"action":"Post","input":{"text":"a"}}"#
        func statuses(_ site: Site, _ field: (String, String)) async throws -> [Int] {
            let batch = "[\([post, post, post, post].joined(separator: ","))]"
            let answer = try await site.post("/actions", batch, [field])
            return try JSON.decode([Batch.Answer].self, from: answer.body).map(\.status)
        }
        try await serving(server()) { site in
            for field in [cookie("s1"), apiKey("k1")] {
                let answered = try await statuses(site, field)
                #expect(answered == [200, 200, 200, 429])
            }
            let forbidden = try await statuses(site, cookie("s2"))
            #expect(forbidden == [403, 403, 403, 429], "a rejection counts for the address")
        }
    }

    // MARK: Audit

    @Test("the audit's rows have the caller and the address")
    func audit() async throws {
        var server = server()
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            let made = try await site.post(
                "/tokens",
                #"{"scopes":["photos:read"],"name":"new"}"#,
                [cookie("root")]
            )
            #expect(made.status == 201)
            let batch =
                #"[{"action":"CreateToken","input":{"scopes":["photos:read"],"name":"second"}}]"#
            let second = try await site.post("/actions", batch, [cookie("root")])
            #expect(second.text.contains(#""status":201"#))
            let answer = try await site.get("/audit?after=0&log=administration", cookie("root"))
            let rows = try JSON.decode([AuditReport].self, from: answer.body)
            #expect(rows.map(\.change) == ["create token", "create token"])
            for row in rows {
                #expect(row.author == "root-1" && row.authorName == "root")
                #expect(row.address?.hasPrefix("127.0.0.1") == true)
            }
        }
    }
}
