import Glibc
import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "End of an HTTP/2 connection (RFC 9113 §5.4.1, §6.8)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct HTTP2ConnectionEndingTests {
    private func post(_ path: String) -> [(String, String)] { HTTP2Frame.request("POST", path) }

    @Test("an idle connection gets GOAWAY and is closed despite its pings")
    func idle() async throws {
        try await withServer(.any, { $0.idleTimeout = 4 }) { server in
            let new = try HTTP2Client(server.address)
            let used = try HTTP2Client(server.address)
            try used.get(1, "/a")
            #expect(try used.answer(1).text == "/a")
            try used.turn()
            #expect(try new.goAway() == 0)
            #expect(try used.goAway() == 0)
        }
    }

    @Test("an incomplete head and an incomplete preface end their connections at the time limit")
    func head() async throws {
        try await withServer(.any, { $0.headTimeout = 3 }) { server in
            let half = try server.client()
            try half.send(Array(HTTP2Frame.preface.prefix(20)))
            let client = try HTTP2Client(server.address)
            try client.turn()
            let block = HPACK.encode(HTTP2Frame.request())
            try client.get(1, "/later/x")
            try client.send(HTTP2Frame(.headers, stream: 3, block))
            let code = try client.goAway()
            #expect(code == 11)
            await server.stage.signal("x cancelled").wait()
            #expect(try half.answer().status == 408)
        }
    }

    @Test(
        "a body that stalls or arrives slowly is 408; the connection continues",
        arguments: ["large", "stream"]
    )
    func body(path: String) async throws {
        try await withServer(.any, { $0.bodyTimeout = 1 }) { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(1, post("/" + path), ends: false), .data(1, "a", ends: false))
            try client.send(.headers(3, post("/" + path), ends: false))
            while !client.part(3).isComplete {
                try client.send(.data(3, "b", ends: false))
                for _ in 0..<5 { try server.turn() }
                try client.readSome()
            }
            #expect(try client.answer(1).status == 408)
            #expect(client.part(3).status == 408)
            try client.get(5, "/next")
            #expect(try client.answer(5).text == "/next")
        }
    }

    @Test("bytes read after a full socket count for their own client")
    func readBehindOutput() async throws {
        try await withFile([UInt8](repeating: 1, count: 20_000_000)) { stage, _ in
            try await withServer(.any, stage: stage, { $0.bodyTimeout = 1 }) { server in
                let client = try HTTP2Client(
                    server.address,
                    settings: [(4, 0x7FFF_FFFF)],
                    receiveBuffer: 4096
                )
                client.opensWindows = false
                try client.send(.window(0, 0x7FFF_0000))
                try client.get(1, "/socket")
                let own = try client.answer(1).text
                // So little that the socket is full whenever the server has written.
                var little: CInt = 4096
                let socket = try #require(CInt(own))
                setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &little, 4)
                try client.send(.headers(3, post("/echo"), ends: false))
                try client.get(5, "/file")
                while client.part(5).body.isEmpty { #expect(try client.readFrame()) }
                try pass(seconds: 3)
                let other = try server.client()
                try other.send("GET /socket HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try other.answer().text != own)
                try client.get(7, "/socket")
                #expect(try client.answer(7).text == own)
                #expect(try client.answer(3).status == 408)
            }
        }
    }

    @Test("heads that wait for their bodies count against the body budget (RFC 9110 §15.6.4)")
    func keptHeads() async throws {
        try await withServer(.any, { $0.bodyBudget = 22_000 }) { server in
            let client = try HTTP2Client(server.address)
            let long = String(repeating: "x", count: 9_000)
            let heads = post("/echo") + [("long", long)]
            for stream: UInt32 in [1, 3, 5, 7] {
                try client.send(.headers(stream, heads, ends: false))
            }
            #expect(try client.answer(7).status == 503)
            for stream: UInt32 in [1, 3, 5] { try client.send(.data(stream, "\(stream)")) }
            for stream: UInt32 in [1, 3, 5] {
                #expect(try client.answer(stream).text == "\(stream)")
            }
            try client.send(.headers(9, heads, ends: false), .data(9, "c"))
            #expect(try client.answer(9).text == "c")
        }
    }

    @Test("a client has its share of the output budget although others use theirs up")
    func share() async throws {
        try await withServer(.any, { $0.outputBudget = 100_000 }) { server in
            let greedy = try HTTP2Client(server.address, settings: [(4, 0)])
            for stream: UInt32 in [1, 3] { try greedy.get(stream, "/bytes/60000") }
            try greedy.turn()
            let client = try HTTP2Client(server.address, settings: [(4, 0)])
            for stream: UInt32 in [1, 3, 5, 7] { try client.get(stream, "/bytes/30000") }
            try client.turn()
            // Beyond its share it gets only the memory that the others leave.
            #expect(try client.answer(7).reset == 7)
            for stream: UInt32 in [1, 3, 5] { try client.send(.window(stream, 30_000)) }
            for stream: UInt32 in [1, 3, 5] {
                #expect(try client.answer(stream).body.count == 30_000)
            }
        }
    }

    @Test("a client that doesn't read is disconnected, and its tasks are cancelled")
    func unread() async throws {
        try await withUnixServer({ $0.writeTimeout = 1 }) { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0x7FFF_FFFF)])
            try client.send(.window(0, 0x7FFF_0000))
            try client.get(1, "/later/x")
            try client.get(3, "/bytes/20000000")
            await server.stage.signal("x cancelled").wait()
        }
    }

    @Test("a half-closed client receives its responses, and its incomplete request is reset")
    func halfClose() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, settings: [(4, 0x7FFF_FFFF)])
            try client.send(.window(0, 0x7FFF_0000))
            client.opensWindows = false
            try client.turn()
            try client.get(1, "/later/x")
            try client.get(3, "/bytes/3000000")
            try client.send(.headers(5, post("/large"), ends: false), .data(5, "a", ends: false))
            client.client.halfClose()
            await server.stage.signal("x begun").wait()
            server.stage.signal("x").give()
            #expect(try client.answer(1).text == "x")
            #expect(try client.answer(3).body.count == 3_000_000)
            #expect(client.part(5).reset == 8)
            while try client.readFrame() {}
        }
    }

    @Test("a client that disconnects has its tasks cancelled soon")
    func gone() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.turn()
            try client.get(1, "/later/x")
            try client.get(3, "/beat/a")
            await server.stage.signal("x begun").wait()
            client.client.close()
            await server.stage.signal("x cancelled").wait()
            await server.stage.signal("a cancelled").wait()
        }
    }

    @Test("a half-closed client without open streams is disconnected")
    func nothingAsked() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/a")
            #expect(try client.answer(1).text == "/a")
            client.client.halfClose()
            while try client.readFrame() {}
        }
    }

    @Test("a stream without data sends heartbeats")
    func heartbeat() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/beat/a")
            while client.part(1).text != "**" { _ = try client.readFrame() }
            for step in 1...9 { server.stage.signal("a\(step)").give() }
            #expect(try client.answer(1).text.hasSuffix("a8"))
        }
    }

    @Test("a stream that may no longer run ends complete at its next heartbeat")
    func watched() async throws {
        try await withServer(.any, { $0.heartbeat = 1 }) { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/watched/a")
            while client.part(1).text.isEmpty { _ = try client.readFrame() }
            server.stage.signal("a over").give()
            let answer = try client.answer(1)
            #expect(answer.reset == nil)
            #expect(answer.text.allSatisfy { $0 == "*" })
            server.stage.signal("a comes").give()
            try client.get(3, "/next")
            #expect(try client.answer(3).text == "/next")
        }
    }

    private static let errors: [(HTTP2Frame, UInt32)] = [
        (.data(1, "x"), 1),
        (HTTP2Frame(.ping, [1]), 6),
        (HTTP2Frame(.headers, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), 9),
        (HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0, count: 16_385)), 6),
    ]

    @Test("an error is sent before the connection closes", arguments: errors)
    func error(frame: HTTP2Frame, code: UInt32) async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(frame)
            #expect(try client.goAway() == code)
        }
    }

    @Test(
        "a skipped stream can't be opened later (§5.1.1)",
        arguments: [[5], [0x7FFF_FFFF], [1, 1001], [5] + Array(stride(from: 7, to: 500, by: 2))]
    )
    func passedOver(opened: [UInt32]) async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            for stream in opened {
                try client.get(stream, "/a")
                #expect(try client.answer(stream).text == "/a")
            }
            try client.get(3, "/b")
            #expect(try client.goAway() == 1)
        }
    }

    @Test("late trailers of a reset stream are dropped (§5.1)")
    func lateTrailers() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(5, post("/large"), ends: false), .reset(5, 8))
            for stream in stride(from: UInt32(7), to: 500, by: 2) {
                try client.get(stream, "/a")
                #expect(try client.answer(stream).text == "/a")
            }
            try client.send(.headers(5, [("x-late", "1")]))
            try client.get(501, "/b")
            #expect(try client.answer(501).text == "/b")
        }
    }

    @Test("SETTINGS that make one stream's window too large end the connection (§6.9.2)")
    func overflow() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            for stream: UInt32 in [1, 3] { try client.get(stream, "/later/x") }
            try client.send(.window(3, 0x7FFF_FFFF - 65_535), .settings([(4, 65_535)]))
            try client.turn()
            try client.send(.settings([(4, 65_536)]))
            #expect(try client.goAway() == 3)
        }
    }

    @Test(
        "SETTINGS in pieces are checked alone, although PINGs are acknowledged between (§6.9.2)",
        arguments: [65_535, 65_536]
    )
    func dividedSettings(window: UInt32) async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/later/x")
            try client.get(3, "/later/y")
            try client.send(.window(3, 0x7FFF_FFFF - 65_535), .settings([(4, 65_535)]))
            try client.turn()
            // Nothing else may come between.
            client.opensWindows = false
            let settings = HTTP2Frame.settings([(4, window)]).bytes
            try client.client.send(
                HTTP2Frame.ping(1).bytes + HTTP2Frame.ping(2).bytes + settings.prefix(9)
            )
            _ = try client.frame { $0.kind == .ping && $0.payload.first == 2 }
            server.stage.signal("x").give()
            #expect(try client.answer(1).text == "x")
            try client.client.send(Array(settings.dropFirst(9)))
            guard window == 65_535 else {
                #expect(try client.goAway() == 3)
                return
            }
            try client.turn()
            server.stage.signal("y").give()
            #expect(try client.answer(3).text == "y")
        }
    }

    @Test("the greatest stream number can be opened (§5.1.1)")
    func largestStream() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(0x7FFF_FFFF, "/a")
            #expect(try client.answer(0x7FFF_FFFF).text == "/a")
        }
    }
}
