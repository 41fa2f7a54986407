import Foundation
import HTTPServer
import HTTPSyntax
import Identity
import JSONCodec
import Locking
import Plug
import PlugHTTP
import Storage
import TestCertificates
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
private class Upload: Action<RequestBody, Int>, POST, Scoped {
    static var path: String { "/upload" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Greet: Action<Greet.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/greet" }
}
private class Open: Action<Void, Bool>, GET { static var path: String { "/open" } }

/// The application's own store of sessions.
private actor Sessions {
    private var callers: [String: Caller] = [
        "s1": Caller(id: "u1", name: "ada", scopes: ["editor"]),
        "s2": Caller(id: "u2", name: "bob", scopes: ["other"]),
    ]
    private(set) var lookups = 0

    func caller(_ session: String) throws -> Caller? {
        lookups += 1
        // The error of a driver, which declares no response.
        if session == "down" { throw CocoaError(.fileReadUnknown) }
        return callers[session]
    }

    func end(_ session: String) { callers[session] = nil }
}

@Suite("Authenticators of the application")
struct AuthenticatorTests {
    private let folder: TemporaryFolder
    private let sessions = Sessions()
    private let journal = Journal()

    init() throws {
        folder = try TemporaryFolder()
        WhoAmI.self <~ { "\(Caller.current?.id ?? "-") \(Caller.current?.scopes.text ?? "-")" }
        Post.self <~ { "\($0.text) by \($0.caller.name)" }
        Upload.self <~ { body in
            var size = 0
            for try await piece in body { size += piece.count }
            return size
        }
        Greet.self <~ { $0.caller?.name ?? "nobody" }
        Open.self <~ { Caller.current == nil }
    }

    /// API keys in memory.
    private let apiKeys = Authenticator(.header("X-API-Key")) { key in
        switch key.text {
        case "k1": Caller(id: "key-1", name: "billing", scopes: ["photos:read"])
        case "other": nil
        case "empty": Caller(id: "")
        case "busy": throw Problem.tooManyRequests("slow down")
        case "down": throw Problem.serviceUnavailable("the keys are unavailable")
        default: throw Problem.unauthorized("the key is unknown")
        }
    }

    /// Sessions in a database.
    private var cookies: Authenticator {
        Authenticator(.cookie("session")) { [sessions] cookie in
            guard let caller = try await sessions.caller(cookie.text) else {
                throw Problem.unauthorized("the session has ended")
            }
            return caller
        }
    }

    private func server(
        _ authenticators: [Authenticator]? = nil,
        middleware: [Middleware] = []
    ) -> Server {
        var server = Server(
            middleware: middleware,
            authenticators: authenticators ?? [apiKeys, cookies],
            logger: journal.logger
        ) {
            WhoAmI.self
            Post.self
            Upload.self
            Greet.self
            Open.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        return server
    }

    private func challenges(_ answer: Answer) -> [String] {
        answer.fields.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value)
    }

    private let json = ("Content-Type", "application/json")

    // MARK: Accepting

    @Test("an API key identifies the caller, without a data folder")
    func key() async throws {
        try await serving(server()) { site in
            let who = try await site.get("/who", ("X-API-Key", "k1"))
            #expect(who.text == #""key-1 photos:read""#)
            let lower = try await site.get("/who", ("x-api-key", "k1"))
            #expect(lower.status == 200)
            let greeted = try await site.get("/greet", ("X-API-Key", "k1"))
            #expect(greeted.text == #""billing""#)
        }
    }

