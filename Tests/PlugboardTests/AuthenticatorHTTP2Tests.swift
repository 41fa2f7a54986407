import JSONCodec
import Locking
import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class WhoAmI: Action<Void, String>, GET, Scoped {
    static var path: String { "/who" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Post: Action<Post.Input, String>, POST {
    struct Input: Codable, Sendable {
        var text: String
        var caller: Caller
    }
    static var path: String { "/post" }
}
private class Upload: Action<RequestBody, Int>, POST, Scoped {
    static var path: String { "/upload" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Pay: Action<Pay.Input, Int>, POST {
    struct Input: Codable, Sendable { var account: String }
    static var path: String { "/pay" }
    static let runs = Locked(0)
}

@Suite("Authenticators over HTTP/2")
struct AuthenticatorHTTP2Tests {
    private let folder: TemporaryFolder
    private let sessions = Sessions()

    init() throws {
        folder = try TemporaryFolder()
        WhoAmI.self <~ { Caller.current?.id ?? "-" }
        Post.self <~ { "\($0.text) by \($0.caller.name)" }
        Upload.self <~ { body in
            var size = 0
            for try await piece in body { size += piece.count }
            return size
        }
        Pay.self <~ { _ in
            Pay.runs.withLock { runs in
                runs += 1
                return runs
            }
        }
    }

    private func server() -> Server {
        var server = Server(authenticators: [.apiKeys, sessions.cookies]) {
            WhoAmI.self
            Post.self
            Upload.self
            Pay.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private let json = ("Content-Type", "application/json")

    @Test("each stream of a connection has its own caller")
    func streams() async throws {
        try await serving(server()) { site in
            let answers = try await site.http2([
                .init(path: "/who", fields: [cookie("s1")]),
                .init(path: "/who", fields: [apiKey("k1")]),
                .init(path: "/who", fields: [cookie("s3")]),
                .init(path: "/who", fields: [cookie("s2")]),
                .init(path: "/who", fields: [cookie("s9")]),
                .init(path: "/who", fields: [cookie("down")]),
                .init(path: "/who"),
            ])
            #expect(answers.map(\.status) == [200, 200, 200, 403, 401, 503, 401])
            #expect(answers.prefix(3).map(\.text) == [#""u1""#, #""key-1""#, #""u3""#])
            #expect(answers[6].challenges.count == 3)
        }
    }

    @Test("a cookie may come in fields of its own, and two of a name are 400 (RFC 9113 §8.2.3)")
    func crumbs() async throws {
        try await serving(server()) { site in
            let answers = try await site.http2([
                .init(
                    path: "/who",
                    fields: [("Cookie", "theme=dark"), cookie("s1"), ("Cookie", "a=b")]
                ),
                .init(path: "/who", fields: [cookie("s1"), cookie("s3")]),
            ])
            #expect(answers.map(\.status) == [200, 400])
        }
    }

    @Test("bodies in several frames have the caller: JSON, a stream and a batch")
    func bodies() async throws {
        try await serving(server()) { site in
            let answers = try await site.http2([
                .init(
                    method: "POST",
                    path: "/post",
                    fields: [cookie("s1"), json],
                    body: [#"{"text":"#, #""hi"}"#]
                ),
                .init(
                    method: "POST",
                    path: "/upload",
                    fields: [cookie("s3")],
                    body: ["123", "45"]
                ),
                .init(
                    method: "POST",
                    path: "/upload",
                    fields: [cookie("s9")],
                    body: ["123", "45"]
                ),
                .init(
                    method: "POST",
                    path: "/actions",
                    fields: [cookie("s3"), json],
                    body: [#"[{"action":"WhoAmI"},"#, #"{"action":"Post","input":{"text":"b"}}]"#]
                ),
            ])
            #expect(answers.map(\.status) == [200, 200, 401, 200])
            #expect(answers[0].text == #""hi by ada""#)
            #expect(answers[1].text == "5")
            let items = try JSON.decode([Batch.Answer].self, from: answers[3].body)
            #expect(items.map(\.body) == ["u3", "b by eve"])
        }
    }

    @Test("an idempotency key belongs to its caller")
    func keys() async throws {
        try await serving(server()) { site in
            func pay(_ credentials: (String, String)) -> Site.HTTP2Request {
                .init(
                    method: "POST",
                    path: "/pay",
                    fields: [credentials, json, ("Idempotency-Key", "1")],
                    body: [#"{"account":"a"}"#]
                )
            }
            var runs: [String] = []
            for credentials in [cookie("s1"), cookie("s2"), apiKey("k1"), cookie("s1-phone")] {
                runs += try await site.http2([pay(credentials)]).map(\.text)
            }
            #expect(runs == ["1", "2", "3", "1"])
        }
    }
}
