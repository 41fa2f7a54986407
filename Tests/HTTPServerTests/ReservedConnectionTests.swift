import Testing

@testable import HTTPServer

@Suite("Connections beyond the limit", .blockingClients)
struct ReservedConnectionTests {
    @Test("reserved connections get one response and close; earlier ones continue")
    func reserved() async throws {
        try await withServer(
            .any,
            {
                $0.connections = 2
                $0.reservedConnections = 2
            }
        ) { server in
            let within = try (0..<2).map { _ in try server.client() }
            for client in within {
                try client.send(get("/place"))
                #expect(try client.answer().text == "within the limit")
                // Busy: an idle one would be closed for the next client.
                try client.send("GET /place HTTP/1.1\r\n")
            }
            for _ in 0..<3 {
                let beyond = try server.client()
                try beyond.send(get("/place") + get("/place"))
                let answer = try beyond.answer()
                #expect(answer.text == "reserved")
                #expect(answer.field("Connection") == "close")
                _ = try beyond.readToEnd()
            }
            try within[0].send("Host: a\r\n\r\n")
            #expect(try within[0].answer().text == "within the limit")
        }
    }

    @Test("an idle connection closes for a new one, which isn't reserved")
    func idle() async throws {
        try await withServer(
            .any,
            {
                $0.connections = 1
                $0.minimumIdle = 0
                $0.reservedConnections = 1
            }
        ) { server in
            let idle = try server.client()
            try idle.send(get("/place"))
            #expect(try idle.answer().text == "within the limit")
            let next = try server.client()
            try next.send(get("/place"))
            #expect(try next.answer().text == "within the limit")
            _ = try idle.readToEnd()
        }
    }

    @Test("a reserved connection is within the limit after another one closes")
    func promoted() async throws {
        try await withServer(
            .any,
            {
                $0.connections = 1
                $0.reservedConnections = 1
            }
        ) { server in
            let first = try server.client()
            try first.send(get("/place"))
            #expect(try first.answer().text == "within the limit")
            try first.send("GET /place HTTP/1.1\r\n")
            let second = try server.client()
            try second.send("GET /place HTTP/1.1\r\n")
            try first.send("Host: a\r\nConnection: close\r\n\r\n")
            _ = try first.readToEnd()
            first.close()
            // The kernel reports the close before the bytes that follow.
            try second.send("Host: a\r\n\r\n")
            #expect(try second.answer().text == "within the limit")
        }
    }
}
