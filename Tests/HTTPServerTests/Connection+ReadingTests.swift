import Testing

@testable import HTTPServer

@Suite(
    "Pipelined and partial requests (RFC 9112 §9.3.2)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ConnectionReadingTests {
    @Test("immediate and delayed responses have the requests' order (§9.3.2)")
    func order() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(
                get("/1") + get("/later/a") + get("/2") + get("/now/b") + get("/later/c")
                    + get("/3")
            )
            #expect(try client.answer().text == "/1")
            await server.stage.signal("a begun").wait()
            try server.turn()
            #expect(client.received.isEmpty, "nothing overtakes a promised answer")
            server.stage.signal("c").give()
            server.stage.signal("a").give()
            for text in ["a", "/2", "b", "c", "/3"] { #expect(try client.answer().text == text) }
        }
    }

    @Test("a client with many pipelined requests doesn't delay other clients")
    func fairness() async throws {
        try await withServer { server in
            let greedy = try server.client()
            let many = String(repeating: get("/a"), count: 400)
            try greedy.send(get("/block/first") + many + get("/block/last"))
            await server.stage.signal("first begun").wait()
            let other = try server.client()
            try other.send(get("/other"))
            server.stage.signal("first").give()
            // Were all of the others' served first, the loop would be held up before this one.
            #expect(try other.answer().text == "/other")
            server.stage.signal("last").give()
            #expect(try greedy.answer().text == "first")
            for _ in 0..<400 { #expect(try greedy.answer().text == "/a") }
            #expect(try greedy.answer().text == "last")
        }
    }

    @Test("a partial request waits for its rest")
    func leftover() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let second = get("/second", "X: y\r\n")
            for cut in [1, 5, second.count - 3, second.count - 1] {
                try client.deliver(get("/first") + second.prefix(cut))
                #expect(try client.answer().text == "/first")
                try client.deliver(String(second.dropFirst(cut)) + get("/third").prefix(9))
                #expect(try client.answer().text == "/second")
                try client.deliver(String(get("/third").dropFirst(9)))
                #expect(try client.answer().text == "/third")
            }
        }
    }

    @Test("a request may arrive byte by byte")
    func byteByByte() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let fields = "Content-Length: 5\r\nX: a:b c"
            for byte in "\r\n" + post("/echo", fields) + "hello" {
                try client.deliver(String(byte))
            }
            #expect(try client.answer().text == "hello")
            let chunked = post("/echo", "Transfer-Encoding: chunked")
            for byte in chunked + "3;x=\"y\"\r\nabc\r\n02\r\nde\r\n0\r\nA: b\r\n\r\n" {
                try client.deliver(String(byte))
            }
            #expect(try client.answer().text == "abcde")
        }
    }

    @Test("requests pipelined after a large file are served without further bytes")
    func behindFile() async throws {
        try await withFile([UInt8](repeating: 1, count: 100_000)) { stage, _ in
            try await withServer(stage: stage) { server in
                let client = try server.client()
                try client.send(get("/file") + get("/file") + get("/last"))
                #expect(try client.answer().body.count == 100_000)
                #expect(try client.answer().body.count == 100_000)
                #expect(try client.answer().text == "/last")
                try client.send(get("/later/x") + get("/file") + get("/last"))
                await server.stage.signal("x begun").wait()
                server.stage.signal("x").give()
                #expect(try client.answer().text == "x")
                #expect(try client.answer().body.count == 100_000)
                #expect(try client.answer().text == "/last")
                let body = post("/large", "Content-Length: 70000")
                try client.send(body + String(repeating: "x", count: 70_000) + get("/file"))
                try client.send(get("/last"))
                #expect(try client.answer().text == "70000")
                #expect(try client.answer().body.count == 100_000)
                #expect(try client.answer().text == "/last")
            }
        }
    }

    @Test("a body arrives in pieces while the client reads an earlier response slowly")
    func bodyBehindBlockedAnswer() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            try client.deliver(
                get("/bytes/1000000") + post("/echo", "Content-Length: 5") + "he"
            )
            _ = try client.sendSome(ArraySlice("llo".utf8))
            #expect(try client.answer().body.count == 1_000_000)
            #expect(try client.answer().text == "hello")
            try client.deliver(
                get("/bytes/1000000") + post("/stream", "Content-Length: 5") + "he"
            )
            _ = try client.sendSome(ArraySlice("llo".utf8))
            #expect(try client.answer().body.count == 1_000_000)
            #expect(try client.answer().text == "5")
        }
    }

    @Test("a body's rest arrives while an earlier response is pending")
    func bodyBehindPromise() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            for (path, body) in [("/echo", "hello"), ("/stream", "5")] {
                let name = String(path.dropFirst())
                let rest = post(path, "Content-Length: 5") + "he"
                try client.deliver(get("/later/\(name)") + rest)
                await server.stage.signal("\(name) begun").wait()
                try client.send("llo")
                try server.turn()
                server.stage.signal(name).give()
                #expect(try client.answer().text == name)
                #expect(try client.answer().text == body)
            }
        }
    }

    @Test("a thousand small chunked requests at once don't overflow the stack")
    func manyChunked() async throws {
        try await withServer { server in
            let client = try server.client()
            let request = post("/echo", "Transfer-Encoding: chunked") + "1\r\nx\r\n0\r\n\r\n"
            try client.send(String(repeating: request, count: 1000))
            for _ in 0..<1000 { #expect(try client.answer().text == "x") }
        }
    }

    @Test("10,000 pipelined requests with unread responses pause reading, then all complete")
    func unread() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let requests = Array(String(repeating: get("/bytes/1000"), count: 10_000).utf8)[...]
            // Whatever the kernel takes; the server takes a part of it and stops.
            var sent = try client.sendSome(requests)
            for _ in 0..<20 {
                try server.turn()
                sent += try client.sendSome(requests[sent...])
            }
            #expect(sent < requests.count, "the server stops reading")
            #expect(server.stage.answered - 20 * 20 < 2_000)
            try client.send(Array(requests[sent...]))
            for _ in 0..<10_000 { #expect(try client.answer().body.count == 1000) }
        }
    }
}
