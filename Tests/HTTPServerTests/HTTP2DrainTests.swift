import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "Draining HTTP/2 connections (RFC 9113 §6.8)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct HTTP2DrainTests {
    @Test("draining sends GOAWAY, serves requests sent meanwhile, completes and closes")
    func drain() async throws {
        let server = try TestServer()
        let client = try HTTP2Client(server.address)
        let idle = try HTTP2Client(server.address)
        try idle.turn()
        try client.get(1, "/later/x")
        try client.get(3, "/beat/b")
        await server.stage.signal("x begun").wait()
        await server.stage.signal("b1 begun").wait()
        server.server.drain()
        let asked = try idle.frame(.ping)
        try idle.send(HTTP2Frame(.ping, flags: HTTP2Frame.ack, asked?.payload ?? []))
        #expect(try idle.goAway() == 0)
        idle.client.close()
        let notice = try client.frame(.goAway)
        #expect(notice?.payload.prefix(4) == [0x7F, 0xFF, 0xFF, 0xFF])
        #expect(try client.answer(3).reset == nil)
        try client.get(5, "/meanwhile")
        #expect(try client.answer(5).text == "/meanwhile")
        let ping = try client.frame(.ping)
        try client.send(HTTP2Frame(.ping, flags: HTTP2Frame.ack, ping?.payload ?? []))
        #expect(try client.frame(.goAway)?.payload.prefix(4) == [0, 0, 0, 5])
        server.stage.signal("x").give()
        #expect(try client.answer(1).text == "x")
        #expect(try client.goAway() == nil)
        client.client.close()
        await server.server.waitUntilStopped()
    }

    @Test("draining serves clients in the kernel's queue, and GOAWAY counts their requests (§6.8)")
    func drainQueue() async throws {
        let server = try TestServer()
        let blocking = try server.client()
        try blocking.send("GET /block/x HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.stage.signal("x begun").wait()
        // The loop is blocked: none of these is accepted before the drain begins.
        let clients = try (0..<20).map { _ in try HTTP2Client(server.address) }
        for client in clients.dropFirst() { try client.get(1, "/waited") }
        server.server.drain()
        server.stage.signal("x").give()
        // One whose request comes behind the notice.
        _ = try clients[0].frame(.goAway)
        try clients[0].get(1, "/waited")
        for client in clients {
            #expect(try client.answer(1).text == "/waited")
            let ping = try client.frame(.ping)
            try client.send(HTTP2Frame(.ping, flags: HTTP2Frame.ack, ping?.payload ?? []))
            #expect(try client.goAway() == 0)
            #expect(client.frames.last { $0.kind == .goAway }?.payload.prefix(4) == [0, 0, 0, 1])
            client.client.close()
        }
        blocking.close()
        await server.server.waitUntilStopped()
    }

    @Test("draining doesn't wait for a client that only sent its preface")
    func drainSilence() async throws {
        let server = try TestServer { $0.lingerTimeout = 1 }
        let blocking = try server.client()
        try blocking.send("GET /block/x HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.stage.signal("x begun").wait()
        let clients = try (0..<2).map { _ in try HTTP2Client(server.address) }
        server.server.drain()
        server.stage.signal("x").give()
        let ping = try clients[0].frame(.ping)
        try clients[0].send(HTTP2Frame(.ping, flags: HTTP2Frame.ack, ping?.payload ?? []))
        for client in clients {
            #expect(try client.goAway() == 0)
            #expect(client.frames.last { $0.kind == .goAway }?.payload.prefix(4) == [0, 0, 0, 0])
        }
        blocking.close()
        await server.server.waitUntilStopped()
    }

    @Test("no stream after GOAWAY's last stream is served (§6.8)")
    func behindTheLast() async throws {
        let server = try TestServer()
        let client = try HTTP2Client(server.address)
        try client.get(1, "/later/x")
        await server.stage.signal("x begun").wait()
        server.server.drain()
        let ping = try client.frame(.ping)
        _ = try client.frame(.goAway)
        let answered = server.stage.answered
        try client.send(
            HTTP2Frame(.ping, flags: HTTP2Frame.ack, ping?.payload ?? []),
            .headers(3, HTTP2Frame.request("GET", "/lost")),
            .headers(5, HTTP2Frame.request("POST", "/echo"), ends: false),
            .data(5, "lost")
        )
        #expect(try client.frame(.goAway)?.payload.prefix(4) == [0, 0, 0, 1])
        server.stage.signal("x").give()
        #expect(try client.answer(1).text == "x")
        while try client.readFrame() {}
        #expect(client.part(3).status == 0 && client.part(5).status == 0)
        #expect(server.stage.answered == answered)
        client.client.close()
        await server.server.waitUntilStopped()
    }

    @Test("draining waits only briefly for a client that doesn't acknowledge the PING")
    func drainWithoutPing() async throws {
        let server = try TestServer { $0.lingerTimeout = 1 }
        let client = try HTTP2Client(server.address)
        try client.get(1, "/later/x")
        await server.stage.signal("x begun").wait()
        server.server.drain()
        _ = try client.frame(.goAway)
        server.stage.signal("x").give()
        #expect(try client.answer(1).text == "x")
        #expect(try client.goAway() == 0)
        client.client.close()
        await server.server.waitUntilStopped()
    }
}
