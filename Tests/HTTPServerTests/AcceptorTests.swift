import Testing

@testable import HTTPServer

@Suite("How many connections there may be", .blockingClients, .timeLimit(.minutes(5)))
struct AcceptorTests {
    @Test("beyond the bound clients wait, and are served when others close")
    func bound() async throws {
        try await withServer(.any, { $0.connections = 2 }) { server in
            let served = try (0..<2).map { _ in try server.client() }
            for _ in 0..<2 { try roundTrips(served) }
            let waiting = try (0..<3).map { _ in try server.client() }
            for client in waiting { try client.send(get("/waited", "Connection: close\r\n")) }
            try roundTrips(served)
            for client in waiting {
                client.readSome()
                #expect(client.received.isEmpty)
            }
            served[0].close()
            // Each of them closes behind its answer and makes room for the next.
            for client in waiting {
                #expect(try client.answer().text == "/waited")
                #expect(try client.readToEnd() == .closed)
            }
            try roundTrips([served[1]])
        }
    }

    @Test("who has been idle the longest makes room for who comes")
    func reclaims() async throws {
        try await withServer(
            .any,
            {
                $0.connections = 3
                $0.leastIdle = 0
            }
        ) { server in
            let idle = try (0..<3).map { _ in try server.client() }
            for client in idle { try roundTrips([client]) }
            // One goes, and no more than one: nobody waits for the other places.
            try roundTrips([try server.client(), idle[2], idle[1]])
            #expect(try idle[0].readToEnd() == .closed)
        }
    }

    @Test("who waits when the server drains is not served: the bound holds then, too")
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

    private func roundTrips(_ clients: [TestClient]) throws {
        for _ in 0..<20 {
            for client in clients {
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
            }
        }
    }
}