    @Test("a session in a database identifies the caller, with all scopes that its own imply")
    func session() async throws {
        try await serving(server()) { site in
            let cookie = ("Cookie", "theme=dark; session=s1; x=y")
            let who = try await site.get("/who", cookie)
            #expect(who.text == #""u1 editor photos:read""#)
            let posted = try await site.post("/post", #"{"text":"hi"}"#, [cookie])
            #expect(posted.text == #""hi by ada""#)
            let uploaded = try await site.send("POST", "/upload", fields: [cookie], body: "12345")
            #expect(uploaded.text == "5")
            let chunked = try await site.send(
                "POST",
                "/upload",
                fields: [cookie, ("Transfer-Encoding", "chunked")],
                chunks: ["123", "45"]
            )
            #expect(chunked.text == "5")
            let later = try await site.send(
                "POST",
                "/post",
                fields: [cookie, json, ("Transfer-Encoding", "chunked")],
                chunks: [#"{"text""#, #":"bit"}"#]
            )
            #expect(later.text == #""bit by ada""#)
        }
    }

    @Test("a batch's items have the caller, and middleware sees it")
    func batch() async throws {
        let seen = Locked<[String?]>([])
        let watch = Middleware { request, next in
            seen.withLock { $0.append(request.caller?.id) }
            return try await next()
        }
        try await serving(server(middleware: [watch])) { site in
            let batch = #"[{"action":"WhoAmI"},{"action":"Post","input":{"text":"a"}}]"#
            let answer = try await site.post("/actions", batch, [("Cookie", "session=s1")])
            #expect(answer.text.contains("u1 editor photos:read"))
            #expect(answer.text.contains("a by ada"))
            _ = try await site.get("/who", ("Cookie", "session=s1"))
            #expect(seen.withLock { $0.last } == "u1")
        }
    }

    @Test("a synchronous authenticator before one that waits decides alone")
    func order() async throws {
        try await serving(server()) { site in
            let both = try await site.get("/who", ("X-API-Key", "k1"), ("Cookie", "session=s1"))
            #expect(both.text.contains("key-1"))
            let next = try await site.get("/who", ("X-API-Key", "other"), ("Cookie", "session=s1"))
            #expect(next.text.contains("u1"))
        }
        try await serving(server([cookies, apiKeys])) { site in
            let both = try await site.get("/who", ("X-API-Key", "k1"), ("Cookie", "session=s1"))
            #expect(both.text.contains("u1"))
        }
    }

    @Test("the server's own tokens are checked after the authenticators")
    func tokens() async throws {
        var server = server()
        server.configuration.dataFolder = folder["data"]
        let made = try await TokenStore(Storage.of(folder["data"]))
            .create(name: "root", scopes: ["editor"])
        try await serving(server) { site in
            let bearer = ("Authorization", "Bearer \(made.text)")
            let own = try await site.get("/who", bearer)
            #expect(own.text.contains(made.record.id))
            let both = try await site.get("/who", bearer, ("Cookie", "session=s1"))
            #expect(both.text.contains("u1"))
            let none = try await site.get("/who")
            #expect(challenges(none).first == #"Bearer realm="plugboard""#)
            #expect(challenges(none).count == 3)
        }
    }

    @Test("a second issuer's tokens are verified by its keys")
    func issuers() async throws {
        let (one, two) = (try TokenMaker(.p256, "ES256"), try TokenMaker(.p256, "ES256"))
        try Data(TokenMaker.set(one.jwk()))
            .write(to: URL(fileURLWithPath: folder["one.json"]))
        try Data(TokenMaker.set(two.jwk()))
            .write(to: URL(fileURLWithPath: folder["two.json"]))
        let other = "https://other.example/"
        var server = server([
            .webTokens(
                .init(
                    keys: .file(folder["two.json"]),
                    issuer: other,
                    audiences: TokenMaker.audience
                )
            )
        ])
        server.configuration.webTokens = .init(
            keys: .file(folder["one.json"]),
            issuer: TokenMaker.issuer,
            audiences: TokenMaker.audience
        )
        let end = JSON.number(JSON.Number(Int(Date().timeIntervalSince1970) + 3600))
        func bearer(_ maker: TokenMaker, _ issuer: String) throws -> (String, String) {
            let claims: JSON.Object = ["exp": end, "iss": .string(issuer), "scope": "photos:read"]
            return ("Authorization", "Bearer \(try maker.token(claims: claims))")
        }
        try await serving(server) { site in
            for verifier in site.running.parts.verifiers { try await verifier.begin() }
            for (maker, issuer) in [(one, TokenMaker.issuer), (two, other)] {
                let answer = try await site.get("/who", try bearer(maker, issuer))
                #expect(answer.text.hasPrefix("\"\(issuer)#"))
            }
            for (maker, issuer) in [(one, other), (two, TokenMaker.issuer), (two, "https://x/")] {
                let answer = try await site.get("/who", try bearer(maker, issuer))
                #expect(answer.status == 401)
            }
        }
    }

    // MARK: Rejecting

    @Test("a request without credentials is 401 with every challenge (RFC 9110 §11.6.1)")
    func anonymous() async throws {
        try await serving(server()) { site in
            for fields in [
                [], [("Cookie", "sessions=s1")], [("Cookie", "session=")], [("X-API-Key", "")],
                [("Authorization", "Basic YTpi")], [("X-API-Key", "other")],
            ] {
                let answer = try await site.send("GET", "/who", fields: fields)
                #expect(answer.status == 401)
                #expect(
                    challenges(answer) == [
                        #"ApiKey realm="plugboard", header="X-API-Key""#,
                        #"Cookie realm="plugboard", cookie-name="session""#,
                    ]
                )
                #expect(
                    answer.text.contains("the field X-API-Key or the cookie session"),
                    "\(answer.text)"
                )
            }
            let greeted = try await site.get("/greet")
            #expect(greeted.text == #""nobody""#)
        }
    }

