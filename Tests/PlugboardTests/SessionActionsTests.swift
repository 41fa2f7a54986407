import Glibc
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private class Write: Action<Void, String>, POST, Scoped {
    static var path: String { "/write" }
    static var scopes: Scopes { ["photos:write"] }
}
private class Watch: Action<Void, EventStream>, GET, Scoped {
    static var path: String { "/watch" }
    static var scopes: Scopes { ["photos:write"] }
}
private class Greet: Action<Greet.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/greet" }
}

@Suite("Signing in to the console")
struct SessionActionsTests {
    private let folder: TemporaryFolder
    private let tokens: TokenStore

    init() throws {
        folder = try TemporaryFolder()
        tokens = TokenStore(Storage.of(folder["data"]))
        Write.self <~ { "written by \(Caller.current?.id ?? "nobody")" }
        Watch.self <~ { EventStream { ServerSentEvent(data: "seen") } }
        Greet.self <~ { $0.caller?.id ?? "nobody" }
    }

    private func server(_ change: (inout Server) -> Void = { _ in }) -> Server {
        var server = Server {
            Write.self
            Watch.self
            Greet.self
        }
        server.configuration.dataFolder = folder["data"]
        change(&server)
        return server
    }

    private static let own = ("Sec-Fetch-Site", "same-origin")
    private static let json = ("Content-Type", "application/json")

    private func signIn(_ site: Site, _ body: String) async throws -> Answer {
        try await site.send("POST", "/sessions", fields: [Self.own, Self.json], body: body)
    }

