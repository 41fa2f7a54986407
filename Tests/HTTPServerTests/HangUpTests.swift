import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite("Half-closed clients", .blockingClients, .timeLimit(.minutes(5)))
struct HangUpTests {
    @Test("a half-closed client receives its response, without probes if it is fast")
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

    @Test("a half-closed client is probed with 100 and receives its response (RFC 9110 §15.2.1)")
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

    @Test("a half-closed client receives its last response despite later bytes (§9.6)")
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

    @Test("a half-closed client's complete body is read to its end")
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

    @Test("a half-closed HTTP/1.0 client's complete body is read to its end without probes")
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

    @Test("a client that half-closes within its body has the task cancelled")
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

    @Test("a half-closed HTTP/1.0 client can't be probed, so its task is cancelled (§15.2)")
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

    @Test("a half-closed client receives a stream and its heartbeats")
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

    @Test("a stream without data and heartbeats is cancelled after the client's half-close")
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

    @Test(
        "a half-closed HTTP/2 client is probed by PING and receives its responses (RFC 9113 §6.7)"
    )
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

    @Test("a half-closed HTTP/2 client loses only responses larger than their windows")
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
