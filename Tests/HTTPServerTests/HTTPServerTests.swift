import System
import Glibc
import Testing

@testable import HTTPServer

@Suite("Draining server", .blockingClients, .timeLimit(.minutes(5)))
struct ServerDrainTests {
    @Test("a response in progress completes, with Connection: close (RFC 9112 §9.6)")
    func inFlight() async throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(get("/later/x"))
        await server.stage.signal("x begun").wait()
        try server.drain()
        server.stage.signal("x").give()
        let answer = try client.answer()
        #expect(answer.text == "x")
        #expect(answer.field("connection") == "close")
        #expect(try client.readToEnd() == .closed)
        client.close()
        await server.server.waitUntilStopped()
    }

    @Test("idle connections close at once, and new ones are rejected")
    func idle() async throws {
        let server = try TestServer(.any) { $0.loops = 2 }
        let clients = try (0..<8).map { _ in try server.client() }
        for client in clients {
            try client.send(get("/a"))
            #expect(try client.answer().text == "/a")
        }
        let busy = try server.client()
        try busy.send(get("/later/x"))
        await server.stage.signal("x begun").wait()
        server.server.drain()
        for client in clients { #expect(try client.readToEnd() == .closed) }
        #expect(throws: SystemError.self) { try server.client() }
        server.stage.signal("x").give()
        #expect(try busy.answer().text == "x")
        busy.close()
        await server.server.waitUntilStopped()
    }

    @Test("a streamed response completes")
    func body() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            try client.deliver(post("/echo", "Content-Length: 5") + "he")
            try server.drain()
            try client.send("llo" + get("/next"))
            let answer = try client.answer()
            #expect(answer.text == "hello")
            #expect(answer.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
            #expect(client.received.isEmpty)
        }
    }

    @Test("clients in the kernel's queue and requests on idle connections are served")
    func waiting() async throws {
        let server = try TestServer()
        let idle = try server.client()
        try idle.send(get("/first"))
        #expect(try idle.answer().text == "/first")
        let blocking = try server.client()
        try blocking.send(get("/block/x"))
        await server.stage.signal("x begun").wait()
        // The loop is blocked: none of these is accepted or read before the drain begins.
        let clients = try (0..<200).map { _ in try server.client() }
        for client in clients + [idle] { try client.send(get("/waited")) }
        server.server.drain()
        server.stage.signal("x").give()
        for client in clients + [idle] {
            let answer = try client.answer()
            #expect(answer.text == "/waited")
            #expect(answer.field("connection") == "close")
            client.close()
        }
        blocking.close()
        await server.server.waitUntilStopped()
    }

    @Test("a client with unread requests can read the last response")
    func pipelined() async throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send(get("/later/x") + String(repeating: get("/more"), count: 20_000))
        await server.stage.signal("x begun").wait()
        try server.drain()
        server.stage.signal("x").give()
        let answer = try client.answer()
        #expect(answer.text == "x")
        #expect(answer.field("connection") == "close")
        #expect(try client.readToEnd() == .closed)
        #expect(client.received.isEmpty)
        client.close()
        await server.server.waitUntilStopped()
    }

    @Test("a large response is sent to its end before the connection closes")
    func blocked() async throws {
        let server = try TestServer()
        let client = try server.client(receiveBuffer: 4096)
        try client.send(get("/bytes/20000000"))
        try client.read(atLeast: 1)
        try server.drain()
        #expect(try client.answer().body.count == 20_000_000)
        #expect(try client.readToEnd() == .closed)
        client.close()
        await server.server.waitUntilStopped()
    }

    @Test("after a large response the next request is served, then the connection closes")
    func blockedWithMore() async throws {
        let server = try TestServer()
        let client = try server.client(receiveBuffer: 4096)
        try client.send(get("/bytes/20000000") + get("/next") + get("/never"))
        try client.read(atLeast: 1)
        try server.drain()
        #expect(try client.answer().body.count == 20_000_000)
        let answer = try client.answer()
        #expect(answer.text == "/next")
        #expect(answer.field("connection") == "close")
        #expect(try client.readToEnd() == .closed)
        client.close()
        await server.server.waitUntilStopped()
    }

    @Test("a partial head has the linger timeout, not the head timeout")
    func halfHead() async throws {
        try await withUnixServer({ $0.lingerTimeout = 4 }) { server in
            let clients = try (0..<2).map { _ in try server.client() }
            for client in clients { try client.deliver("GET /late HT") }
            try server.drain()
            try clients[0].send("TP/1.1\r\nHost: a\r\n\r\n")
            let answer = try clients[0].answer()
            #expect(answer.text == "/late")
            #expect(answer.field("connection") == "close")
            #expect(try clients[1].readToEnd() == .closed)
            #expect(clients[1].received.isEmpty)
        }
    }

    @Test("after the drain timeout tasks are cancelled and the loops end")
    func timeout() async throws {
        let server = try TestServer(.any) { $0.drainTimeout = 1 }
        let promised = try server.client()
        try promised.send(get("/later/x"))
        let unfinished = try server.client()
        try unfinished.send("GET / HT")
        await server.stage.signal("x begun").wait()
        try server.turn()
        server.server.drain()
        await server.server.waitUntilStopped()
        await server.stage.signal("x cancelled").wait()
        #expect(try promised.readToEnd() == .closed)
        #expect(promised.received.isEmpty)
        _ = try unfinished.readToEnd()
    }

    @Test("draining twice equals draining once, and early and late waiters resume")
    func twice() async throws {
        let server = try TestServer(.any) { $0.loops = 3 }
        let first = Task { await server.server.waitUntilStopped() }
        server.server.drain()
        server.server.drain()
        await first.value
        await server.server.waitUntilStopped()
        server.server.drain()
    }

    @Test("a server that was never started has stopped")
    func neverStarted() async throws {
        let server = try HTTPServer(
            address: .any,
            configuration: HTTPConfiguration(),
            logger: .silent
        ) { TestResponder(Stage()) }
        await server.waitUntilStopped()
        server.drain()
    }
}
