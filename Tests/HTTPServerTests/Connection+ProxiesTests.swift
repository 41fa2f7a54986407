import HTTP2Frames
import HTTPSyntax
import Testing

@testable import HTTPServer

/// A server that trusts proxies on this machine, over TCP and Unix sockets.
private func trustLocal(_ configuration: inout HTTPConfiguration) {
    configuration.trustedProxies = TrustedProxies(["127.0.0.0/8", "unix"])
}

@Suite(
    "The clients of trusted proxies",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ConnectionProxiesTests {
    private static let client = "X-Forwarded-For: 192.0.2.7\r\n"

    @Test("each request has its own client, the proxy's address without a field")
    func requests() async throws {
        try await withServer(.any, trustLocal) { server in
            let proxy = try server.client()
            for (field, address) in [
                (Self.client, "192.0.2.7"), ("", "127.0.0.1"),
                ("Forwarded: for=\"[2001:db8::7]:1\"\r\n", "2001:db8::7"),
                ("X-Forwarded-For: 192.0.2.7, 198.51.100.1, 127.0.0.9\r\n", "198.51.100.1"),
            ] {
                try proxy.send(get("/peer", field))
                #expect(try proxy.answer().text == address)
            }
            try proxy.send(get("/peer", Self.client) + get("/peer") + get("/peer", Self.client))
            let answers = try (0..<3).map { _ in try proxy.answer().text }
            #expect(answers == ["192.0.2.7", "127.0.0.1", "192.0.2.7"])
        }
    }

    @Test("the fields of any other client have no effect")
    func spoofed() async throws {
        let fields = Self.client + "Forwarded: for=192.0.2.8\r\n"
        for networks in [[], ["192.0.2.0/24", "unix", "::1"]] {
            try await withServer(.any, { $0.trustedProxies = TrustedProxies(networks) }) { server in
                let client = try server.client()
                try client.send(get("/peer", fields) + get("/peer", "Forwarded: (\r\n"))
                #expect(try client.answer().text == "127.0.0.1")
                #expect(try client.answer().text == "127.0.0.1")
                let http2 = try HTTP2Client(server.address)
                try http2.get(1, "/peer", [("x-forwarded-for", "192.0.2.7"), ("forwarded", "(")])
                #expect(try http2.answer(1).text == "127.0.0.1")
            }
        }
    }

    @Test("a Unix socket's proxy names its client, if it is trusted")
    func unix() async throws {
        for (networks, address) in [(["unix"], "192.0.2.7"), (["127.0.0.1"], "none")] {
            try await withUnixServer({ $0.trustedProxies = TrustedProxies(networks) }) { server in
                let proxy = try server.client()
                try proxy.send(get("/peer", Self.client) + get("/peer"))
                #expect(try proxy.answer().text == address)
                #expect(try proxy.answer().text == "none")
            }
        }
    }

    @Test("an invalid field and fields with different clients are 400 and end the connection")
    func invalid() async throws {
        try await withServer(.any, trustLocal) { server in
            for fields in ["X-Forwarded-For: a\r\n", Self.client + "Forwarded: for=192.0.2.8\r\n"] {
                let proxy = try server.client()
                try proxy.send(get("/peer", fields) + get("/peer"))
                #expect(try proxy.answer().status == 400)
                #expect(try proxy.readToEnd() == .closed)
                #expect(proxy.received.isEmpty)
            }
            #expect(server.stage.signal("rejected 127.0.0.1").isGiven)
            #expect(server.stage.answered == 0)
        }
    }

    @Test("a body that arrives after its head, and a streamed one, have the head's client")
    func bodies() async throws {
        try await withUnixServer(trustLocal) { server in
            let proxy = try server.client()
            try proxy.deliver(post("/peer", Self.client + "Content-Length: 4"))
            try proxy.deliver("1234")
            #expect(try proxy.answer().text == "192.0.2.7")
            try proxy.deliver(post("/stream", Self.client + "X-Peer: 1\r\nContent-Length: 4"))
            try proxy.send("1234" + get("/peer"))
            #expect(try proxy.answer().text == "192.0.2.7")
            #expect(try proxy.answer().text == "none")
        }
    }

    @Test("a request rejected in its body is logged with its client, a late head with the proxy")
    func rejections() async throws {
        try await withServer(.any, trustLocal) { server in
            let proxy = try server.client()
            try proxy.send(post("/peer", Self.client + "Content-Length: 1001"))
            #expect(try proxy.answer().status == 413)
            #expect(server.stage.signal("rejected 192.0.2.7").isGiven)
        }
        func brief(_ configuration: inout HTTPConfiguration) {
            trustLocal(&configuration)
            configuration.headTimeout = 1
        }
        try await withServer(.any, brief) { server in
            let proxy = try server.client()
            try proxy.send(get("/peer", Self.client) + "GET /late HTTP/1.1\r\n")
            #expect(try proxy.answer().text == "192.0.2.7")
            #expect(try proxy.answer().status == 408)
            #expect(server.stage.signal("rejected 127.0.0.1").isGiven)
        }
    }

    @Test("an HTTP/2 connection carries requests of several clients")
    func http2() async throws {
        try await withServer(.any, trustLocal) { server in
            let proxy = try HTTP2Client(server.address)
            func headers(_ stream: UInt32, _ client: String) -> HTTP2Frame {
                let fields = HTTP2Frame.request("POST", "/peer", [("x-forwarded-for", client)])
                return .headers(stream, fields, ends: false)
            }
            try proxy.send(headers(1, "192.0.2.7"), headers(3, "192.0.2.8"))
            try proxy.get(5, "/peer")
            try proxy.get(7, "/peer", [("x-forwarded-for", "nowhere")])
            try proxy.get(9, "/peer", [("forwarded", "for=192.0.2.9")])
            #expect(try proxy.answer(5).text == "127.0.0.1")
            #expect(try proxy.answer(7).status == 400)
            #expect(try proxy.answer(9).text == "192.0.2.9")
            try proxy.send(.data(3, "a"), .data(1, "b"))
            #expect(try proxy.answer(1).text == "192.0.2.7")
            #expect(try proxy.answer(3).text == "192.0.2.8")
            let long = String(repeating: "b", count: 1001)
            try proxy.send(headers(11, "192.0.2.11"), .data(11, long))
            #expect(try proxy.answer(11).status == 413)
            #expect(server.stage.signal("rejected 192.0.2.11").isGiven)
        }
    }

    @Test("a request that upgrades to HTTP/2 has its client, and later ones have theirs")
    func upgrade() async throws {
        try await withServer(.any, trustLocal) { server in
            let proxy = try HTTP2Client(server.address, prefaced: false)
            let upgrade =
                Self.client + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                + "HTTP2-Settings: AAMAAABk\r\n"
            try proxy.client.send(get("/peer", upgrade))
            try proxy.client.read(until: "\r\n\r\n")
            #expect(proxy.client.takeText(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
            try proxy.client.send(HTTP2Frame.preface + HTTP2Frame.settings([]).bytes)
            #expect(try proxy.answer(1).text == "192.0.2.7")
            try proxy.get(3, "/peer")
            #expect(try proxy.answer(3).text == "127.0.0.1")
        }
    }

    @Test("a trusted proxy's connections have no limit per address")
    func connections() async throws {
        func limited(_ configuration: inout HTTPConfiguration) {
            trustLocal(&configuration)
            configuration.exemptsLoopback = false
            configuration.connectionsPerAddress = 1
        }
        try await withServer(.any, limited) { server in
            let proxies = try (0..<3).map { _ in try server.client() }
            for proxy in proxies {
                try proxy.send(get("/peer", Self.client))
                #expect(try proxy.answer().text == "192.0.2.7")
            }
        }
    }
}
