import Testing

@testable import HTTPServer

@Suite("Timeouts of a connection (RFC 9110 §15.5.9)", .blockingClients, .timeLimit(.minutes(5)))
struct ConnectionTimeoutsTests {
    @Test("a head that isn't complete in time is 408, and the connection is closed")
    func slowHead() async throws {
        try await withServer(.any, { $0.headTimeout = 1 }) { server in
            let client = try server.client()
            try client.send(get("/first") + "GET / HT")
            #expect(try client.answer().text == "/first")
            let answer = try client.answer()
            #expect(answer.status == 408)
            #expect(answer.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("a head that arrives byte by byte doesn't extend its timeout")
    func tricklingHead() async throws {
        try await withServer(.any, { $0.headTimeout = 1 }) { server in
            let client = try server.client()
            try client.send("GET /")
            while client.received.isEmpty {
                try client.send("x")
                try server.turn()
                client.readSome()
            }
            #expect(try client.answer().status == 408)
        }
    }

    @Test("an incomplete head of HEAD has a 408 without a body (RFC 9110 §9.3.2)")
    func slowHeadOfHead() async throws {
        try await withServer(.any, { $0.headTimeout = 1 }) { server in
            for before in ["", "\r\n", get("/a")] {
                let client = try server.client()
                try client.send(before + "HEAD /a HT")
                if before.hasPrefix("GET") { #expect(try client.answer().text == "/a") }
                #expect(try client.answer(toHead: true).status == 408)
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.isEmpty)
            }
        }
    }

    @Test("a 408 after a HEAD request has a body")
    func slowHeadBehindHead() async throws {
        try await withServer(.any, { $0.headTimeout = 1 }) { server in
            let client = try server.client()
            try client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\nGET")
            #expect(try client.answer(toHead: true).status == 200)
            #expect(try client.answer().text.contains("408"))
        }
    }

    @Test("an empty line after a body doesn't begin a request (RFC 9112 §2.2)")
    func emptyLine() async throws {
        try await withServer(
            .any,
            {
                $0.headTimeout = 1
                $0.idleTimeout = 3
            }
        ) { server in
            for line in ["\r\n", "\r"] {
                let client = try server.client()
                try client.send(get("/a") + line)
                #expect(try client.answer().text == "/a")
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.isEmpty)
            }
            let client = try server.client()
            try client.send("\r\n")
            try server.turn()
            try client.send("G")
            #expect(try client.answer().status == 408)
        }
    }

    @Test("an idle connection, new or kept alive, is closed without a response")
    func idle() async throws {
        try await withServer(.any, { $0.idleTimeout = 4 }) { server in
            let new = try server.client()
            let kept = try server.client()
            try kept.send(get("/a"))
            #expect(try kept.answer().text == "/a")
            for client in [new, kept] {
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.isEmpty)
            }
        }
    }

