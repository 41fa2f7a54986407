import Testing

@testable import HTTPServer

@Suite("Connection limit", .blockingClients, .timeLimit(.minutes(5)))
struct AcceptorTests {
    @Test("above the limit clients wait, and are served when others close")
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

    private func roundTrips(_ clients: [TestClient]) throws {
        for _ in 0..<20 {
            for client in clients {
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
            }
        }
    }

    @Test("a connection that was reset before its acceptance still has its address")
    func addressAfterReset() async throws {
        try await withServer(.any) { server in
            // The loop accepts it when it has gone already.
            let busy = try server.client()
            try busy.send(get("/block/gate"))
            await server.stage.signal("gate begun").wait()
            let client = try server.client()
            try client.send(get("/address/reset"))
            client.reset()
            server.stage.signal("gate").give()
            await server.stage.signal("127.0.0.1").wait()
            #expect(try busy.answer().text == "gate")
        }
    }
}
