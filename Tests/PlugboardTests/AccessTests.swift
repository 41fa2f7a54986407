import Identity
import Plug
import PlugHTTP
import Plugboard
import Storage
import Testing

private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Rename: Action<Rename.Input, String>, POST, Scoped {
    struct Input: Codable, Sendable { var title: String }
    static var path: String { "/rename" }
    static var scopes: Scopes { ["photos:write", "photos:read"] }
}
private class Upload: Action<RequestBody, String>, POST, Scoped {
    static var path: String { "/upload" }
    static var scopes: Scopes { ["photos:write"] }
}
private class GetSecret: Action<Void, String>, GET, Scoped, HasEntityTag {
    static var path: String { "/secret" }
    static var scopes: Scopes { ["secrets:read"] }
}
private class SetSecret: Action<Void, String>, PUT, Scoped {
    static var path: String { "/secret" }
    static var scopes: Scopes { ["secrets:write"] }
}
private class DropSecret: Action<Void, Void>, DELETE { static var path: String { "/secret" } }
private class Known: Action<Void, String>, Scoped {
    static var scopes: Scopes { [] }
}
private class Open: Action<Void, Bool>, GET { static var path: String { "/open" } }
private class Odd: Action<Void, Bool>, Scoped { static var scopes: Scopes { ["a b"] } }

