import BlockingThreads
import Foundation
import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import TestCertificates
import Testing

@testable import Plugboard

private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Keys: Action<Void, ResponseBody>, GET { static var path: String { "/keys" } }

@Suite("Callers with JSON Web Tokens")
struct WebTokenAccessTests {
    private let folder: TemporaryFolder
    private let maker: TokenMaker

    init() throws {
        folder = try TemporaryFolder()
        maker = try TokenMaker(.p256, "ES256")
        try write(TokenMaker.set(maker.jwk()))
        WhoAmI.self <~ {
            let caller = Caller.current
            return "\(caller?.id ?? "-") \(caller?.name ?? "-") \(caller?.scopes.text ?? "-")"
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder["keys.json"]), options: .atomic)
    }

    private typealias WebTokens = Server.Configuration.WebTokens

    private func server(_ keys: WebTokens.Keys? = nil) -> Server {
        var server = Server { WhoAmI.self }
        server.configuration.webTokens = WebTokens(
            keys: keys ?? .file(folder["keys.json"]),
            issuer: TokenMaker.issuer,
            audiences: TokenMaker.audience
        )
        return server
    }

    /// Runs a server that has asked for its keys.
    private func servingWithKeys(
        _ server: Server,
        _ body: (Site) async throws -> Void
    ) async throws {
        try await serving(server) { site in
            try await site.running.parts.webTokens?.begin()
            try await body(site)
        }
    }

    /// A token that is good now.
    private func bearer(_ claims: JSON.Object = [:]) throws -> (String, String) {
        let now = Int(Date().timeIntervalSince1970)
        var all: JSON.Object = [
            "exp": .number(JSON.Number(now + 3600)), "iat": .number(JSON.Number(now)),
        ]
        for claim in claims { all[claim.name] = claim.value }
        return ("Authorization", "Bearer \(try maker.token(claims: all))")
    }

    @Test("a token's subject calls the action, without a data folder")
    func granted() async throws {
        try await servingWithKeys(server()) { site in
            let answer = try await site.get("/who", try bearer())
            #expect(answer.status == 200)
            #expect(answer.text == #""https://issuer.example/#ada ada photos:read photos:write""#)
        }
    }

    @Test("a rejected token is 401 and invalid_token with the reason (RFC 6750 §3.1)")
    func refused() async throws {
        try await servingWithKeys(server()) { site in
            let old = try bearer(["exp": 1_700_000_000])
            let answer = try await site.get("/who", old)
            #expect(answer.status == 401)
            #expect(answer.mediaType == "application/problem+json")
            #expect(
                answer["WWW-Authenticate"]
                    == #"Bearer realm="plugboard", error="invalid_token", "#
                    + #"error_description="the token has expired""#
            )
            let token = old.1.dropFirst(7)
            #expect(!answer.text.contains(token))
            let opaque = (
                "Authorization", "Bearer plug_000000000000_" + String(repeating: "0", count: 64)
            )
            let other = try await site.get("/who", opaque)
            #expect(other.status == 401)
        }
    }

    @Test("a token without the scope is a 403 with insufficient_scope and the scope")
    func insufficient() async throws {
        try await servingWithKeys(server()) { site in
            let answer = try await site.get("/who", try bearer(["scope": "photos:write"]))
            #expect(answer.status == 403)
            let challenge = try #require(answer["WWW-Authenticate"])
            #expect(challenge.contains(#"error="insufficient_scope""#))
            #expect(challenge.hasSuffix(#"scope="photos:read""#))
        }
    }

    @Test("the server's own tokens are accepted, too")
    func both() async throws {
        var server = server()
        server.configuration.dataFolder = folder["data"]
        try await servingWithKeys(server) { site in
            let tokens = try #require(site.running.parts.administration?.tokens)
            let made = try await tokens.create(name: "bob", scopes: ["photos:read"])
            let own = try await site.get("/who", ("Authorization", "Bearer \(made.text)"))
            #expect(own.text == #""\#(made.record.id) bob photos:read""#)
            let web = try await site.get("/who", try bearer())
            #expect(web.status == 200)
        }
    }

    @Test("documents in another store are authored without a data folder")
    func authoring() async throws {
        var server = server()
        server.configuration.documents = .folder(folder["documents"])
        try await servingWithKeys(server) { site in
            let put = try await site.send(
                "PUT",
                "/behaviors/default",
                fields: [
                    try bearer(["scope": "behaviors:write"]), ("Content-Type", "application/json"),
                ],
                body: "[]"
            )
            #expect(put.status == 201)
            let served = try await site.get("/behaviors.json")
            #expect(served.text == "[]")
            let tokens = try await site.get("/tokens", try bearer(["scope": "admin"]))
            #expect(tokens.status == 404)
        }
    }

    @Test("without authentication documents are served, but not authored")
    func nobody() async throws {
        var server = Server()
        server.configuration.documents = .folder(folder["documents"])
        try await serving(server) { site in
            let put = try await site.send("PUT", "/behaviors/default", fields: [], body: "[]")
            #expect(put.status == 404)
        }
    }

    @Test("a server in memory accepts JSON Web Tokens, too")
    func inMemory() async throws {
        let transport = try server().inMemory()
        let request =
            "GET /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(try bearer().1)\r\n\r\n"
        let (response, _) = try await transport.answer(Array(request.utf8))
        #expect(response.status == .ok)
    }

    @Test("keys are fetched from a URL; until then requests are 503 and the server isn't ready")
    func url() async throws {
        let set = TokenMaker.set(maker.jwk())
        Keys.self <~ {
            ResponseBody(bytes: set, mediaType: "application/jwk-set+json")
        }
        try await serving(Server { Keys.self }) { issuer in
            try await servingWithKeys(server(.url("\(issuer.url)/keys"))) { site in
                let answer = try await site.get("/who", try bearer())
                #expect(answer.status == 200)
            }
            try await servingWithKeys(server(.url("\(issuer.url)/nothing"))) { site in
                let answer = try await site.get("/who", try bearer())
                #expect(answer.status == 503)
                #expect(answer["Retry-After"] == "1")
                let missing = try await site.get("/who")
                #expect(missing.status == 401)
                let ready = try await site.get("/readyz")
                #expect(ready.status == 503)
                #expect(ready.text.contains("the keys of JSON Web Tokens"))
            }
        }
    }

    @Test("invalid keys, issuers or audiences are start-up errors")
    func startError() async throws {
        func problems(_ change: (inout WebTokens) -> Void) -> String? {
            var server = server()
            guard var tokens = server.configuration.webTokens else { return nil }
            change(&tokens)
            server.configuration.webTokens = tokens
            do {
                _ = try server.start()
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(problems { $0.issuer = "" } == "JSON Web Tokens need an issuer")
        #expect(problems { $0.audiences = [] } == "JSON Web Tokens need an audience")
        for text in ["a\nb", "a\u{0}", "\u{7F}"] {
            let reason = "an issuer or audience of JSON Web Tokens has a control character"
            #expect(problems { $0.issuer = text } == reason)
            #expect(problems { $0.audiences = ["a", text] } == reason)
        }
        let missing = folder["missing"]
        #expect(problems { $0.keys = .file(missing) } == "\(missing): No such file or directory")
        #expect(
            problems { $0.keys = .url("http://issuer.example/keys") }
                == "http://issuer.example/keys: keys are fetched by https, or from this machine"
        )
        for url in [
            "https://", "https:///keys", "https://a b/", "https://a/#b", "https://u@h/", "x",
        ] {
            #expect(problems { $0.keys = .url(url) } != nil, "\(url)")
        }
        #expect(
            problems { $0.keys = .url("https://ada:s3cret@issuer.example/keys?token=s3cret") }
                == "https://…@issuer.example/keys?…: keys are fetched without a name and a password; "
                + "an @ of its path is %40"
        )
        for url in [
            "https://ada:s3cret@h/", "https://ada:s3/cret@h/", "https://ada:s3?cret@h/",
            "https://ada:1/s3cret@h/", "http://ada:s3cret@localhost/", "htps://ada:s3cret@h/",
            "https:/ada:s3cret@h/", "https://ada@h/?s3cret#s3cret",
        ] {
            for keys in [WebTokens.Keys(url), .url(url), .file(url)] {
                let problem = try #require(problems { $0.keys = keys })
                #expect(!problem.contains("s3") && !problem.contains("cret"), "\(problem)")
            }
        }
        try write(Array(#"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#.utf8))
        let path = folder["keys.json"]
        #expect(problems { _ in }?.hasPrefix("\(path): no key in it can verify") == true)
    }

    @Test("max-age determines the keys' lifetime (RFC 9111 §5.2.2)")
    func maxAge() {
        #expect(KeyFetch.maxAge(nil) == nil)
        #expect(KeyFetch.maxAge("public, max-age=3600, must-revalidate") == 3600)
        #expect(KeyFetch.maxAge("Max-Age=\"60\"") == 60)
        #expect(KeyFetch.maxAge("no-store") == 0)
        #expect(KeyFetch.maxAge("max-age=60, no-cache") == 0)
        #expect(KeyFetch.maxAge("max-age=soon") == nil)
        #expect(KeyFetch.maxAge("public") == nil)
    }

    @Test("the option for keys is a URL or a file")
    func keys() {
        #expect(WebTokens.Keys("HTTPS://a/b") == .url("HTTPS://a/b"))
        #expect(WebTokens.Keys("http://a") == .url("http://a"))
        #expect(WebTokens.Keys("https.json") == .file("https.json"))
    }

    @Test("the API description lists the token types")
    func described() {
        @ActionsBuilder var actions: [ExposedAction] { WhoAmI.self }
        func scheme(_ security: OpenAPI.Security) -> JSON? {
            OpenAPI.document(of: actions, hasBehaviors: false, security: security)["components"]?[
                "securitySchemes"
            ]?["token"]
        }
        #expect(scheme(.init()) == ["type": "http", "scheme": "bearer"])
        #expect(
            scheme(.init(takesTokens: false, takesWebTokens: true))
                == ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]
        )
        #expect(scheme(.init(takesWebTokens: true))?["description"] != nil)
        let certified = OpenAPI.document(
            of: actions,
            hasBehaviors: false,
            security: .init(takesCertificates: true)
        )
        #expect(
            certified["components"]?["securitySchemes"]?["certificate"] == ["type": "mutualTLS"]
        )
        #expect(
            certified["paths"]?["/who"]?["get"]?["security"]
                == [["token": ["photos:read"]], ["certificate": ["photos:read"]]]
        )
        #expect(scheme(.init(takesTokens: false, takesCertificates: true)) == nil)
    }
}
