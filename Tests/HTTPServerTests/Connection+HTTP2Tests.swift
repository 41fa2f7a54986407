import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "Switch of a connection to HTTP/2 (RFC 9113 §3)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ConnectionHTTP2Tests {
    @Test("a client with prior knowledge is served over HTTP/2, after the settings (§3.4)")
    func priorKnowledge() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address)
            try client.get(1, "/hello")
            let answer = try client.answer(1)
            #expect(answer.status == 200)
            #expect(answer.text == "/hello")
            #expect(answer.field("content-length") == "6")
            #expect(answer.field("date")?.hasSuffix("GMT") == true)
            #expect(answer.field("connection") == nil)
            #expect(client.frames.first?.kind == .settings)
        }
    }

    @Test("the preface may arrive byte by byte with the frames after it")
    func byteByByte() async throws {
        try await withUnixServer { server in
            let client = try HTTP2Client(server.address, prefaced: false)
            let hello = HTTP2Frame.preface + HTTP2Frame.settings().bytes
            let request = HTTP2Frame.headers(1, HTTP2Frame.request("POST", "/echo"), ends: false)
            for byte in hello + request.bytes + HTTP2Frame.data(1, "body").bytes {
                try client.client.deliver([byte])
            }
            #expect(try client.answer(1).text == "body")
        }
    }

    @Test(
        "an incomplete preface is rejected as an HTTP/1.1 request",
        arguments: ["PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n", "PRI * HTTP/2.0\r\nHost: a\r\n\r\n"]
    )
    func notQuite(text: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(text)
            #expect(try client.answer().status == 505)
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test(
        "a malformed request line is rejected (RFC 9112 §3)",
        arguments: [
            "GE T /x HTTP/1.1", "GE T x HTTP/1.1", "GE T /x", "GE T x y", "OPTION * HT1.1",
            "get a b", "FETCH X HTTP", "PRI x y",
        ]
    )
    func brokenLine(line: String) async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(line + "\r\nHost: a\r\n\r\n")
            #expect(try client.answer().status == 400)
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("three words of another protocol close the connection without a response (RFC 9113 §3.4)")
    func otherProtocol() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("INVALID CONNECTION PREFACE\r\n\r\n")
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("the preface after a request is rejected, as it may be smuggled")
    func behindRequest() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/first"))
            #expect(try client.answer().text == "/first")
            try client.send(HTTP2Frame.preface)
            #expect(try client.answer().status == 505)
        }
    }

    @Test("an upgraded request becomes stream 1 (RFC 7540 §3.2)", arguments: ["GET", "HEAD"])
    func upgrade(method: String) async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, prefaced: false)
            let fields = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            try client.client.send(
                "\(method) /first HTTP/1.1\r\nHost: a\r\n\(fields)HTTP2-Settings: AAMAAABk\r\n\r\n"
            )
            try client.client.read(until: "\r\n\r\n")
            let head = client.client.takeText(through: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 101 "))
            try client.client.send(HTTP2Frame.preface + HTTP2Frame.settings().bytes)
            try client.get(3, "/second")
            #expect(try client.answer(1).text == (method == "HEAD" ? "" : "/first"))
            #expect(try client.answer(1).field("content-length") == "6")
            #expect(try client.answer(3).text == "/second")
        }
    }

    @Test("after an upgrade DATA waits for the client's preface, as curl 7.88 needs")
    func upgradeWithoutPreface() async throws {
        try await withServer { server in
            let client = try HTTP2Client(server.address, prefaced: false)
            let fields = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            try client.client.send(
                "GET /bytes/100000 HTTP/1.1\r\nHost: a\r\n\(fields)HTTP2-Settings: AAMAAABk\r\n\r\n"
            )
            try client.client.read(until: "\r\n\r\n")
            _ = client.client.takeText(through: "\r\n\r\n")
            func kinds() -> [HTTP2Frame.Kind?] {
                var bytes = client.client.received
                var kinds: [HTTP2Frame.Kind?] = []
                while let frame = bytes.takeFrame() { kinds.append(frame.kind) }
                return kinds
            }
            while !kinds().contains(.headers) {
                try client.client.read(atLeast: client.client.received.count + 1)
            }
            // Another client's request is served after everything that the server can send.
            let other = try HTTP2Client(server.address)
            try other.turn()
            client.client.readSome()
            #expect(!kinds().contains(.data))
            try client.client.send(HTTP2Frame.preface + HTTP2Frame.settings().bytes)
            #expect(try client.answer(1).body.count == 100_000)
        }
    }

    @Test("an upgrade with a body is ignored, and the response is HTTP/1.1")
    func upgradeWithBody() async throws {
        try await withServer { server in
            let client = try server.client()
            let fields = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            try client.send(
                post("/echo", fields + "HTTP2-Settings: AAMAAABk\r\nContent-Length: 4") + "body"
            )
            #expect(try client.answer().text == "body")
        }
    }

    @Test(
        "an upgrade is ignored if upgrades are off or a 100 is expected (RFC 9110 §7.8)",
        arguments: [(false, ""), (true, "Expect: 100-continue\r\n")]
    )
    func noUpgrade(acceptsUpgrades: Bool, expectation: String) async throws {
        try await withServer {
            $0.acceptsUpgrades = acceptsUpgrades
        } _: { server in
            let client = try server.client()
            let fields = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            try client.send(
                "GET /first HTTP/1.1\r\nHost: a\r\n\(expectation)\(fields)"
                    + "HTTP2-Settings: AAMAAABk\r\n\r\n"
            )
            let answer = try client.answer()
            #expect(answer.status == 200)
            #expect(answer.text == "/first")
        }
    }
}
