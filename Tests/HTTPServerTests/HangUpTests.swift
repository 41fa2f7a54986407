import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite("A client that has closed its side alone", .blockingClients, .timeLimit(.minutes(5)))
struct HangUpTests {
    @Test("gets its answer, and nothing else if that comes soon")
    func soon() async throws {
        try await withServer(.any, { $0.hangUpDelay = 60_000 }) { server in
            let client = try server.client()
            try client.send(get("/later/x"))
            client.halfClose()
            await server.stage.signal("x begun").wait()
            try server.turn()
            server.stage.signal("x").give()
            #expect(try client.answer().text == "x")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("is probed with 100, and gets its response (RFC 9110 §15.2.1)")
    func late() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try server.client()
            try client.send(get("/later/x") + get("/later/y") + get("/z"))
            client.halfClose()
            for name in ["x", "y"] {
                #expect(try client.answer().status == 100)
                #expect(try client.answer().status == 100)
                #expect(!server.stage.signal("\(name) cancelled").isGiven)
                server.stage.signal(name).give()
                #expect(try client.final().text == name)
            }
            #expect(try client.final().text == "/z")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("gets an answer that is its last, too, whatever it has sent behind its request (§9.6)")
    func last() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/later/x", "Connection: close\r\n"))
            await server.stage.signal("x begun").wait()
            try client.send(String(repeating: "x", count: 1000))
            client.halfClose()
            #expect(try client.answer().status == 100)
            server.stage.signal("x").give()
            #expect(try client.final().text == "x")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("is waited for by the task of its body, which is whole, however far behind that is")
    func bodyBehind() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/stream", "Content-Length: 150000\r\nX-Hold: x"))
            await server.stage.signal("x begun").wait()
            try client.send([UInt8](repeating: 0x61, count: 150_000))
            client.halfClose()
            #expect(try client.answer().status == 100)
            #expect(!server.stage.signal("x cancelled").isGiven)
            server.stage.signal("x").give()
            #expect(try client.final().text == "150000")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("of HTTP/1.0, which can't be asked, is waited for by the task of its body, too")
    func oldBodyBehind() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("POST /stream HTTP/1.0\r\nContent-Length: 150000\r\nX-Hold: x\r\n\r\n")
            await server.stage.signal("x begun").wait()
            try client.send([UInt8](repeating: 0x61, count: 150_000))
            client.halfClose()
            try pass(seconds: 1)
            #expect(!server.stage.signal("x cancelled").isGiven)
            server.stage.signal("x").give()
            #expect(try client.answer().text == "150000")
        }
    }

    @Test("in the midst of a body whose task is behind has that cancelled when it is read")
    func halfBodyBehind() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(post("/stream", "Content-Length: 150001\r\nX-Hold: x"))
            await server.stage.signal("x begun").wait()
            try client.send([UInt8](repeating: 0x61, count: 150_000))
            client.halfClose()
            #expect(try client.answer().status == 100)
            server.stage.signal("x").give()
            await server.stage.signal("stream cancelled").wait()
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("of HTTP/1.0 can't be probed, so its task is cancelled (§15.2)")
    func old() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("GET /later/x HTTP/1.0\r\n\r\n")
            client.halfClose()
            await server.stage.signal("x cancelled").wait()
            #expect(try client.answer().text == "x")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("gets a stream's heartbeats, and the stream")
    func stream() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try server.client()
            try client.send(get("/beat/a"))
            try client.read(until: "\r\n\r\n")
            client.halfClose()
            try client.read(until: "\r\n1\r\n*\r\n1\r\n*\r\n")
            for step in 1...9 { server.stage.signal("a\(step)").give() }
            try client.read(until: "a8\r\n0\r\n\r\n")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("isn't waited for by a stream that has nothing to send, and no heartbeat")
    func silentStream() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/step/a"))
            try client.read(until: "\r\n\r\n")
            client.halfClose()
            await server.stage.signal("a cancelled").wait()
            #expect(try client.readToEnd() == .closed)
            #expect(!client.takeText().hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test("in HTTP/2 is asked by a PING, and gets its answers (RFC 9113 §6.7)")
    func lateHTTP2() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try HTTP2Client(server.address)
            try client.turn()
            try client.get(1, "/later/x")
            try client.get(3, "/beat/a")
            client.client.halfClose()
            for _ in 0..<2 { #expect(try client.frame(.ping) != nil) }
            while client.part(3).text.isEmpty { _ = try client.readFrame() }
            #expect(!server.stage.signal("x cancelled").isGiven)
            for step in 1...9 { server.stage.signal("a\(step)").give() }
            server.stage.signal("x").give()
            #expect(try client.answer(1).text == "x")
            #expect(try client.answer(3).text.hasSuffix("a8"))
            #expect(try client.goAway() == nil)
        }
    }

    @Test("in HTTP/2 loses the answers that it can make no room for, and those alone")
    func noRoom() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 10)])
            client.opensWindows = false
            try client.turn()
            try client.get(1, "/later/x")
            try client.get(3, "/bytes/3000000")
            client.client.halfClose()
            #expect(try client.answer(3).reset == 8)
            #expect(!server.stage.signal("x cancelled").isGiven)
            server.stage.signal("x").give()
            #expect(try client.answer(1).text == "x")
            while try client.readFrame() {}
        }
    }
}

extension TestClient {
    /// The next answer that isn't an interim one.
    fileprivate func final() throws -> Answer {
        while true {
            let answer = try answer()
            if answer.status >= 200 { return answer }
        }
    }
}