    @Test("invalid credentials are 401 with the reason and the challenges, also where optional")
    func invalid() async throws {
        try await serving(server()) { site in
            for path in ["/who", "/greet"] {
                let key = try await site.get(path, ("X-API-Key", "k2"))
                #expect(key.status == 401)
                #expect(key.text.contains("the key is unknown"))
                #expect(challenges(key).count == 2)
                let session = try await site.get(path, ("Cookie", "session=s9"))
                #expect(session.status == 401)
                #expect(session.text.contains("the session has ended"))
                #expect(challenges(session).first?.hasPrefix("Cookie ") == true)
            }
            let body = try await site.post("/post", #"{"text":"x"}"#, [("Cookie", "session=s9")])
            #expect(body.status == 401)
        }
    }

    @Test("a caller without the scope is 403")
    func scope() async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/who", ("Cookie", "session=s2"))
            #expect(answer.status == 403)
            #expect(answer.text.contains("photos:read"))
        }
    }

    @Test("an unavailable store is 503 and logged, and a caller's limit keeps its status")
    func unavailable() async throws {
        try await serving(server()) { site in
            let down = try await site.get("/who", ("Cookie", "session=down"))
            #expect(down.status == 503)
            #expect(down["Retry-After"] == "1")
            #expect(challenges(down).isEmpty)
            let told = try await site.get("/who", ("X-API-Key", "down"))
            #expect(told.status == 503)
            #expect(told.text.contains("the keys are unavailable"))
            let busy = try await site.get("/who", ("X-API-Key", "busy"))
            #expect(busy.status == 429)
            let empty = try await site.get("/who", ("X-API-Key", "empty"))
            #expect(empty.status == 500)
        }
        #expect(journal.lines.contains { $0.contains("the cookie session can't be checked") })
        #expect(journal.lines.contains { $0.contains("returned an invalid caller") })
    }

    @Test("several values at one place are 400, since another program may read the other one")
    func several() async throws {
        try await serving(server()) { site in
            for fields in [
                [("X-API-Key", "k1"), ("X-API-Key", "k2")],
                [("Cookie", "session=s1; session=s2")],
                [("Cookie", "session=s1"), ("Cookie", "a=b; session=s2")],
            ] {
                let answer = try await site.send("GET", "/who", fields: fields)
                #expect(answer.status == 400)
                #expect(answer.text.contains("more than one of the "))
            }
        }
    }

    @Test("an action without callers asks no authenticator")
    func unasked() async throws {
        try await serving(server()) { site in
            let fields = [("Cookie", "session=s1"), ("X-API-Key", "wrong")]
            for path in ["/open", "/healthz", "/nowhere"] {
                let answer = try await site.send("GET", path, fields: fields)
                #expect(answer.status != 401)
            }
        }
        #expect(await sessions.lookups == 0)
    }

