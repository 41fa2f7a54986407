import Testing

@testable import HTTPServer

@Suite("Client disconnects", .blockingClients, .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("a reset cancels the task of the response")
    func reset() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/later/x"))
            await server.stage.signal("x begun").wait()
            client.reset()
            await server.stage.signal("x cancelled").wait()
        }
    }

    @Test("a reset with unread bytes cancels the task of the response")
    func resetWithMore() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/later/x"))
            await server.stage.signal("x begun").wait()
            try client.send(get("/more"))
            try server.turn()
            client.reset()
            await server.stage.signal("x cancelled").wait()
            #expect(server.stage.answered == 21)
        }
    }

    @Test("a close cancels the task of the response")
    func closed() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/later/x"))
            await server.stage.signal("x begun").wait()
            client.close()
            await server.stage.signal("x cancelled").wait()
        }
    }

    @Test("a close with unread bytes cancels the task of the response")
    func closedWithMore() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/later/x"))
            await server.stage.signal("x begun").wait()
            try client.send(get("/more"))
            try server.turn()
            client.close()
            await server.stage.signal("x cancelled").wait()
        }
    }

    @Test("a close cancels the task of a stream that only sends heartbeats")
    func closedStream() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/beat/a"))
            try client.read(until: "\r\n\r\n")
            client.close()
            await server.stage.signal("a cancelled").wait()
        }
    }

    @Test("a reset cancels the task that reads a body's stream")
    func resetStream() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            try client.deliver(post("/stream", "Content-Length: 100") + "hello")
            client.reset()
            await server.stage.signal("stream cancelled").wait()
        }
    }

    /// More of a body than the server takes before its task does.
    private static let much = 150_000

    @Test("a close cancels a task that reads its body slowly")
    func closedBehindBody() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/stream", "Content-Length: 4000000\r\nX-Hold: x"))
            await server.stage.signal("x begun").wait()
            try client.send([UInt8](repeating: 0x61, count: Self.much))
            try server.turn()
            client.close()
            await server.stage.signal("x cancelled").wait()
        }
    }

    @Test("the fastest of several cancellations takes less than 100 ms")
    func soon() async throws {
        let delay = 20
        // What is between the delay and the 100 ms.
        let rest = Duration.milliseconds(100 - HTTPConfiguration().hangUpDelay)
        try await withServer(.any, { $0.hangUpDelay = delay }) { server in
            for (path, leaves) in [
                ("x", { $0.close() }), ("y", { $0.reset() }),
            ] as [(String, (TestClient) -> Void)] {
                var quickest = Duration.seconds(60)
                for index in 0..<100 where quickest >= rest + .milliseconds(delay) {
                    let client = try server.client()
                    try client.send(get("/later/\(path)\(index)"))
                    await server.stage.signal("\(path)\(index) begun").wait()
                    let start = ContinuousClock.now
                    leaves(client)
                    await server.stage.signal("\(path)\(index) cancelled").wait()
                    quickest = min(quickest, ContinuousClock.now - start)
                }
                #expect(quickest < rest + .milliseconds(delay))
            }
        }
    }

    @Test("a reset during a response doesn't affect other clients")
    func resetWhileSent() async throws {
        try await withFile([UInt8](repeating: 1, count: 20_000_000)) { stage, _ in
            try await withServer(stage: stage) { server in
                for path in ["/bytes/20000000", "/file", "/refuse", "/later/x"] {
                    let client = try server.client(receiveBuffer: 4096)
                    try client.send(get("/bytes/200000") + get(path))
                    try client.read(atLeast: 1)
                    client.reset()
                    try server.turn()
                }
            }
        }
    }
}
