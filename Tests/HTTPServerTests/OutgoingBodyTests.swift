import Testing

@testable import HTTPServer

@Suite("Streamed response bodies", .blockingClients, .timeLimit(.minutes(5)))
struct OutgoingBodyTests {
    @Test("a streamed body is sent in chunks as they are produced (RFC 9112 §7.1)")
    func chunks() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/step/a"))
            server.stage.signal("a1").give()
            try client.read(until: "2\r\na1\r\n")
            server.stage.signal("a2").give()
            try client.read(until: "2\r\na2\r\n")
            server.stage.signal("a3").give()
            for step in 4...9 { server.stage.signal("a\(step)").give() }
            try client.read(until: "0\r\n\r\n")
            let text = client.takeText()
            #expect(text.contains("\r\nTransfer-Encoding: chunked\r\n"))
            #expect(!text.contains("Content-Length"))
        }
    }

    @Test("after a streamed body the connection serves the next request")
    func keepAlive() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/pieces/3/2") + get("/next") + get("/pieces/0") + get("/last"))
            try client.read(until: "0\r\n\r\n")
            let text = client.takeText(through: "0\r\n\r\n")
            #expect(text.hasSuffix("2\r\npp\r\n2\r\npp\r\n2\r\npp\r\n0\r\n\r\n"))
            #expect(try client.answer().text == "/next")
            try client.read(until: "0\r\n\r\n")
            _ = client.takeText(through: "0\r\n\r\n")
            #expect(try client.answer().text == "/last")
        }
    }

    @Test("in HTTP/1.0 a streamed body ends with the connection (RFC 9112 §6.3)")
    func http10() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("GET /pieces/2/3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.readToEnd() == .closed)
            let text = client.takeText()
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(text.hasSuffix("\r\n\r\npppppp"))
        }
    }

    @Test("HEAD doesn't start a streamed body (RFC 9110 §9.3.2)")
    func head() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("HEAD /pieces/2/3 HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"))
            let answer = try client.answer(toHead: true)
            #expect(answer.field("transfer-encoding") == "chunked")
            #expect(try client.answer().text == "/next")
            #expect(!server.stage.signal("first made").isGiven)
        }
    }

    @Test("a body that fails lacks its last chunk, and the connection closes (RFC 9112 §8)")
    func broken() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/broken") + get("/next"))
            #expect(try client.readToEnd() == .closed)
            #expect(client.takeText().hasSuffix("5\r\nbegun\r\n"))
        }
    }

    @Test("a client that doesn't read pauses the stream after one window")
    func backPressure() async throws {
        try await withUnixServer { server in
            let client = try server.client(receiveBuffer: 4096)
            try client.send(get("/pieces/4000/4096"))
            await server.stage.signal("first made").wait()
            try server.turn()
            #expect(!server.stage.signal("all made").isGiven)
            try client.read(until: "\r\n0\r\n\r\n")
            #expect(client.received.count > 4000 * 4096)
        }
    }

    @Test("a client that doesn't read for too long is disconnected")
    func stalled() async throws {
        try await withUnixServer({ $0.writeTimeout = 1 }) { server in
            let client = try server.client(receiveBuffer: 4096)
            try client.send(get("/pieces/100000/4096"))
            await server.stage.signal("first made").wait()
            try pass(seconds: 3)
            _ = try client.readToEnd()
            #expect(!server.stage.signal("all made").isGiven)
        }
    }

    @Test("a client that disconnects cancels the stream's task")
    func clientGone() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/step/a"))
            await server.stage.signal("a1 begun").wait()
            client.close()
            await server.stage.signal("a cancelled").wait()
        }
    }

    @Test("a streamed body can begin before the request's body is complete")
    func duplex() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/stream", "X-Echo: 1\r\nContent-Length: 6"))
            try client.send("abc")
            try client.read(until: "3\r\nabc\r\n")
            try client.send("def" + get("/next"))
            try client.read(until: "3\r\ndef\r\n0\r\n\r\n")
            _ = client.takeText(through: "0\r\n\r\n")
            #expect(try client.answer().text == "/next")
        }
    }

    @Test("HEAD with a body gets no response body, and the rest isn't parsed as a request")
    func headDuplex() async throws {
        try await withServer { server in
            let client = try server.client()
            let fields = "Host: h\r\nX-Echo: 1\r\nContent-Length: 100\r\n\r\n"
            try client.send("HEAD /stream HTTP/1.1\r\n" + fields)
            try client.read(until: "\r\n\r\n")
            try client.send(get("/smuggled"))
            _ = try client.readToEnd()
            let received = client.takeText()
            #expect(received.contains("Connection: close"))
            #expect(!received.contains("/smuggled"))
        }
    }

    @Test("an invalid request body ends a begun response without an error response")
    func brokenDuplex() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/stream", "X-Echo: 1\r\nTransfer-Encoding: chunked"))
            try client.send("3\r\nabc\r\n")
            try client.read(until: "3\r\nabc\r\n")
            try client.send("nonsense\r\n")
            _ = try client.readToEnd()
            #expect(!client.takeText().contains("400"))
        }
    }
}

@Suite("Streams with heartbeats", .blockingClients, .timeLimit(.minutes(5)))
struct HeartbeatTests {
    @Test("an idle stream sends heartbeats")
    func heartbeat() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try server.client()
            try client.send(get("/beat/a"))
            try client.read(until: "1\r\n*\r\n1\r\n*\r\n")
            server.stage.signal("a1").give()
            try client.read(until: "2\r\na1\r\n")
        }
    }

    @Test("a stream that may no longer run ends complete at its next heartbeat")
    func watched() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try server.client()
            try client.send(get("/watched/a") + get("/next"))
            try client.read(until: "1\r\n*\r\n")
            server.stage.signal("a over").give()
            try client.read(until: "\r\n0\r\n\r\n")
            _ = client.takeText(through: "\r\n0\r\n\r\n")
            server.stage.signal("a comes").give()
            #expect(try client.answer().text == "/next")
        }
    }

    @Test("draining ends the stream with its last chunk")
    func drain() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/beat/a"))
            await server.stage.signal("a1 begun").wait()
            server.server.drain()
            await server.stage.signal("a cancelled").wait()
            #expect(try client.readToEnd() == .closed)
            #expect(client.takeText().hasSuffix("\r\n\r\n0\r\n\r\n"))
        }
    }
}
