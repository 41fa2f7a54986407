import Foundation
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Storage
import TestCertificates
import Testing

@testable import Plugboard

private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Post: Action<Post.Input, String>, POST, Scoped {
    struct Input: Codable, Sendable {
        var text: String
        var caller: Caller
    }
    static var path: String { "/post" }
    static var scopes: Scopes { ["photos:read"] }
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

@Suite("Authenticators of the application")
struct AuthenticatorTests {
    private let folder: TemporaryFolder
    private let sessions = Sessions()

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

    private func server(_ authenticators: [Authenticator]? = nil) -> Server {
        var server = Server(authenticators: authenticators ?? [.apiKeys, sessions.cookies]) {
            WhoAmI.self
            Post.self
            Upload.self
            Greet.self
            Open.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        return server
    }

    private let json = ("Content-Type", "application/json")

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

    @Test("a synchronous authenticator before one that waits decides alone")
    func order() async throws {
        try await serving(server()) { site in
            let both = try await site.get("/who", ("X-API-Key", "k1"), ("Cookie", "session=s1"))
            #expect(both.text.contains("key-1"))
            let next = try await site.get("/who", ("X-API-Key", "other"), ("Cookie", "session=s1"))
            #expect(next.text.contains("u1"))
        }
        try await serving(server([sessions.cookies, .apiKeys])) { site in
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
            #expect(none.challenges.first == #"Bearer realm="plugboard""#)
            #expect(none.challenges.count == 3)
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
}
