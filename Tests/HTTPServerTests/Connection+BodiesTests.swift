import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "Request bodies and their limits (RFC 9112 §6, RFC 9110 §10.1.1)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ConnectionBodiesTests {
    private static let thousand = String(repeating: "x", count: 1000)

    @Test("a body with Content-Length arrives in pieces (RFC 9112 §6.2)")
    func length() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            for cut in [0, 1, 3, 4] {
                try client.deliver(post("/echo", "Content-Length: 5") + "hello".prefix(cut))
                try client.deliver(String("hello".dropFirst(cut).prefix(1)))
                try client.deliver(String("hello".dropFirst(cut + 1)) + get("/next"))
                #expect(try client.answer().text == "hello")
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("a chunked body may be divided at each of its bytes (RFC 9112 §7.1)")
    func chunked() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let body = "3\r\nabc\r\n2;a=b\r\nde\r\n0\r\nX: y\r\n\r\n"
            for cut in 0..<body.utf8.count {
                let bytes = Array(body.utf8)
                let (start, end) = (bytes[..<cut], bytes[cut...])
                let head = post("/echo", "Transfer-Encoding: chunked")
                try client.deliver(head + String(decoding: start, as: UTF8.self))
                try client.deliver(String(decoding: end, as: UTF8.self) + get("/next"))
                #expect(try client.answer().text == "abcde")
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("a body at the limit is accepted, with a length or chunked, in one piece or several")
    func atLimit() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let head = post("/echo", "Content-Length: 1000")
            let chunked = post("/echo", "Transfer-Encoding: chunked")
            let chunks = "3E7\r\n\(Self.thousand.dropLast())\r\n1\r\nx\r\n0\r\n\r\n"
            try client.send(head + Self.thousand)
            #expect(try client.answer().text == Self.thousand)
            try client.deliver(head)
            try client.send(Self.thousand)
            #expect(try client.answer().text == Self.thousand)
            try client.send(chunked + chunks)
            #expect(try client.answer().text == Self.thousand)
            try client.deliver(chunked)
            try client.send(chunks)
            #expect(try client.answer().text == Self.thousand)
        }
    }

    @Test(
        "a body above the limit is 413, before its data (RFC 9110 §15.5.14)",
        arguments: [
            ("Content-Length: 1001", ""), ("Content-Length: 9223372036854775807", ""),
            ("Content-Length: 1001\r\nExpect: 100-continue", ""),
            ("Transfer-Encoding: chunked", "3E9\r\n"),
            ("Transfer-Encoding: chunked", "3E8;a=b"),
            ("Transfer-Encoding: chunked", "3E8\r\n\(thousand)\r\n1\r\n"),
            ("Transfer-Encoding: chunked", "7FFFFFFFFFFFFFFF\r\n"),
        ]
    )
    func overLimit(field: String, start: String) async throws {
        try await withServer { server in
            let client = try server.client()
            let isUnfinished = start.hasSuffix("b")
            try client.send(post("/echo", field) + start + (isUnfinished ? "\r\n" : ""))
            guard !isUnfinished else {
                try client.send("\(Self.thousand)\r\n0\r\n\r\n")
                return #expect(try client.answer().status == 200)
            }
            let answer = try client.answer()
            #expect(answer.status == 413)
            #expect(answer.field("connection") == "close")
            #expect(answer.field("content-type") == "application/problem+json")
            #expect(try client.readToEnd() == .closed)
            #expect(server.stage.answered == 0)
        }
    }

    @Test("a body that arrives with its head and is too large is 413")
    func overLimitAtOnce() async throws {
        try await withServer { server in
            for body in ["Content-Length: 1001\r\n\r\n\(Self.thousand)x", Self.chunkedTooLarge] {
                let client = try server.client()
                try client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(body)")
                #expect(try client.answer().status == 413)
                #expect(try client.readToEnd() == .closed)
            }
        }
    }

    private static let chunkedTooLarge =
        "Transfer-Encoding: chunked\r\n\r\n3E8\r\n\(thousand)\r\n1\r\nx\r\n0\r\n\r\n"

    @Test("an invalid chunked body is 400, and nothing after it is served (RFC 9112 §7.1)")
    func brokenChunks() async throws {
        try await withUnixServer { server in
            for body in ["x\r\n", "1\r\nxx\r\n", "1\nx\r\n", "-1\r\n"] {
                let client = try server.client()
                try client.deliver(post("/echo", "Transfer-Encoding: chunked"))
                try client.send(body + "0\r\n\r\n" + get("/next"))
                #expect(try client.answer().status == 400)
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.isEmpty)
            }
            #expect(server.stage.answered == 0)
        }
    }

    @Test("100 Continue is sent when the server is ready for the body (RFC 9110 §10.1.1)")
    func continues() async throws {
        try await withServer { server in
            let client = try server.client()
            let head = post("/echo", "Content-Length: 5\r\nExpect: 100-continue")
            try client.send(get("/first") + head)
            #expect(try client.answer().text == "/first")
            #expect(try client.answer().status == 100)
            try client.send("hello")
            #expect(try client.answer().text == "hello")
        }
    }

    @Test("no 100 Continue is sent if the body has begun, is empty, or is HTTP/1.0's")
    func continuesNot() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let head = post("/echo", "Content-Length: 5\r\nExpect: 100-continue")
            try client.send(head + "hello")
            #expect(try client.answer().text == "hello")
            try client.deliver(head + "h")
            try client.send("ello")
            #expect(try client.answer().text == "hello")
            try client.send(post("/echo", "Content-Length: 0\r\nExpect: 100-continue"))
            #expect(try client.answer().status == 200)
            try client.deliver(
                "POST /echo HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            )
            try server.turn()
            #expect(client.received.isEmpty)
            try client.send("hello")
            #expect(try client.answer().text == "hello")
        }
    }

    @Test("a request that isn't admitted gets a response without its body, and no 100")
    func refused() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/refuse", "Content-Length: 500\r\nExpect: 100-continue"))
            let answer = try client.answer()
            #expect(answer.status == 403)
            #expect(answer.text == "refused")
            #expect(answer.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("a client that is still sending a large body can read the 413 (RFC 9112 §9.6)")
    func lingers() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/echo", "Content-Length: 3000000"))
            // The server has refused; all of this is on its way when it has closed its side.
            try client.send([UInt8](repeating: 0x78, count: 3_000_000))
            #expect(try client.answer().status == 413)
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("above the budget of all bodies a request is 503 until others complete (§15.6.4)")
    func budget() async throws {
        try await withUnixServer({ $0.bodyBudget = 2000 }) { server in
            let most = String(repeating: "x", count: 900)
            let held = try (0..<2).map { _ in try server.client() }
            for client in held { try client.deliver(post("/echo", "Content-Length: 901") + most) }
            for field in [
                "Content-Length: 901\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n384\r\n",
            ] {
                let refused = try server.client()
                try refused.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(field)\(most)")
                let answer = try refused.answer()
                #expect(answer.status == 503)
                #expect(answer.field("retry-after") == "1")
                #expect(answer.field("connection") == "close")
                #expect(try refused.readToEnd() == .closed)
            }
            held[0].close()
            try held[1].send("x")
            #expect(try held[1].answer().body.count == 901)
            try server.turn()
            let next = try (0..<2).map { _ in try server.client() }
            for client in next { try client.deliver(post("/echo", "Content-Length: 901") + most) }
            for client in next {
                try client.send("x")
                #expect(try client.answer().body.count == 901)
            }
        }
    }

    @Test("unread streamed bodies pause their clients, and above twice the budget get 503")
    func streamedBudget() async throws {
        try await withServer(.any, { $0.bodyBudget = 100_000 }) { server in
            let some = [UInt8](repeating: 0x78, count: 59_999)
            let clients = try (0..<12).map { _ in try server.client() }
            for client in clients {
                try client.send(post("/stream", "Content-Length: 60000\r\nX-Hold: x"))
                try client.send(some)
                try server.turn()
            }
            // The bodies of others have their own bound.
            let other = try server.client()
            try other.send(post("/echo", "Content-Length: 900"))
            try server.turn()
            try other.send(String(repeating: "x", count: 900))
            #expect(try other.answer().body.count == 900)
            server.stage.signal("x").give()
            var texts: [Int: Int] = [:]
            for client in clients {
                // Who is refused may be gone by now.
                try? client.send("x")
                texts[try client.answer().status, default: 0] += 1
            }
            #expect(texts[200] ?? 0 >= 3 && texts[503] ?? 0 >= 1, "\(texts)")
        }
    }

    @Test("unread HTTP/2 bodies pause their clients, and above twice the budget get 503")
    func streamedBudgetOfStreams() async throws {
        try await withServer(.any, { $0.bodyBudget = 100_000 }) { server in
            let client = try HTTP2Client(server.address)
            let streams = (0..<12).map { UInt32(2 * $0 + 1) }
            let head = HTTP2Frame.request("POST", "/stream") + [("x-hold", "x")]
            for stream in streams {
                try client.send(.headers(stream, head, ends: false))
                for _ in 0..<4 {
                    let piece = String(repeating: "x", count: 15_000)
                    try client.send(.data(stream, piece, ends: false))
                }
            }
            try client.turn()
            server.stage.signal("x").give()
            var statuses: [Int: Int] = [:]
            for stream in streams {
                if !client.part(stream).isComplete { try client.send(.data(stream, "x")) }
                statuses[try client.answer(stream).status, default: 0] += 1
            }
            #expect(statuses[200] ?? 0 >= 3 && statuses[503] ?? 0 >= 1, "\(statuses)")
        }
    }

    @Test("a late rejection doesn't wait for the body, and is the last response (§9.6)")
    func lateRefusal() async throws {
        try await withServer { server in
            for fields in ["Content-Length: 100000", "Transfer-Encoding: chunked"] {
                let client = try server.client()
                try client.send(post("/refuse/later", "\(fields)\r\nExpect: 100-continue"))
                await server.stage.signal("refused begun").wait()
                // A request, if the server mistakes the body for one.
                try client.send(get("/smuggled"))
                server.stage.signal("refused").give()
                let answer = try client.answer()
                #expect(answer.text == "refused")
                #expect(answer.field("connection") == "close")
                client.halfClose()
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.isEmpty)
            }
        }
    }

    @Test("a late rejection over HTTP/2 leaves the client's other streams unaffected")
    func lateRefusalOfStream() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            let head = HTTP2Frame.request("POST", "/refuse/later")
            try client.send(.headers(1, head, ends: false))
            await server.stage.signal("refused begun").wait()
            // A window of it: more than that waits for the refusal.
            for _ in 0..<4 {
                try client.send(.data(1, String(repeating: "x", count: 16_000), ends: false))
            }
            try client.get(3, "/a")
            #expect(try client.answer(3).text == "/a")
            server.stage.signal("refused").give()
            #expect(try client.answer(1).text == "refused")
            try client.send(.data(1, "the end"))
            try client.get(5, "/b")
            #expect(try client.answer(5).text == "/b")
        }
    }

    @Test("an admitted body may have several megabytes")
    func large() async throws {
        try await withServer { server in
            let client = try server.client()
            let count = TestResponder.largeLimit
            let body = [UInt8](repeating: 0x78, count: count)
            try client.send(post("/large", "Content-Length: \(count)"))
            try client.send(body)
            #expect(try client.answer().text == String(count))
            try client.send(post("/large", "Transfer-Encoding: chunked"))
            try client.send("\(String(count, radix: 16))\r\n")
            try client.send(body + Array("\r\n0\r\n\r\n".utf8))
            #expect(try client.answer().text == String(count))
            try client.send(post("/stream", "Content-Length: \(count)"))
            try client.send(body)
            #expect(try client.answer().text == String(count))
        }
    }

    @Test("a client that closes within a request gets no response (§8)")
    func half() async throws {
        try await withServer { server in
            for text in ["GET / HT", post("/echo", "Content-Length: 5") + "hell"] {
                let client = try server.client()
                try client.send(text)
                client.halfClose()
                #expect(try client.readToEnd() == .closed)
                #expect(client.received.isEmpty)
            }
            #expect(server.stage.answered == 0)
        }
    }
}