    @Test("limits count each caller alone")
    func limits() async throws {
        try await serving(server()) { site in
            func post(_ field: (String, String)) async throws -> Int {
                try await site.post("/post", #"{"text":"x"}"#, [field]).status
            }
            for status in [200, 200, 200, 429] {
                let answered = try await post(("Cookie", "session=s1"))
                #expect(answered == status)
            }
            let other = try await post(("X-API-Key", "k1"))
            #expect(other == 200)
        }
    }

    @Test("a stream ends with its caller's key or session")
    func standing() async throws {
        let isKnown = Locked(true)
        let keys = Authenticator(.cookie("session")) { _ in
            isKnown.withLock { $0 } ? Caller(id: "1", scopes: ["other"]) : nil
        }
        let sync = try #require(await standing(keys))
        #expect(sync())
        isKnown.withLock { $0 = false }
        #expect(!sync())
        let late = try #require(await standing(cookies))
        #expect(late())
        await sessions.end("s2")
        // The check returns the result of the one before.
        while late() { await Task.yield() }
        #expect(!late())
    }

    private func standing(_ authenticator: Authenticator) async -> (@Sendable () -> Bool)? {
        let credentials = Access.Credentials(authenticators: [authenticator])
        let access = Access(scopes: ["other"], credentials: credentials)
        let head = Array("GET /who HTTP/1.1\r\nHost: a\r\nCookie: session=s2\r\n\r\n".utf8)
        let parser = RequestParser(limits: HeadLimits())
        let attempts = head.withUnsafeBufferPointer { bytes in
            _ = parser.parse(bytes)
            return credentials.attempts(parser.headPlace.pointee, from: .unknown)
        }
        let found = Authentication(await credentials.resolve(attempts, journal.logger))
        return head.withUnsafeBufferPointer { bytes in
            _ = parser.parse(bytes)
            let admitted = Request.Admitted(found)
            let place = IncomingRequest(parser.headPlace, from: .unknown, admitted: admitted)
            return access.standing(of: Request(place), journal.logger)
        }
    }

    @Test("a server in memory asks them, too")
    func inMemory() async throws {
        let site = try server().inMemory()
        for (field, status) in [
            ("Cookie: session=s1", 200), ("X-API-Key: k1", 200), ("Cookie: session=s9", 401),
            ("A: b", 401),
        ] {
            let text = "GET /who HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n"
            let (response, _) = try await site.answer(Array(text.utf8))
            #expect(response.status.code == status, "\(field)")
        }
        let body = #"{"text":"hi"}"#
        let post =
            "POST /post HTTP/1.1\r\nHost: localhost\r\nCookie: session=s1\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let (_, posted) = try await site.answer(Array(post.utf8))
        #expect(String(decoding: posted, as: UTF8.self) == #""hi by ada""#)
    }

    // MARK: Describing

    @Test("the API's description lists them")
    func described() throws {
        let document = try server([apiKeys, cookies, Authenticator(.bearer) { _ in nil }])
            .description()
        let schemes = document["components"]?["securitySchemes"]
        #expect(schemes?["X-API-Key"] == ["type": "apiKey", "in": "header", "name": "X-API-Key"])
        #expect(
            schemes?["cookie-session"] == ["type": "apiKey", "in": "cookie", "name": "session"]
        )
        #expect(schemes?["http-bearer"] == ["type": "http", "scheme": "bearer"])
        #expect(schemes?["token"] == nil)
        #expect(
            document["paths"]?["/who"]?["get"]?["security"]
                == [
                    ["X-API-Key": ["photos:read"]], ["cookie-session": ["photos:read"]],
                    ["http-bearer": ["photos:read"]],
                ]
        )
    }

    @Test(
        "an invalid name or challenge keeps the server from starting",
        arguments: [
            Authenticator(.header("X Key")) { _ in nil }, Authenticator(.cookie("")) { _ in nil },
            Authenticator(.authorization("Ünï")) { _ in nil },
            Authenticator(.header("X-Key"), challenge: "") { _ in nil },
            Authenticator(.header("X-Key"), challenge: "Key\r\nX: y") { _ in nil },
        ]
    )
    func wrong(authenticator: Authenticator) {
        #expect { try server([authenticator]).start() } throws: {
            ($0 as? StartError)?.problems.count == 1 && "\($0)".contains("invalid")
        }
    }
}
