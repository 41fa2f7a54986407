import Testing

@testable import HTTPServer

/// The poller tells of bytes once (epoll(7), EPOLLET): what a connection leaves of them it has to ask
/// for, since nothing else that comes might wake it.
@Suite("Unread bytes of a connection", .blockingClients, .timeLimit(.minutes(5)))
struct ConnectionWaitingTests {
    @Test("bytes after a full read buffer are read")
    func fullBuffer() async throws {
        try await whileHeldUp { client in
            // The first read ends where a request does.
            let size = 2048
            let rest = size - get("/a", "X: \r\n").utf8.count
            let padded = get("/a", "X: \(String(repeating: "x", count: rest))\r\n")
            let count = LoopResources.readSize / size
            try client.send(String(repeating: padded, count: count) + get("/next"))
            return { () throws in
                for _ in 0..<count { #expect(try client.answer().text == "/a") }
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("the end that arrives with a request is read")
    func end() async throws {
        try await whileHeldUp { client in
            try client.send(get("/a"))
            client.halfClose()
            return { () throws in
                #expect(try client.answer().text == "/a")
                #expect(try client.readToEnd() == .closed)
            }
        }
    }

    @Test("bytes that arrive during other clients' turns are read")
    func turn() async throws {
        try await withServer { server in
            let client = try server.client()
            let some = String(repeating: get("/a"), count: LoopResources.turn + 10)
            let many = String(repeating: get("/a"), count: 3 * LoopResources.turn)
            try client.send(some + get("/block/x") + many)
            await server.stage.signal("x begun").wait()
            try client.send(get("/last"))
            server.stage.signal("x").give()
            for _ in 0..<LoopResources.turn + 10 { #expect(try client.answer().text == "/a") }
            #expect(try client.answer().text == "x")
            for _ in 0..<3 * LoopResources.turn { #expect(try client.answer().text == "/a") }
            #expect(try client.answer().text == "/last")
        }
    }

    @Test("bytes after the last response are read to the end")
    func lingering() async throws {
        try await withServer(
            .any,
            {
                $0.connections = 2; $0.lingerTimeout = 300
            }
        ) { server in
            let blocking = try server.client()
            let client = try server.client()
            try blocking.send(get("/block/x"))
            await server.stage.signal("x begun").wait()
            try client.send(post("/echo", "Content-Length: 999999999999"))
            _ = try client.sendSome(
                [UInt8](repeating: 0x78, count: 4 * LoopResources.readSize)[...]
            )
            client.halfClose()
            server.stage.signal("x").give()
            #expect(try client.answer().status == 413)
            // There is a place for this one when the other is gone.
            let next = try server.client()
            try next.send(get("/next"))
            #expect(try next.answer().text == "/next")
        }
    }

    /// Has a client send what a loop finds all at once, and then expect what is returned.
    private func whileHeldUp(
        _ send: (TestClient) throws -> () throws -> Void
    ) async throws {
        try await withServer { server in
            let client = try server.client()
            let blocking = try server.client()
            try blocking.send(get("/block/x"))
            await server.stage.signal("x begun").wait()
            let expect = try send(client)
            server.stage.signal("x").give()
            try expect()
        }
    }
}