    private func code(_ site: Site) throws -> String {
        let link = try #require(site.running.makeSignInLink())
        let parts = link.split(separator: "/console/#code=")
        #expect(parts.count == 2 && parts[0] == "http://127.0.0.1:\(site.port)")
        return String(try #require(parts.last))
    }

    /// Signs in with the link, and returns the field that the browser sends: the cookie.
    private func signed(_ site: Site) async throws -> [(String, String)] {
        try fields(await signIn(site, #"{"code": "\#(try code(site))"}"#))
    }

    private func fields(_ answer: Answer) throws -> [(String, String)] {
        let field = try #require(answer["Set-Cookie"])
        return [("Cookie", String(field.prefix { $0 != ";" }))]
    }

    private func get(
        _ site: Site,
        _ path: String,
        _ fields: [(String, String)]
    ) async throws -> Answer {
        try await site.send("GET", path, fields: fields)
    }

    // MARK: The link

    @Test("the link's code signs in as an administrator, and its cookie is HttpOnly and strict")
    func link() async throws {
        try await serving(server()) { site in
            let got = try await signIn(site, #"{"code": "\#(try code(site))"}"#)
            #expect(got.status == 200 && got["Cache-Control"] == "no-store")
            let set = try #require(got["Set-Cookie"])
            #expect(set.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
            let json = try JSON(parsing: got.body)
            #expect(json["name"]?.string == "console" && json["expires"]?.string != nil)
            let scopes = json["scopes"]?.array?.compactMap(\.string) ?? []
            #expect(scopes.contains("admin") && scopes.contains("photos:write"))
            let signed = try fields(got) + [Self.own]
            let secret = try #require(signed[0].1.split(separator: "=").last)
            #expect(signed[0].1.hasPrefix("plugboard-session-80=") && !got.text.contains(secret))
            #expect(try await get(site, "/tokens", signed).status == 200)
            let post = try await site.send("POST", "/write", fields: signed)
            #expect(post.text == "\"written by console\"")
        }
    }

    @Test("a code can't be used twice, guessed, or used after another was printed")
    func codes() async throws {
        try await serving(server()) { site in
            let code = try code(site)
            #expect(try await signIn(site, #"{"code": "AAAA"}"#).status == 403)
            #expect(try await signIn(site, #"{"code": "\#(code)"}"#).status == 200)
            let again = try await signIn(site, #"{"code": "\#(code)"}"#)
            #expect(again.status == 403 && again["Set-Cookie"] == nil)
            #expect(again.text.contains("SIGUSR1") && !again.text.contains(code))
            let (old, new) = (try self.code(site), try self.code(site))
            #expect(try await signIn(site, #"{"code": "\#(old)"}"#).status == 403)
            #expect(try await signIn(site, #"{"code": "\#(new)"}"#).status == 200)
        }
    }

    @Test("guesses are limited: 30 a minute per address, then 429; the right code still signs in")
    func guesses() async throws {
        let token = try await tokens.create(name: "ada", scopes: ["photos:write"]).text
        try await serving(server()) { site in
            for _ in 0..<31 { _ = try await signed(site) }
            for _ in 0..<30 { #expect(try await signIn(site, #"{"code": "A"}"#).status == 403) }
            for body in [#"{"code": "A"}"#, #"{"token": "\#(token)"}"#] {
                let got = try await signIn(site, body)
                #expect(got.status == 429 && got["Retry-After"] != nil && got["Set-Cookie"] == nil)
            }
            #expect(try await signIn(site, #"{"code": "\#(try code(site))"}"#).status == 200)
        }
    }

    @Test("a server that other machines can reach has no link, nor has one without a console")
    func exposed() async throws {
        let open = server { $0.configuration.host = "0.0.0.0" }
        try await serving(open) { #expect($0.running.makeSignInLink() == nil) }
        let bare = server { $0.configuration.console = false }
        try await serving(bare) { site in
            #expect(site.running.makeSignInLink() == nil)
            let got = try await signIn(site, #"{"code": "A"}"#)
            #expect(got.status == 404)
        }
    }

    @Test("a person's terminal is a terminal: no file, and no closed descriptor")
    func terminal() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        #expect(RunningServer.isPersonsTerminal(terminal))
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        #expect(!RunningServer.isPersonsTerminal(file) && !RunningServer.isPersonsTerminal(-1))
    }

    @Test("a console on the operations port has its link there")
    func operations() async throws {
        let server = server {
            $0.administration = .operationsPort
            $0.configuration.host = "0.0.0.0"
            $0.configuration.operations = .init()
            $0.configuration.operations?.port = 0
        }
        try await serving(server) { site in
            let place = Site(running: site.running, port: try site.operationsPort)
            let signed = try await signed(place) + [Self.own]
            #expect(try await get(place, "/tokens", signed).status == 200)
            #expect(try await signIn(site, #"{"code": "A"}"#).status == 404)
        }
    }

    // MARK: Tokens

    @Test("a token signs in with its own name and scopes")
    func token() async throws {
        let made = try await tokens.create(name: "ada", scopes: ["photos:write"])
        try await serving(server()) { site in
            let got = try await signIn(site, #"{"token": "\#(made.text)"}"#)
            let json = try JSON(parsing: got.body)
            #expect(json["name"]?.string == "ada")
            #expect(json["scopes"]?.array?.compactMap(\.string) == ["photos:write"])
            let signed = try fields(got) + [Self.own]
            let written = try await site.send("POST", "/write", fields: signed)
            #expect(written.text == "\"written by \(made.record.id)\"")
            #expect(try await get(site, "/tokens", signed).status == 403)
        }
    }

    @Test("revoking the token ends its session at once")
    func revoked() async throws {
        let made = try await tokens.create(name: "ada", scopes: ["photos:write"])
        let admin = try await tokens.create(name: "root", scopes: .admin)
        try await serving(server()) { site in
            let got = try await signIn(site, #"{"token": "\#(made.text)"}"#)
            let fields = try fields(got) + [Self.own]
            #expect(try await site.send("POST", "/write", fields: fields).status == 200)
            let revoke = try await site.send(
                "DELETE",
                "/tokens/\(made.record.id)",
                fields: [("Authorization", "Bearer \(admin.text)")]
            )
            #expect(revoke.status == 204)
            #expect(try await site.send("POST", "/write", fields: fields).status == 401)
            let current = try await site.send("GET", "/sessions/current", fields: fields)
            #expect(current.text == #"{"expires":null,"id":null,"name":null,"scopes":[]}"#)
        }
    }

    @Test(
        "an invalid token begins no session, and isn't repeated",
        arguments: [
            #"{"token": "plug_x"}"#,
            #"{"token": "a\r\nSet-Cookie: plugboard-session=evil"}"#,
            #"{"token": "plug_000000000000_0000000000000000000000000000000000000000000000000000000000000000"}"#,
        ]
    )
    func invalidToken(body: String) async throws {
        try await serving(server()) { site in
            let got = try await signIn(site, body)
            #expect(got.status == 403 && got["Set-Cookie"] == nil)
            #expect(!got.text.contains("evil") && !got.text.contains("plug_"))
        }
    }

    @Test(
        "a request without one of both, with both, or with unknown members is 422",
        arguments: [
            "{}", #"{"code": "a", "token": "b"}"#, #"{"code": "a", "remember": true}"#,
            #"{"code": ""}"#,
            #"{"code": "a", "scopes": ["admin"]}"#, #"{"token": 1}"#,
        ]
    )
    func malformed(body: String) async throws {
        try await serving(server()) { site in
            let got = try await signIn(site, body)
            #expect(got.status == 422 && got["Set-Cookie"] == nil, "\(got.status)")
        }
    }

    @Test("a form, which any page can send, is rejected")
    func form() async throws {
        try await serving(server()) { site in
            let body = "code=\(try code(site))"
            let type = ("Content-Type", "application/x-www-form-urlencoded")
            let got = try await site.send("POST", "/sessions", fields: [type], body: body)
            #expect(got.status == 415 && got["Set-Cookie"] == nil)
        }
    }

    // MARK: Who am I

    @Test("the current caller: none, a session's or a bearer token's, which takes precedence")
    func current() async throws {
        let made = try await tokens.create(
            name: "ada",
            scopes: ["photos:write"],
            lifetime: .seconds(3_600)
        )
        try await serving(server()) { site in
            let nobody = try await site.get("/sessions/current")
            #expect(nobody.status == 200)
            #expect(nobody.text == #"{"expires":null,"id":null,"name":null,"scopes":[]}"#)
            #expect(nobody["Cache-Control"] == "no-store")
            let signed = try await signed(site) + [Self.own]
            let bearer = ("Authorization", "Bearer \(made.text)")
            let console = try await get(site, "/sessions/current", signed)
            let link = try JSON(parsing: console.body)
            #expect(link["name"]?.string == "console" && link["id"]?.string == "console")
            let ada = try await get(site, "/sessions/current", signed + [bearer])
            let json = try JSON(parsing: ada.body)
            #expect(json["name"]?.string == "ada" && json["expires"]?.string != nil)
            #expect(json["id"]?.string == made.record.id)
            let wrong = ("Authorization", "Bearer wrong")
            #expect(try await get(site, "/sessions/current", signed + [wrong]).status == 401)
        }
    }

    @Test("signing out ends the session and removes the cookie; without one it does nothing")
    func signOut() async throws {
        try await serving(server()) { site in
            let fields = try await signed(site) + [Self.own]
            let got = try await site.send("DELETE", "/sessions/current", fields: fields)
            #expect(got.status == 204)
            #expect(got["Set-Cookie"]?.hasPrefix("plugboard-session-80=; Max-Age=0;") == true)
            #expect(try await site.send("POST", "/write", fields: fields).status == 401)
            let none = try await site.send("DELETE", "/sessions/current", fields: [Self.own])
            #expect(none.status == 204)
        }
    }

    @Test("an administrator lists and ends sessions, which the audit has")
    func administered() async throws {
        let made = try await tokens.create(name: "ada", scopes: ["photos:write"])
        try await serving(server()) { site in
            let console = try await signed(site) + [Self.own]
            let ada = try fields(await signIn(site, #"{"token": "\#(made.text)"}"#)) + [Self.own]
            let got = try await get(site, "/sessions", console)
            let list = try #require(try JSON(parsing: got.body).array)
            #expect(Set(list.compactMap { $0["name"]?.string }) == ["ada", "console"])
            for field in ada + console where field.0 != Self.own.0 {
                #expect(!got.text.contains(field.1.split(separator: "=").last ?? "none"))
            }
            #expect(try await get(site, "/sessions", ada).status == 403)
            let other = try #require(list.first { $0["name"]?.string == "ada" })
            let id = try #require(other["id"]?.string)
            #expect(try await site.send("DELETE", "/sessions/\(id)", fields: ada).status == 403)
            let end = try await site.send("DELETE", "/sessions/\(id)", fields: console)
            #expect(end.status == 204)
            #expect(try await site.send("POST", "/write", fields: ada).status == 401)
            let again = try await site.send("DELETE", "/sessions/\(id)", fields: console)
            #expect(again.status == 404)
            let rows = try await get(site, "/audit?log=administration&limit=1", console)
            let row = try JSON(parsing: rows.body).array?.first
            #expect(row?["change"]?.string == "end session")
            #expect(row?["author"]?.string == "console" && rows.text.contains(made.record.id))
        }
    }

    // MARK: Attacks

    /// The fields of requests that pages of other origins make a browser send.
    private static let foreign: [[(String, String)]] = [
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
        [("Origin", "http://evil.example")], [("Origin", "null")],
        [("Origin", "http://localhost:3000")],
        [("Sec-Fetch-Site", "same-site"), ("Origin", "http://localhost:3000")],
    ]

    @Test("no page of another origin can act with a person's cookie", arguments: 0..<6)
    func crossSite(index: Int) async throws {
        try await serving(server()) { site in
            let signed = try await signed(site)
            let fields = Self.foreign[index] + signed
            #expect(try await site.send("POST", "/write", fields: fields).status == 403)
            let create = #"{"scopes": ["admin"]}"#
            let made = try await site.send(
                "POST",
                "/tokens",
                fields: fields + [Self.json],
                body: create
            )
            #expect(made.status == 403)
            let out = try await site.send("DELETE", "/sessions/current", fields: fields)
            #expect(out.status == 403)
            // Reads get no caller, so streams don't begin either.
            #expect(try await site.send("GET", "/tokens", fields: fields).status == 401)
            #expect(try await site.send("GET", "/watch", fields: fields).status == 401)
            #expect(try await site.send("GET", "/greet", fields: fields).text == "\"nobody\"")
            #expect(try await get(site, "/tokens", signed + [Self.own]).status == 200)
        }
    }

    @Test("an allowed origin may call the server, but not with the cookie")
    func allowedOrigin() async throws {
        let server = server { $0.configuration.allowedOrigins = ["http://localhost:3000"] }
        try await serving(server) { site in
            let signed = try await signed(site)
            let origin = ("Origin", "http://localhost:3000")
            let fields = signed + [origin]
            #expect(try await site.send("POST", "/write", fields: fields).status == 401)
            let out = try await site.send("DELETE", "/sessions/current", fields: fields)
            #expect(out.status == 403)
            // It can't sign its visitor in as somebody else either.
            let body = #"{"code": "\#(try code(site))"}"#
            let got = try await site.send(
                "POST",
                "/sessions",
                fields: [origin, Self.json],
                body: body
            )
            #expect(got.status == 403 && got["Set-Cookie"] == nil)
            #expect(try await get(site, "/tokens", signed + [Self.own]).status == 200)
        }
    }

    @Test("a cookie without a browser's fields counts for reads only")
    func program() async throws {
        try await serving(server()) { site in
            let signed = try await signed(site)
            #expect(try await get(site, "/tokens", signed).status == 200)
            #expect(try await site.send("POST", "/write", fields: signed).status == 401)
            let origin = ("Origin", "http://localhost")
            let out = try await site.send("DELETE", "/sessions/current", fields: signed)
            #expect(out.status == 403)
            let own = try await site.send("POST", "/write", fields: signed + [origin])
            // The request's host is `localhost`, without a port.
            #expect(own.status == 200)
        }
    }

    @Test("cookies of another port, of another server and of an attacker change nothing")
    func otherCookies() async throws {
        let other = try TemporaryFolder()
        let second = server { $0.configuration.dataFolder = other["data"] }
        try await serving(server()) { site in
            let signed = try await signed(site)
            try await serving(second) { place in
                let foreign = try await self.signed(place)
                #expect(try await get(place, "/tokens", foreign + [Self.own]).status == 200)
                #expect(try await get(site, "/tokens", foreign + [Self.own]).status == 401)
                #expect(try await get(site, "/greet", foreign + [Self.own]).text == "\"nobody\"")
                for both in ["\(foreign[0].1); \(signed[0].1)", "\(signed[0].1); \(foreign[0].1)"] {
                    let fields = [("Cookie", both), Self.own]
                    #expect(try await get(site, "/tokens", fields).status == 200)
                    let current = try await get(site, "/sessions/current", fields)
                    #expect(try JSON(parsing: current.body)["expires"]?.string != nil)
                }
                let lines = [signed[0], ("Cookie", "other=1"), foreign[0], Self.own]
                #expect(try await get(site, "/tokens", lines).status == 200)
            }
            let port = signed[0].1.replacing("-80=", with: "-81=")
            #expect(try await get(site, "/tokens", [("Cookie", port), Self.own]).status == 401)
            for text in ["", "console", "a\u{7F}b", String(repeating: "A", count: 4_000)] {
                let invented = [("Cookie", "plugboard-session-80=\(text)"), Self.own]
                let status = try await get(site, "/tokens", invented).status
                #expect(status == 401 || status == 400, "\(text)")
            }
        }
    }

    @Test("the audit names the console as the author, and a session's token by its number")
    func audit() async throws {
        let admin = try await tokens.create(name: "root", scopes: .admin)
        try await serving(server()) { site in
            let remembered = try await signIn(site, #"{"token": "\#(admin.text)"}"#)
            for signed in [try await signed(site), try fields(remembered)] {
                let got = try await site.send(
                    "POST",
                    "/tokens",
                    fields: signed + [Self.own, Self.json],
                    body: #"{"scopes": ["photos:write"]}"#
                )
                #expect(got.status == 201)
            }
            let bearer = ("Authorization", "Bearer \(admin.text)")
            let rows = try await site.get("/audit?log=administration&limit=2", bearer)
            let authors = try JSON(parsing: rows.body).array?.compactMap { $0["author"]?.string }
            #expect(authors == [admin.record.id, "console"])
        }
    }

    @Test("an authenticator of the application can't name the console as its caller")
    func impersonation() async throws {
        let server = server {
            $0.authenticators = [
                Authenticator(.header("X-API-Key")) { _ in Caller(id: "console", scopes: .admin) }
            ]
        }
        try await serving(server) { site in
            let got = try await site.get("/tokens", ("X-API-Key", "a"))
            #expect(got.status == 500)
        }
    }
}