@Suite("Access to actions")
struct AccessTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
        WhoAmI.self <~ { Caller.current?.name ?? "nobody" }
        Rename.self <~ { input async in "\(input.title) by \(Caller.current?.name ?? "nobody")" }
        Upload.self <~ { body in
            var size = 0
            for try await piece in body { size += piece.count }
            return "\(size) of \(Caller.current?.name ?? "nobody")"
        }
        Known.self <~ { Caller.current?.id ?? "nobody" }
        Open.self <~ { Caller.current == nil }
        Odd.self <~ { true }
        GetSecret.self <~ { "secret of \(Caller.current?.name ?? "nobody")" }
        SetSecret.self <~ { "set by \(Caller.current?.name ?? "nobody")" }
        DropSecret.self <~ {}
    }

    private func server(_ middleware: [Middleware] = []) -> Server {
        var server = Server(middleware: middleware) {
            WhoAmI.self
            Rename.self
            Upload.self
            Known.self
            Open.self
            GetSecret.self
            SetSecret.self
            DropSecret.self
        }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private func bearer(_ scopes: Scopes, name: String = "ada") async throws -> (String, String) {
        let made = try await tokens.create(name: name, scopes: scopes)
        return ("Authorization", "Bearer \(made.text)")
    }

    @Test("only callers that may read a resource learn whether its tag matches")
    func conditions() async throws {
        let (reader, writer) = (
            try await bearer(["secrets:read"]), try await bearer(["secrets:write"])
        )
        let both = try await bearer(["secrets:read", "secrets:write"])
        try await serving(server()) { site in
            let tag = try #require(try await site.get("/secret", reader)["ETag"])
            for list in [tag, "\"x\"", "*"] {
                for field in ["If-Match", "If-None-Match"] {
                    let fields = [(field, list), writer]
                    let refused = try await site.send("PUT", "/secret", fields: fields)
                    #expect(refused.status == 403)
                    #expect(challenge(refused)?.contains("scope=\"secrets:read\"") == true)
                    let unknown = try await site.send("DELETE", "/secret", fields: [(field, list)])
                    #expect(unknown.status == 401)
                }
            }
            let plain = try await site.send("PUT", "/secret", fields: [writer])
            #expect(plain.status == 200)
            let dropped = try await site.send("DELETE", "/secret")
            #expect(dropped.status == 204)
            let stale = try await site.send(
                "PUT",
                "/secret",
                fields: [("If-Match", "\"x\""), both]
            )
            #expect(stale.status == 412)
            let fresh = try await site.send("PUT", "/secret", fields: [("If-Match", tag), both])
            #expect(fresh.status == 200)
            // Asked for its reader, who is known by then though the change asks for nobody.
            let mine = try await site.send(
                "DELETE",
                "/secret",
                fields: [("If-Match", tag), reader]
            )
            #expect(mine.status == 204)
        }
    }

    private func challenge(_ answer: Answer) -> String? { answer["WWW-Authenticate"] }

    @Test("a request without a token is a 401 with a challenge without an error (RFC 6750 §3.1)")
    func missing() async throws {
        try await serving(server()) { site in
            for fields in [[], [("Authorization", "Basic YTpi")], [("Authorization", "")]] {
                let answer = try await site.send("GET", "/who", fields: fields)
                #expect(answer.status == 401)
                #expect(answer.mediaType == "application/problem+json")
                #expect(challenge(answer) == #"Bearer realm="plugboard""#)
            }
        }
    }

    @Test("an unknown token is a 401 with invalid_token")
    func unknown() async throws {
        try await serving(server()) { site in
            let token = "plug_0123456789ab_" + String(repeating: "0", count: 64)
            for token in [token, "x", "a.b.c=="] {
                let answer = try await site.get("/who", ("Authorization", "Bearer \(token)"))
                #expect(answer.status == 401)
                #expect(challenge(answer)?.contains(#"error="invalid_token""#) == true)
                #expect(!answer.text.contains(token) || token == "x")
            }
        }
    }

    @Test("a malformed or repeated Authorization is a 400 with invalid_request")
    func malformed() async throws {
        let token = try await bearer(["photos:read"])
        try await serving(server()) { site in
            for value in ["Bearer", "Bearer a b", "Bearer =", "Bearer a,b", "bearer \u{7E}\""] {
                let answer = try await site.get("/who", ("Authorization", value))
                #expect(answer.status == 400)
                #expect(challenge(answer)?.contains(#"error="invalid_request""#) == true)
            }
            let twice = try await site.get("/who", token, token)
            #expect(twice.status == 400)
        }
    }

    @Test("a token without the scope is a 403 with insufficient_scope and the scopes")
    func insufficient() async throws {
        let token = try await bearer(["photos:read"])
        try await serving(server()) { site in
            let answer = try await site.post("/rename", #"{"title":"a"}"#, [token])
            #expect(answer.status == 403)
            let told = try #require(challenge(answer))
            #expect(told.contains(#"error="insufficient_scope""#))
            #expect(told.hasSuffix(#"scope="photos:read photos:write""#))
        }
    }

    @Test("with the scope an action gets its caller, also if it is async or streams")
    func granted() async throws {
        let token = try await bearer(["photos:read", "photos:write"])
        try await serving(server()) { site in
            let who = try await site.get("/who", token)
            #expect(who.text == #""ada""#)
            let renamed = try await site.post("/rename", #"{"title":"a"}"#, [token])
            #expect(renamed.text == #""a by ada""#)
            let small = try await site.send("POST", "/upload", fields: [token], body: "12345")
            #expect(small.text == #""5 of ada""#)
            let chunked = ("Transfer-Encoding", "chunked")
            let large = try await site.send(
                "POST",
                "/upload",
                fields: [token, chunked],
                chunks: ["123", "456"]
            )
            #expect(large.text == #""6 of ada""#)
            let head = try await site.send("HEAD", "/who", fields: [token])
            #expect(head.status == 200)
            // The scheme is the same in any case (RFC 9110 §11.1).
            let lower = token.1.replacing("Bearer", with: "bEARER ")
            let other = try await site.get("/who", ("authorization", lower))
            #expect(other.status == 200)
        }
    }

    @Test("an empty list of scopes requires a valid token, but no scope")
    func known() async throws {
        let token = try await bearer(["anything"])
        try await serving(server()) { site in
            let nobody = try await site.post("/actions/Known", "")
            #expect(nobody.status == 401)
            let somebody = try await site.post("/actions/Known", "", [token])
            #expect(somebody.status == 200)
        }
    }

    @Test("an action without scopes ignores credentials")
    func open() async throws {
        try await serving(server()) { site in
            let answer = try await site.get("/open", ("Authorization", "Bearer a b"))
            #expect(answer.text == "true")
        }
    }

    @Test("a request is rejected before its body arrives")
    func early() async throws {
        try await serving(server()) { site in
            let head =
                "POST /rename HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
            let answer = try Answer(await exchange(head, port: site.port))
            #expect(answer.status == 401)
            let none = try await exchange(
                head.replacing("/rename", with: "/upload"),
                port: site.port
            )
            #expect(try Answer(none).status == 401)
        }
    }

    @Test("a middleware gets the caller, and rejections pass through it")
    func middleware() async throws {
        let told = Middleware { request, next in
            var response = try await next()
            response.fields[.server] = request.caller?.name ?? "nobody"
            return response
        }
        let token = try await bearer(["photos:read"], name: "bob")
        try await serving(server([told])) { site in
            let known = try await site.get("/who", token)
            #expect(known["Server"] == "bob")
            #expect(known.text == #""bob""#)
            let unknown = try await site.get("/who")
            #expect(unknown["Server"] == "nobody")
            #expect(unknown.status == 401)
            let open = try await site.get("/open", token)
            #expect(open["Server"] == "nobody")
        }
    }

    @Test("a token that is revoked while the body arrives is rejected")
    func revokedMeanwhile() async throws {
        let made = try await tokens.create(
            name: "ada",
            scopes: ["photos:write", "photos:read"]
        )
        let body = #"{"title":"sea"}"#
        let head = """
            POST /rename HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer \(made.text)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            Expect: 100-continue\r
            Connection: close\r
            \r

            """
        try await serving(server()) { site in
            let good = try await exchange(head: head, pause: {}, body: body, port: site.port)
            #expect(try Answer(good).status == 200)
            let late = try await exchange(
                head: head,
                pause: {
                    #expect(try await tokens.revoke(made.record.id))
                    try await site.running.parts.administration?.tokens.refresh()
                },
                body: body,
                port: site.port
            )
            #expect(try Answer(late).status == 401)
        }
    }

    @Test("a revoked token is rejected after the next refresh")
    func revoked() async throws {
        let made = try await tokens.create(name: "", scopes: ["photos:read"])
        try await serving(server()) { site in
            let field = ("Authorization", "Bearer \(made.text)")
            let before = try await site.get("/who", field)
            #expect(before.status == 200)
            #expect(try await tokens.revoke(made.record.id))
            try await site.running.parts.administration?.tokens.refresh()
            let after = try await site.get("/who", field)
            #expect(after.status == 401)
        }
    }

    @Test(
        "scoped actions without a data folder are a start-up error with a remedy"
    )
    func noFolder() throws {
        var server = server()
        server.configuration.dataFolder = nil
        #expect { try server.start() } throws: { error in
            let text = "\(error)"
            return text.contains("WhoAmI needs the scope photos:read")
                && text.contains("configuration.dataFolder")
                && text.contains("plugboard token create")
        }
    }

    @Test("an unusable data folder is a start-up error")
    func brokenFolder() throws {
        var server = server()
        server.configuration.dataFolder = "/proc/self/status/data"
        #expect { try server.start() } throws: { error in
            (error as? StartError)?.problems.count == 1
                && "\(error)".contains("/proc/self/status/data")
        }
    }

    @Test("an invalid scope is a start-up error")
    func invalidScope() throws {
        var server = Server { Odd.self }
        server.configuration.dataFolder = folder["data"]
        #expect { try server.start() } throws: {
            "\($0)".contains("Odd needs an invalid scope")
        }
    }

    @Test("starting and rejecting requests creates no database")
    func cold() async throws {
        try await serving(server()) { site in
            _ = try await site.get("/who")
            _ = try await site.get("/who", ("Authorization", "Bearer x"))
            #expect(!Storage.of(folder["data"]).exists)
        }
    }
}
