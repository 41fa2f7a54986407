import Testing

@testable import HTTPServer

@Suite(
    "Response heads and the connection's end (RFC 9112 §9)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ConnectionWritingTests {
    @Test("HEAD has GET's fields and no body (RFC 9110 §9.3.2)")
    func head() async throws {
        try await withFile([UInt8](repeating: 1, count: 100_000)) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client()
                for path in ["/hello", "/later/x", "/bytes/300000", "/file", "/file/0-10"] {
                    server.stage.signal("x").give()
                    try client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"))
                    let head = try client.answer(toHead: true)
                    #expect(head.status == 200)
                    #expect(head.field("content-length") != "0")
                    #expect(try client.answer().text == "/next")
                }
            }
        }
    }

    @Test("a rejected HEAD has no body; another rejected head has one")
    func refusedHead() async throws {
        try await withServer { server in
            let first = try server.client()
            try first.send("HEAD /a HTTP/1.1\r\n\r\n")
            #expect(try first.answer(toHead: true).status == 400)
            #expect(try first.readToEnd() == .closed)
            #expect(first.received.isEmpty)
            let second = try server.client()
            try second.send("\rX")
            #expect(try second.answer().status == 400)
        }
    }

    @Test("HTTP/1.0 closes unless it requests keep-alive (RFC 9112 §9.3, appendix C.2.2)")
    func http10() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.answer().field("connection") == "keep-alive")
            try client.send("GET /b HTTP/1.0\r\n\r\n")
            let last = try client.answer()
            #expect(last.text == "/b")
            #expect(last.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("Connection: close closes after the response, and later requests aren't served (§9.6)")
    func close() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/a") + get("/b", "Connection: close\r\n") + get("/c"))
            #expect(try client.answer().field("connection") == nil)
            #expect(try client.answer().field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
            #expect(client.received.isEmpty)
            #expect(server.stage.answered == 2)
        }
    }

    @Test("a delayed response to Connection: close closes as well")
    func closeLater() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/later/a", "Connection: close\r\n"))
            await server.stage.signal("a begun").wait()
            server.stage.signal("a").give()
            #expect(try client.answer().text == "a")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("a client with unread requests can read the last response (§9.6)")
    func closeWithMore() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/close"))
            // More than one read takes: closing with bytes unread would reset the connection.
            try client.send(String(repeating: get("/more"), count: 20_000))
            let answer = try client.answer()
            #expect(answer.text == "closing")
            #expect(answer.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
            #expect(server.stage.answered == 1)
        }
    }

    @Test(
        "a line end after the last request doesn't cut its response (RFC 9112 §2.2, §9.6)",
        arguments: [
            get("/later/x", "Connection: close\r\n"), "GET /later/x HTTP/1.0\r\n\r\n",
            post("/later/x", "Connection: close\r\nContent-Length: 1") + "a",
        ]
    )
    func lineEnd(request: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(request)
            await server.stage.signal("x begun").wait()
            try client.send("\r\n")
            try server.turn()
            server.stage.signal("x").give()
            #expect(try client.answer().text == "x")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("bytes sent while a large last response is read don't cut it (§9.6)")
    func behindLarge() async throws {
        try await withFile([UInt8](repeating: 1, count: 200_000)) { stage, _ in
            try await withServer(stage: stage) { server in
                for path in ["/bytes/200000", "/file"] {
                    let client = try server.client(receiveBuffer: 4096)
                    try client.send(get(path, "Connection: close\r\n"))
                    try client.read(atLeast: 1)
                    try client.send("\r\n")
                    #expect(try client.answer().body.count == 200_000)
                    #expect(try client.readToEnd() == .closed)
                }
            }
        }
    }

    @Test("a client that has closed its side receives its response, however large")
    func halfClosed() async throws {
        try await withFile([UInt8](repeating: 1, count: 3_000_000)) { stage, _ in
            try await withServer(stage: stage, { $0.hangUpDelay = 60_000 }) { server in
                for path in ["/bytes/20000000", "/file", "/small", "/later/x"] {
                    let client = try server.client(receiveBuffer: 4096)
                    try client.send(get(path))
                    client.halfClose()
                    try server.turn()
                    server.stage.signal("x").give()
                    #expect(try client.answer().status == 200)
                    #expect(try client.readToEnd() == .closed)
                }
            }
        }
    }

    @Test("responses have Date and Content-Length (RFC 9110 §6.6.1, §8.6)")
    func fields() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/hello"))
            let answer = try client.answer()
            #expect(answer.field("date")?.hasSuffix(" GMT") == true)
            #expect(answer.field("content-length") == "6")
        }
    }
}
