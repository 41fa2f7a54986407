import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "Request bodies over HTTP/2 (RFC 9113 §5.2, §8.1)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct HTTP2ConnectionRequestsTests {
    private func post(_ path: String, _ more: [(String, String)] = []) -> [(String, String)] {
        HTTP2Frame.request("POST", path, more)
    }

    @Test("padded and empty pieces of a body are collected; trailers end it (§6.1, §8.1)")
    func collected() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(
                .headers(1, post("/echo", [("content-length", "9")]), ends: false),
                .data(1, "one", ends: false),
                .data(1, "", ends: false),
                HTTP2Frame(.data, flags: HTTP2Frame.padded, stream: 1, [3] + Array("two___".utf8)),
                .data(1, "end", ends: false),
                .headers(1, [("checksum", "1")])
            )
            #expect(try client.answer(1).text == "onetwoend")
        }
    }

    @Test("a body above the limit is 413, announced or not; its rest is ignored")
    func tooLarge() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            let announced = [("content-length", "1001")]
            try client.send(.headers(1, post("/echo", announced), ends: false))
            #expect(try client.answer(1).status == 413)
            try client.send(.headers(3, post("/echo"), ends: false))
            try client.send(.data(3, String(repeating: "x", count: 1001), ends: false))
            #expect(try client.answer(3).status == 413)
            try client.send(.data(3, "late", ends: true))
            try client.get(5, "/next")
            #expect(try client.answer(5).text == "/next")
            // Nobody sends a body for ever that nobody wants.
            try client.send(.headers(7, post("/refuse"), ends: false))
            #expect(try client.answer(7).status == 403)
            while client.take(.reset) == nil {
                try client.send(HTTP2Frame(.data, stream: 7, [UInt8](repeating: 1, count: 16_384)))
                try client.turn()
            }
        }
    }

    @Test("a request that isn't admitted gets a response before its body, which is dropped")
    func refused() async throws {
        try await withServer(.any, { $0.lingerTimeout = 1 }) { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(1, post("/refuse"), ends: false))
            #expect(try client.answer(1).status == 403)
            #expect(try client.frame(.reset)?.number == 0)
        }
    }

    @Test("Expect: 100-continue gets 100 first (§8.1)")
    func continues() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(1, post("/echo", [("expect", "100-continue")]), ends: false))
            while client.part(1).interim.isEmpty { _ = try client.readFrame() }
            #expect(client.part(1).interim == [100])
            try client.send(.data(1, "body"))
            #expect(try client.answer(1).text == "body")
        }
    }

    @Test(
        "a body larger than the windows is received as it is consumed",
        arguments: ["large", "stream"]
    )
    func windows(path: String) async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(1, post("/" + path), ends: false))
            let count = try upload(client, 1, 2_000_000)
            #expect(count == 2_000_000)
            #expect(try client.answer(1).text == "2000000")
        }
    }

    /// Sends a body as the windows allow; returns how much went.
    private func upload(_ client: HTTP2Client, _ stream: UInt32, _ total: Int) throws -> Int {
        var (sent, window, connection) = (0, 65_535, 65_535)
        while sent < total {
            let count = min(16_384, total - sent, window, connection)
            if count > 0 {
                let bytes = [UInt8](repeating: 0x78, count: count)
                let flags = sent + count == total ? HTTP2Frame.endStream : 0
                try client.send(HTTP2Frame(.data, flags: flags, stream: stream, bytes))
                (sent, window, connection) = (sent + count, window - count, connection - count)
                continue
            }
            guard let update = try client.frame({ $0.kind == .windowUpdate }) else { break }
            let increment = Int(update.number ?? 0)
            if update.stream == 0 { connection += increment } else { window += increment }
        }
        return sent
    }

    @Test("a stream whose task doesn't read blocks only itself (§5.2)")
    func stalled() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            // The client doesn't read the echo's response, so the task doesn't consume the body.
            client.opensWindows = false
            let echo = post("/stream", [("x-echo", "1")])
            try client.send(.headers(1, echo, ends: false))
            var sent = 0
            var window = 65_535
            var connection = 65_535
            var isStalled = false
            while !isStalled {
                let count = min(16_384, window, connection)
                if count > 0 {
                    let bytes = [UInt8](repeating: 0x78, count: count)
                    try client.send(HTTP2Frame(.data, stream: 1, bytes))
                    (sent, window, connection) = (sent + count, window - count, connection - count)
                    #expect(sent < 1_000_000)
                    continue
                }
                try client.turn()
                isStalled = true
                while let update = client.take(.windowUpdate) {
                    let increment = Int(update.number ?? 0)
                    if update.stream == 0 { connection += increment } else { window += increment }
                    isStalled = false
                }
            }
            #expect(connection > 0)
            try client.send(.window(0, 1_000_000))
            try client.send(.headers(3, post("/echo"), ends: false), .data(3, "through"))
            #expect(try client.answer(3).text == "through")
        }
    }

    @Test("a body is echoed while it arrives")
    func echo() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.send(.headers(1, post("/stream", [("x-echo", "1")]), ends: false))
            for piece in ["one", "two", "three"] {
                let before = client.part(1).text
                try client.send(.data(1, piece, ends: false))
                while client.part(1).text != before + piece { _ = try client.readFrame() }
            }
            try client.send(.data(1, ""))
            #expect(try client.answer(1).text == "onetwothree")
        }
    }
}
