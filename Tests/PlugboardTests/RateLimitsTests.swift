import Identity
import JSONCodec
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private class Search: Action<Void, String>, GET, RateLimited {
    static var path: String { "/search" }
    static var rateLimit: RateLimit { RateLimit(2, seconds: 3600) }
}
private class Mine: Action<Void, String>, GET, RateLimited, Scoped {
    static var path: String { "/mine" }
    static var rateLimit: RateLimit { RateLimit(1, seconds: 3600) }
    static var scopes: Scopes { ["a"] }
}
private class Free: Action<Void, String>, GET { static var path: String { "/free" } }

@Suite("Rate limits of actions")
struct RateLimitsTests {
    init() {
        Search.self <~ { "found" }
        Mine.self <~ { "mine" }
        Free.self <~ { "free" }
    }

    @Test("responses have the remaining quota; a request beyond it is a 429 with Retry-After")
    func fields() async throws {
        let server = Server {
            Search.self
            Free.self
        }
        try await serving(server) { site in
            for left in [1, 0] {
                let answer = try await site.get("/search")
                #expect(answer.status == 200)
                #expect(answer["RateLimit-Policy"] == #""action";q=2;w=3600"#)
                #expect(answer["RateLimit"]?.hasPrefix(#""action";r=\#(left);t=3"#) == true)
            }
            let refused = try await site.get("/search")
            #expect(refused.status == 429)
            #expect(refused["Retry-After"].flatMap(Int.init).map { $0 > 3000 } == true)
            #expect(refused["RateLimit"]?.hasPrefix(#""action";r=0;t=3"#) == true)
            let problem = try JSON.decode(Problem.self, from: refused.body)
            #expect(problem.type.hasSuffix("#quota-exceeded"))
            #expect(problem.members["violated-policies"] == .array([.string("action")]))
            let free = try await site.get("/free")
            #expect(free["RateLimit"] == nil)
            #expect(free["RateLimit-Policy"] == nil)
        }
    }

    @Test("a configured limit applies to all actions besides their own limits, except to probes")
    func configured() async throws {
        var server = Server {
            Search.self
            Free.self
        }
        server.configuration.rateLimit = RateLimit(3, seconds: 3600)
        try await serving(server) { site in
            let first = try await site.get("/search")
            #expect(first["RateLimit-Policy"] == #""action";q=2;w=3600, "server";q=3;w=3600"#)
            for _ in 0..<2 {
                let free = try await site.get("/free")
                #expect(free.status == 200)
            }
            let refused = try await site.get("/free")
            #expect(refused.status == 429)
            let probe = try await site.get("/healthz")
            #expect(probe.status == 200)
        }
    }

    @Test("a known caller is counted at all addresses together")
    func known() async throws {
        let folder = try TemporaryFolder()
        let tokens = TokenStore(Storage.of(folder["data"]))
        let ada = try await tokens.create(name: "ada", scopes: ["a"]).text
        let bob = try await tokens.create(name: "bob", scopes: ["a"]).text
        var server = Server { Mine.self }
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            for (token, status) in [(ada, 200), (bob, 200), (ada, 429), (bob, 429)] {
                let answer = try await site.get("/mine", ("Authorization", "Bearer \(token)"))
                #expect(answer.status == status)
            }
            let stranger = try await site.get("/mine")
            #expect(stranger.status == 401)
        }
    }
}
