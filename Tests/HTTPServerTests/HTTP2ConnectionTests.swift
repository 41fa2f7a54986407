import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite("Requests over HTTP/2 (RFC 9113)", .blockingClients, .timeLimit(.minutes(5)))
struct HTTP2ConnectionTests {
    @Test("a hundred requests in one write get responses, each on its stream (§5)")
    func many() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            let streams = (0..<100).map { UInt32(2 * $0 + 1) }
            try client.send(streams.map { .headers($0, HTTP2Frame.request("GET", "/\($0)")) })
            for stream in streams { #expect(try client.answer(stream).text == "/\(stream)") }
        }
    }

    @Test("a delayed response doesn't block others")
    func later() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(
                .headers(1, HTTP2Frame.request("GET", "/later/x")),
                .headers(3, HTTP2Frame.request("GET", "/now/y")),
                .headers(5, HTTP2Frame.request("GET", "/z"))
            )
            #expect(try client.answer(3).text == "y")
            #expect(try client.answer(5).text == "/z")
            #expect(!client.part(1).isComplete)
            server.stage.signal("x").give()
            #expect(try client.answer(1).text == "x")
        }
    }

    @Test("a stream that the client resets cancels only its own task (§6.4)")
    func reset() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/later/x")
            try client.get(3, "/later/y")
            try client.send(.reset(1))
            await server.stage.signal("x cancelled").wait()
            server.stage.signal("y").give()
            #expect(try client.answer(3).text == "y")
            #expect(!server.stage.signal("y cancelled").isGiven)
        }
    }

    @Test("a client that disconnects cancels all its tasks")
    func gone() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/later/x")
            try client.get(3, "/later/y")
            await server.stage.signal("y begun").wait()
            client.client.close()
            await server.stage.signal("x cancelled").wait()
            await server.stage.signal("y cancelled").wait()
        }
    }

    @Test("HEAD, 304 and 204 have no body (RFC 9110 §6.4.1)")
    func withoutBody() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(1, HTTP2Frame.request("HEAD", "/bytes/5000")))
            let answer = try client.answer(1)
            #expect(answer.field("content-length") == "5000")
            #expect(answer.body.isEmpty)
        }
    }

    @Test("a response with Connection: close ends the connection after all streams")
    func closes() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/later/x")
            try client.get(3, "/close")
            #expect(try client.answer(3).text == "closing")
            server.stage.signal("x").give()
            #expect(try client.answer(1).text == "x")
            let ping = try client.frame(.ping)
            try client.send(HTTP2Frame(.ping, flags: HTTP2Frame.ack, ping?.payload ?? []))
            #expect(try client.goAway() == 0)
        }
    }

    @Test("a frame of an unknown type is ignored (§4.1)")
    func unknownFrame() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(HTTP2Frame(0xEE, flags: 0xFF, stream: 7, [1, 2, 3]))
            try client.get(1, "/a")
            #expect(try client.answer(1).text == "/a")
        }
    }
}