    @Test(
        "a body that stalls is 408, collected or streamed",
        arguments: ["/echo", "/stream"],
        ["Content-Length: 9\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n9\r\nhello"]
    )
    func slowBody(path: String, body: String) async throws {
        try await withServer(.any, { $0.bodyTimeout = 1 }) { server in
            let client = try server.client()
            try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(body)")
            let answer = try client.answer()
            #expect(answer.status == 408)
            #expect(answer.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test(
        "a body that arrives byte by byte is 408",
        arguments: ["/large", "/stream"]
    )
    func tricklingBody(path: String) async throws {
        try await withServer(.any, { $0.bodyTimeout = 1 }) { server in
            let client = try server.client()
            try client.send(post(path, "Content-Length: 1000000"))
            while client.received.isEmpty {
                try client.send("x")
                for _ in 0..<5 { try server.turn() }
                client.readSome()
            }
            #expect(try client.answer().status == 408)
        }
    }

    @Test("a body slower than the minimum rate is 408")
    func slowRate() async throws {
        try await withServer(
            .any,
            {
                $0.bodyTimeout = 1
                $0.minimumRate = 1_000_000_000
            }
        ) { server in
            let client = try server.client()
            try client.send(post("/large", "Content-Length: 4000000"))
            while client.received.isEmpty {
                try client.send("some")
                for _ in 0..<5 { try server.turn() }
                client.readSome()
            }
            #expect(try client.answer().status == 408)
        }
    }

    @Test("a client that doesn't read is disconnected, and costs at most one response")
    func unread() async throws {
        try await withFile([UInt8](repeating: 1, count: 20_000_000)) { stage, _ in
            try await withServer(.any, stage: stage, { $0.writeTimeout = 1 }) { server in
                for path in ["/bytes/20000000", "/file"] {
                    let before = stage.answered
                    let client = try server.client(receiveBuffer: 4096)
                    try client.send(String(repeating: get(path), count: 100))
                    try pass(seconds: 3)
                    #expect(stage.answered == before + 1)
                    _ = try client.readToEnd()
                    #expect(client.received.count < 20_000_000)
                }
            }
        }
    }

    @Test("a client that reads slowly isn't disconnected")
    func slowReader() async throws {
        try await withServer(.any, { $0.writeTimeout = 7 }) { server in
            let client = try server.client(receiveBuffer: 4096)
            try client.send(get("/bytes/20000000"))
            for part in 1...4 {
                try client.read(atLeast: part * 4_000_000)
                try pass(seconds: 2)
            }
            #expect(try client.answer().body.count == 20_000_000)
        }
    }

    @Test("a slow reader of many pipelined responses isn't disconnected")
    func slowReaderOfMany() async throws {
        try await withFile([UInt8](repeating: 1, count: 300_000)) { stage, _ in
            try await withServer(.any, stage: stage, { $0.writeTimeout = 2 }) { server in
                let client = try server.client(receiveBuffer: 4096)
                try client.send(String(repeating: get("/file"), count: 40))
                for part in 1...5 {
                    try client.read(atLeast: part * 1_500_000)
                    try pass(seconds: 1)
                }
                for _ in 0..<40 { #expect(try client.answer().body.count == 300_000) }
            }
        }
    }

    @Test("a reader too slow to make the socket writable isn't disconnected")
    func slowestReader() async throws {
        try await withServer(.any, { $0.writeTimeout = 2 }) { server in
            for path in ["/bytes/20000000", "/later/x"] {
                let client = try server.client(receiveBuffer: 4096)
                try client.send(get(path) + get("/bytes/20000000"))
                server.stage.signal("x").give()
                for part in 1...5 {
                    try client.read(atLeast: part * 60_000)
                    try pass(seconds: 1)
                }
                if path == "/later/x" { #expect(try client.answer().text == "x") }
                #expect(try client.answer().body.count == 20_000_000)
            }
        }
    }

    @Test("a read response ends the write timeout, so that the next may take longer")
    func promiseBehindBlockedAnswer() async throws {
        // The answer is more than a Unix socket's buffer takes, and little enough to be written
        // together with the promise's start.
        try await withUnixServer({ $0.writeTimeout = 4 }) { server in
            let client = try server.client()
            try client.send(get("/bytes/250000") + get("/later/x"))
            #expect(try client.answer().body.count == 250_000)
            try pass(seconds: 5)
            server.stage.signal("x").give()
            #expect(try client.answer().text == "x")
        }
    }

    @Test("after a slow read the connection gets the full idle timeout")
    func idleBehindBlockedAnswer() async throws {
        try await withServer(.any, { $0.writeTimeout = 5 }) { server in
            let client = try server.client(receiveBuffer: 4096)
            try client.send(get("/bytes/20000000"))
            try server.turn()
            #expect(try client.answer().body.count == 20_000_000)
            try pass(seconds: 6)
            try client.send(get("/next"))
            #expect(try client.answer().text == "/next")
        }
    }
}
