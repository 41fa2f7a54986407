import Testing

@testable import HTTPServer

@Suite("Acceptance of connections by a loop", .blockingClients, .timeLimit(.minutes(5)))
struct EventLoopAcceptingTests {
    private func roundTrips(_ clients: [TestClient]) throws {
        for _ in 0..<20 {
            for client in clients {
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
            }
        }
    }

    @Test("bytes sent before the connection is accepted are served")
    func early() async throws {
        try await withServer { server in
            let blocking = try server.client()
            try blocking.send(get("/block/x"))
            await server.stage.signal("x begun").wait()
            // The loop is held up: all of these find their bytes there when they are accepted.
            let closing = try server.client()
            try closing.send(get("/closing", "Connection: close\r\n"))
            let later = try server.client()
            try later.send(get("/later/y"))
            let half = try server.client()
            try half.send("GET /half HTTP/1.1\r\nHo")
            let body = try server.client()
            try body.send(post("/echo", "Content-Length: 5") + "he")
            let wrong = try server.client()
            try wrong.send("nonsense\r\n\r\n")
            let large = try server.client()
            try large.send(get("/bytes/8000000") + get("/next"))
            let gone = try server.client()
            try gone.send(get("/gone"))
            gone.close()
            server.stage.signal("x").give()

            #expect(try closing.answer().text == "/closing")
            #expect(try closing.readToEnd() == .closed)
            #expect(try wrong.answer().status == 400)
            #expect(try wrong.readToEnd() == .closed)
            server.stage.signal("y").give()
            #expect(try later.answer().text == "y")
            try half.send("st: a\r\n\r\n")
            #expect(try half.answer().text == "/half")
            try body.send("llo")
            #expect(try body.answer().text == "hello")
            #expect(try large.answer().body.count == 8_000_000)
            #expect(try large.answer().text == "/next")
            // None of them is left in a state of its own.
            try roundTrips([later, half, body, large])
        }
    }

    @Test("a new client replaces the connection that was idle the longest")
    func reclaims() async throws {
        try await withServer(
            .any,
            {
                $0.connections = 3
                $0.minimumIdle = 0
            }
        ) { server in
            let idle = try (0..<3).map { _ in try server.client() }
            for client in idle { try roundTrips([client]) }
            // Exactly one connection is closed, since no client waits for the other places.
            try roundTrips([try server.client(), idle[2], idle[1]])
            #expect(try idle[0].readToEnd() == .closed)
        }
    }

    @Test("a drain serves the first request of a client that has just connected, and no second one")
    func newWhileDraining() async throws {
        let server = try TestServer(.any) { $0.lingerTimeout = 10 }
        let reused = try server.client()
        try roundTrips([reused])
        let clients = try (0..<20).map { _ in try server.client() }
        server.server.drain()
        // The drain has begun: the connection between two requests is closed.
        #expect(try reused.readToEnd() == .closed)
        for client in clients {
            try client.send(get("/first"))
            #expect(try client.answer().text == "/first")
            #expect(try client.readToEnd() == .closed)
        }
        await server.server.waitUntilStopped()
    }

    @Test("a drain waits only briefly for a new client that sends nothing, or a part of a head")
    func silentWhileDraining() async throws {
        let server = try TestServer(.any) { $0.lingerTimeout = 1 }
        let silent = try server.client()
        let slow = try server.client()
        try slow.send("GET / HTTP/1.1\r\nHo")
        server.server.drain()
        await server.server.waitUntilStopped()
        #expect(try silent.readToEnd() == .closed)
        #expect(try slow.readToEnd() == .closed)
        #expect(silent.received.isEmpty)
    }

    @Test("a client that waits above the limit isn't served during a drain")
    func boundWhileDraining() async throws {
        let server = try TestServer(.any) { $0.connections = 1 }
        let served = try server.client()
        try roundTrips([served])
        let waiting = try server.client()
        try waiting.send(get("/waited"))
        server.server.drain()
        #expect(try served.readToEnd() == .closed)
        _ = try waiting.readToEnd()
        #expect(waiting.received.isEmpty)
        await server.server.waitUntilStopped()
    }

    @Test("during a drain a closed connection makes room for the next client")
    func placesWhileDraining() async throws {
        let server = try TestServer(.any) { $0.connections = 2 }
        let blocking = try server.client()
        try blocking.send(get("/block/x"))
        await server.stage.signal("x begun").wait()
        let waiting = try (0..<5).map { _ in try server.client() }
        for client in waiting { try client.send(get("/waited", "Connection: close\r\n")) }
        server.server.drain()
        server.stage.signal("x").give()
        for client in waiting {
            #expect(try client.answer().text == "/waited")
            #expect(try client.readToEnd() == .closed)
        }
        blocking.close()
        await server.server.waitUntilStopped()
    }
}
