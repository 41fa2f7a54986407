import Identity
import Locking
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private class Mine: Action<Void, String>, GET, RateLimited, Scoped {
    static var path: String { "/mine" }
    static var rateLimit: RateLimit { RateLimit(1, seconds: 3600) }
    static var scopes: Scopes { ["a"] }
}
private class Noted: Action<Noted.Input, String>, POST, RateLimited {
    struct Input: Codable, Sendable { var text: String }

    static var path: String { "/noted" }
    static var rateLimit: RateLimit { RateLimit(1, seconds: 3600) }
}
private class Counted: Action<Noted.Input, String>, POST, RateLimited {
    static var path: String { "/counted" }
    static var rateLimit: RateLimit { RateLimit(4, seconds: 3600) }
}

@Suite("The order of an action's checks")
struct ActionPolicyTests {
    init() {
        Mine.self <~ { "mine" }
        Noted.self <~ { input in input.text }
    }

    @Test("a request rejected without a token is counted by its address")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let tokens = TokenStore(Storage.of(folder["data"]))
        let ada = try await tokens.create(name: "ada", scopes: ["a"]).text
        var server = Server { Mine.self }
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            let stranger = try await site.get("/mine")
            #expect(stranger.status == 401)
            #expect(stranger["RateLimit"]?.hasPrefix(#""action";r=0;t=3"#) == true)
            let guessing = try await site.get("/mine", ("Authorization", "Bearer guessed"))
            #expect(guessing.status == 429)
            #expect(guessing["Retry-After"] != nil)
            let known = try await site.get("/mine", ("Authorization", "Bearer \(ada)"))
            #expect(known.status == 200)
        }
    }

    @Test("a request rejected by its head is counted, whenever its body arrives")
    func head() async throws {
        let head = "POST /noted HTTP/1.1\r\nHost: localhost\r\nRequest-Timeout: soon\r\n"
        for more in ["Content-Length: 13\r\n\r\n{\"text\":\"ab\"}", "Content-Length: 13\r\n\r\n"] {
            try await serving(Server { Noted.self }) { site in
                for status in [400, 429] {
                    let answer = try await exchange(
                        head + "Connection: close\r\n" + more,
                        port: site.port
                    )
                    #expect(try Answer(answer).status == status)
                }
            }
        }
    }

    @Test("an error precedes an unmet condition, and each is counted (RFC 9110 §13.2.1)")
    func unmet() async throws {
        let performed = Locked(0)
        Counted.self <~ { input in
            performed.withLock { $0 += 1 }
            return input.text
        }
        try await serving(Server { Counted.self }) { site in
            let condition = [("If-Match", "\"x\"")]
            let text = #"{"text":"ab"}"#
            for (body, fields, status, left) in [
                ("[", condition, 400, 3), ("{}", condition, 422, 2), (text, condition, 412, 1),
                (text, [], 200, 0), (text, condition, 429, 0),
            ] {
                let answer = try await site.post("/counted", body, fields)
                #expect(answer.status == status)
                #expect(answer["RateLimit"]?.hasPrefix(#""action";r=\#(left);t=3"#) == true)
            }
            #expect(performed.withLock { $0 } == 1)
        }
    }
}
