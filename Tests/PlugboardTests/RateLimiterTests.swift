import Identity
import JSONCodec
import Locking
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
private class Noted: Action<Noted.Input, String>, POST, RateLimited {
    struct Input: Codable, Sendable { var text: String }

    static var path: String { "/noted" }
    static var rateLimit: RateLimit { RateLimit(1, seconds: 3600) }
}
private class Free: Action<Void, String>, GET { static var path: String { "/free" } }

@Suite("Rate limits")
struct RateLimiterTests {
    private let clock = Locked(0)

    init() {
        Search.self <~ { "found" }
        Mine.self <~ { "mine" }
        Noted.self <~ { input in input.text }
        Free.self <~ { "free" }
    }

    private func limiter(_ limit: RateLimit, atMost count: Int = 100) -> RateLimiter {
        let clock = clock
        return RateLimiter("test", limit, atMost: count) { clock.withLock { $0 } }
    }

    private func pass(seconds: Int) { clock.withLock { $0 += seconds * 1_000_000_000 } }

    @Test("each call uses the quota, which is restored after the window")
    func window() {
        let limiter = limiter(RateLimit(2, seconds: 10))
        #expect(limiter.take(.nobody) == .init(isWithin: true, remaining: 1, reset: 10))
        pass(seconds: 4)
        #expect(limiter.take(.nobody) == .init(isWithin: true, remaining: 0, reset: 6))
        #expect(limiter.take(.nobody) == .init(isWithin: false, remaining: 0, reset: 6))
        pass(seconds: 5)
        #expect(limiter.take(.nobody) == .init(isWithin: false, remaining: 0, reset: 1))
        pass(seconds: 1)
        #expect(limiter.take(.nobody) == .init(isWithin: true, remaining: 1, reset: 10))
    }

    @Test("a check uses no quota")
    func look() {
        let limiter = limiter(.perMinute(1))
        for _ in 0..<3 { #expect(limiter.take(.nobody, count: 0).isWithin) }
        #expect(limiter.take(.nobody).isWithin)
        #expect(!limiter.take(.nobody, count: 0).isWithin)
    }

    @Test("each caller has a quota of their own")
    func callers() {
        let limiter = limiter(.perMinute(1))
        #expect(limiter.take(.caller(ExactName(text: "ada"))).isWithin)
        #expect(limiter.take(.caller(ExactName(text: "bob"))).isWithin)
        #expect(!limiter.take(.caller(ExactName(text: "ada"))).isWithin)
    }

    @Test("beyond the limit of callers the most recent ones are stored")
    func bounded() {
        let limiter = limiter(.perMinute(1), atMost: 100)
        #expect(limiter.take(.caller(ExactName(text: "ada"))).isWithin)
        for number in 0..<40 { _ = limiter.take(.caller(ExactName(text: "\(number)"))) }
        #expect(!limiter.take(.caller(ExactName(text: "ada"))).isWithin)
        for number in 0..<200 { _ = limiter.take(.caller(ExactName(text: "other \(number)"))) }
        #expect(limiter.take(.caller(ExactName(text: "ada"))).isWithin)
    }

    @Test("responses have the remaining quota, and beyond it a 429 has Retry-After")
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

    @Test("a configured limit applies to all actions, besides their own, and to no probe")
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
}
