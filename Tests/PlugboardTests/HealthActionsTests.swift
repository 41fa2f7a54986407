import Locking
import Logging
import Plug
import PlugHTTP
import Plugboard
import TestLog
import Testing

@Suite("Probes: /healthz and /readyz")
struct HealthActionsTests {
    @Test("every server returns 200 and no-store for them")
    func healthy() async throws {
        try await serving(Server()) { site in
            for path in ["/healthz", "/readyz"] {
                let answer = try await site.get(path)
                #expect(answer.status == 200)
                #expect(answer.text == #"{"status":"ok"}"#)
                #expect(answer.mediaType == "application/json")
                #expect(answer["Cache-Control"] == "no-store")
            }
        }
    }

    @Test("they allow HEAD, and other methods are a 405 with Allow")
    func methods() async throws {
        try await serving(Server()) { site in
            #expect(try await site.send("HEAD", "/healthz").status == 200)
            let refused = try await site.send("POST", "/readyz")
            #expect(refused.status == 405)
            #expect(refused["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test("a failing check is named, and its reason is logged once")
    func failing() async throws {
        let journal = Journal()
        let store = Locked(true)
        StoreAnswers.self <~ { () async throws in
            if !store.withLock({ $0 }) { throw Secret() }
        }
        var server = Server(logger: journal.logger)
        server.readiness = [ReadinessCheck(StoreAnswers.self)]
        try await serving(server) { site in
            #expect(try await site.get("/readyz").status == 200)
            store.withLock { $0 = false }
            for _ in 0..<2 {
                let answer = try await site.get("/readyz")
                #expect(answer.status == 503)
                #expect(answer.mediaType == "application/problem+json")
                #expect(answer.text.contains("not ready: StoreAnswers"))
                #expect(!answer.text.contains("hunter2"))
            }
            #expect(try await site.get("/healthz").status == 200)
            #expect(journal.lines == ["warning: not ready: StoreAnswers: hunter2"])
            store.withLock { $0 = true }
            #expect(try await site.get("/readyz").status == 200)
            #expect(journal.lines.last == "notice: ready again: StoreAnswers")
        }
    }

    @Test("a check that only writes need: /readyz is 200 and names it, with for=write it is 503")
    func writes() async throws {
        LostStore.self <~ { () async throws in throw Secret() }
        var server = Server(logger: Journal().logger)
        server.readiness = [ReadinessCheck(LostStore.self, for: .write)]
        try await serving(server) { site in
            for path in ["/readyz", "/readyz?for=read", "/readyz?verbose"] {
                let answer = try await site.get(path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.text == #"{"status":"ok","unavailable":["LostStore"]}"#)
            }
            let strict = try await site.get("/readyz?for=write")
            #expect(strict.status == 503)
            #expect(strict.text.contains("not ready: LostStore"))
        }
    }

    @Test("a failing check for reads counts for writes, too", arguments: ["read", "write"])
    func reads(use: String) async throws {
        LostStore.self <~ { () async throws in throw Secret() }
        var server = Server(logger: Journal().logger)
        server.readiness = [ReadinessCheck(LostStore.self)]
        try await serving(server) { site in
            let answer = try await site.get("/readyz?for=\(use)")
            #expect(answer.status == 503)
        }
    }

    @Test("an unknown use is 422", arguments: ["reads", "READ", "write,read"])
    func unknownUse(use: String) async throws {
        try await serving(Server()) { site in
            let answer = try await site.get("/readyz?for=\(use)")
            #expect(answer.status == 422)
            #expect(answer["Cache-Control"] == "no-store")
        }
    }

    @Test("an unplugged action is a failing check")
    func unplugged() async throws {
        var server = Server(logger: Journal().logger)
        server.readiness = [ReadinessCheck(NobodyAnswers.self)]
        try await serving(server) { site in
            let answer = try await site.get("/readyz")
            #expect(answer.status == 503)
        }
    }

    @Test("an application's own action at such a path replaces the server's")
    func replaced() async throws {
        OwnHealth.self <~ { "fine" }
        let server = Server { OwnHealth.self }
        try await serving(server) { site in
            let own = try await site.get("/healthz")
            let ours = try await site.get("/readyz")
            #expect(own.text == "\"fine\"")
            #expect(ours.status == 200)
        }
    }

    @Test("while the server drains, the operations port has /readyz as 503 and /healthz as 200")
    func draining() async throws {
        let server = operated(Server())
        try await serving(server) { site in
            #expect(try await site.operations("/readyz").status == 200)
            site.running.drain()
            let answer = try await site.operations("/readyz")
            #expect(answer.status == 503)
            #expect(answer.text.contains("the server is stopping"))
            #expect(try await site.operations("/healthz").status == 200)
        }
    }
}

/// The server with an operations port that the system chooses.
func operated(_ server: Server) -> Server {
    var server = server
    var operations = Server.Configuration.Operations()
    operations.port = 0
    server.configuration.operations = operations
    return server
}

private class StoreAnswers: Action<Void, Void> {}
private class LostStore: Action<Void, Void> {}
private class NobodyAnswers: Action<Void, Void> {}

private class OwnHealth: Action<Void, String>, GET {
    static var path: String { "/healthz" }
}

private struct Secret: Error, CustomStringConvertible {
    var description: String { "hunter2" }
}
