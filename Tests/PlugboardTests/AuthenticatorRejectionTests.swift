import Plug
import PlugHTTP
import TestLog
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
private class Greet: Action<Greet.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller? }
    static var path: String { "/greet" }
}

@Suite("Credentials that authenticators reject")
struct AuthenticatorRejectionTests {
    private let sessions = Sessions()
    private let journal = Journal()

    init() {
        WhoAmI.self <~ { "\(Caller.current?.id ?? "-") \(Caller.current?.scopes.text ?? "-")" }
        Post.self <~ { "\($0.text) by \($0.caller.name)" }
        Greet.self <~ { $0.caller?.name ?? "nobody" }
    }

    private func server() -> Server {
        Server(authenticators: [.apiKeys, sessions.cookies], logger: journal.logger) {
            WhoAmI.self
            Post.self
            Greet.self
        }
    }

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
                    answer.challenges == [
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
                let key = try await site.get(path, ("X-API-Key", "wrong"))
                #expect(key.status == 401)
                #expect(key.text.contains("the key is unknown"))
                #expect(key.challenges.count == 2)
                let session = try await site.get(path, ("Cookie", "session=s9"))
                #expect(session.status == 401)
                #expect(session.text.contains("the session has ended"))
                #expect(session.challenges.first?.hasPrefix("Cookie ") == true)
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
            #expect(down.challenges.isEmpty)
            let told = try await site.get("/who", ("X-API-Key", "down"))
            #expect(told.status == 503)
            #expect(told.text.contains("the keys are unavailable"))
            let busy = try await site.get("/who", ("X-API-Key", "busy"))
            #expect(busy.status == 429)
            // The identifiers of other kinds of authors.
            for id in ["empty", "certificate", "server", "file"] {
                let answer = try await site.get("/who", ("X-API-Key", id))
                #expect(answer.status == 500, "\(id)")
            }
        }
        #expect(journal.lines.contains { $0.contains("the cookie session can't be checked") })
        #expect(journal.lines.contains { $0.contains("returned an invalid caller") })
    }

    @Test("several values at one place are 400, since another program may read the other one")
    func several() async throws {
        try await serving(server()) { site in
            for fields in [
                [("X-API-Key", "k1"), ("X-API-Key", "wrong")],
                [("Cookie", "session=s1; session=s2")],
                [("Cookie", "session=s1"), ("Cookie", "a=b; session=s2")],
            ] {
                let answer = try await site.send("GET", "/who", fields: fields)
                #expect(answer.status == 400)
                #expect(answer.text.contains("more than one of the "))
            }
        }
    }
}
