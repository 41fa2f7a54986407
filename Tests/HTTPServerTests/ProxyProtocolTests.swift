import Glibc
import HTTP2Frames
import HTTPSyntax
import Testing

@testable import HTTPServer

/// A server that expects the PROXY protocol from proxies on this machine.
private func expectHeaders(_ configuration: inout HTTPConfiguration) {
    configuration.trustedProxies = TrustedProxies(["127.0.0.0/8", "unix"])
    configuration.readsProxyHeaders = true
}

extension TestServer {
    /// The number of rejected headers by reason.
    fileprivate func failures(_ failure: ProxyHeader.Failure) -> Int {
        server.counters.reduce(0) { $0 + $1.proxyFailures[failure] }
    }
}

@Suite(
    "Connections that begin with the PROXY protocol",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ProxyProtocolTests {
    private static let four = "PROXY TCP4 192.0.2.7 192.0.2.8 56324 443\r\n"
    private static let six = "PROXY TCP6 2001:db8::7 ::1 56324 443\r\n"
    /// A header of version 2 from 192.0.2.7, with an extension.
    private static let binary: [UInt8] =
        [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, 0x21, 0x11, 0, 16]
        + [192, 0, 2, 7, 192, 0, 2, 8, 0xDC, 4, 1, 0xBB] + [4, 0, 1, 0]
    private static let local: [UInt8] =
        [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, 0x20, 0, 0, 0]

    @Test("both versions name the client of all the connection's requests")
    func versions() async throws {
        try await withServer(.any, expectHeaders) { server in
            for (header, address) in [
                (Array(Self.four.utf8), "192.0.2.7"), (Array(Self.six.utf8), "2001:db8::7"),
                (Self.binary, "192.0.2.7"), (Self.local, "127.0.0.1"),
                (Array("PROXY UNKNOWN\r\n".utf8), "127.0.0.1"),
            ] {
                let proxy = try server.client()
                try proxy.send(header + Array((get("/peer") + get("/peer")).utf8))
                #expect(try proxy.answer().text == address)
                #expect(try proxy.answer().text == address)
                try proxy.send(get("/peer"))
                #expect(try proxy.answer().text == address)
            }
        }
    }

    @Test("a header may arrive byte by byte, with the request after it")
    func split() async throws {
        for header in [Array(Self.four.utf8), Self.binary] {
            try await withUnixServer(expectHeaders) { server in
                let proxy = try server.client()
                for byte in header + Array(get("/peer").utf8) { try proxy.deliver([byte]) }
                #expect(try proxy.answer().text == "192.0.2.7")
            }
        }
    }

    @Test(
        "TLS follows the header, whether they arrive together or apart",
        arguments: [false, true]
    )
    func tls(apart: Bool) async throws {
        try await withServer(tls: TLSContext.development(), expectHeaders) { server in
            let transport = try server.client()
            let proxy = try TLSClient(transport)
            if apart {
                for byte in Self.binary {
                    try transport.send([byte])
                    try otherTurn(server)
                }
                try proxy.handshake()
            } else {
                var header = Self.binary
                try proxy.handshake { transport, bytes in
                    try transport.send(header + bytes)
                    header = []
                }
            }
            try proxy.send(get("/peer"))
            #expect(try proxy.answer().text == "192.0.2.7")
        }
    }

    /// Lets the loop turn.
    private func otherTurn(_ server: TestServer) throws {
        let other = try server.client()
        try other.send(Self.local)
        let client = try TLSClient(other)
        try client.handshake()
    }

    @Test("HTTP/2 with prior knowledge follows the header")
    func http2() async throws {
        try await withServer(.any, expectHeaders) { server in
            let proxy = try HTTP2Client(server.address, prefaced: false)
            try proxy.client.send(
                Self.binary + HTTP2Frame.preface + HTTP2Frame.settings([]).bytes
            )
            try proxy.get(1, "/peer", [("x-forwarded-for", "192.0.2.9")])
            #expect(try proxy.answer(1).text == "192.0.2.7")
        }
    }

    @Test("the fields are read if the header's source is a trusted proxy, too")
    func chain() async throws {
        try await withServer(.any, expectHeaders) { server in
            let field = "X-Forwarded-For: 192.0.2.9\r\n"
            for (header, address) in [
                ("PROXY TCP4 127.0.0.9 127.0.0.1 1 2\r\n", "192.0.2.9"), (Self.four, "192.0.2.7"),
                // A header without a client: the proxy itself, whatever the fields say.
                ("PROXY UNKNOWN\r\n", "127.0.0.1"),
            ] {
                let proxy = try server.client()
                try proxy.send(header + get("/peer", field))
                #expect(try proxy.answer().text == address)
            }
        }
    }

    @Test("garbage closes the connection without a response, and counts by its reason")
    func garbage() async throws {
        try await withServer(.any, expectHeaders) { server in
            var broken = Self.binary
            broken[12] = 0x31
            for (bytes, failure) in [
                (Array(get("/peer").utf8), ProxyHeader.Failure.missing),
                (Array("PROXY TCP4 a b c d\r\n".utf8), .invalid), (broken, .invalid),
                (Array(("PROXY UNKNOWN" + String(repeating: " ", count: 200)).utf8), .tooLong),
                (HTTP2Frame.preface, .missing),
            ] {
                let before = server.failures(failure)
                let proxy = try server.client()
                try proxy.send(bytes)
                _ = try proxy.readToEnd()
                #expect(proxy.received.isEmpty)
                #expect(server.failures(failure) == before + 1)
            }
            #expect(server.stage.answered == 0)
        }
    }

    @Test("a connection that ends within its header counts; one without any byte doesn't")
    func cut() async throws {
        try await withServer(.any, expectHeaders) { server in
            let check = try server.client()
            check.halfClose()
            #expect(try check.readToEnd() == .closed)
            #expect(server.failures(.cut) == 0)
            let proxy = try server.client()
            try proxy.send("PROXY TC")
            proxy.halfClose()
            #expect(try proxy.readToEnd() == .closed)
            #expect(server.failures(.cut) == 1)
        }
    }

    @Test(
        "a late header closes the connection, whether or not it has begun",
        arguments: ["", "PROXY"]
    )
    func late(part: String) async throws {
        func brief(_ configuration: inout HTTPConfiguration) {
            expectHeaders(&configuration)
            configuration.headTimeout = 1
        }
        try await withServer(.any, brief) { server in
            let proxy = try server.client()
            try proxy.send(part)
            #expect(try proxy.readToEnd() == .closed)
            #expect(server.failures(.late) == 1)
        }
    }

    @Test("a connection that isn't a trusted proxy's has no header and can't forge one")
    func untrusted() async throws {
        func trustOthers(_ configuration: inout HTTPConfiguration) {
            configuration.trustedProxies = TrustedProxies(["192.0.2.0/24"])
            configuration.readsProxyHeaders = true
        }
        try await withServer(.any, trustOthers) { server in
            let client = try server.client()
            try client.send(get("/peer", "X-Forwarded-For: 192.0.2.9\r\n"))
            #expect(try client.answer().text == "127.0.0.1")
            for header in [Array(Self.four.utf8), Self.binary] {
                let liar = try server.client()
                try liar.send(header + Array(get("/peer").utf8))
                #expect(try liar.answer().status == 400)
                #expect(try liar.readToEnd() == .closed)
            }
            #expect(server.stage.answered == 1)
        }
    }

    @Test("the limit per address counts the header's source")
    func limit() async throws {
        func limited(_ configuration: inout HTTPConfiguration) {
            expectHeaders(&configuration)
            configuration.connectionsPerAddress = 1
        }
        try await withServer(.any, limited) { server in
            let first = try server.client()
            try first.send(Self.four + get("/peer"))
            #expect(try first.answer().text == "192.0.2.7")
            let second = try server.client()
            try second.send(Self.binary + Array(get("/peer").utf8))
            _ = try second.readToEnd()
            #expect(second.received.isEmpty)
            #expect(server.server.counters.reduce(0) { $0 + $1.refused.value } == 1)
            let other = try server.client()
            try other.send(Self.six + get("/peer"))
            #expect(try other.answer().text == "2001:db8::7")
            first.close()
            while server.server.counters.reduce(0, { $0 + $1.closed.value }) < 2 { sched_yield() }
            let third = try server.client()
            try third.send(Self.four + get("/peer"))
            #expect(try third.answer().text == "192.0.2.7")
        }
    }

    @Test("while the server drains, a connection's header and first request are served")
    func drain() async throws {
        try await withUnixServer(expectHeaders) { server in
            let (begun, new) = (try server.client(), try server.client())
            try begun.deliver("PROXY TCP4 192.0.2.7")
            let idle = try server.client()
            try idle.send(Self.four + get("/peer"))
            _ = try idle.answer()
            server.server.drain()
            #expect(try idle.readToEnd() == .closed)
            try begun.send(" 192.0.2.8 1 2\r\n" + get("/peer"))
            #expect(try begun.answer().text == "192.0.2.7")
            try new.send(Self.binary + Array(get("/peer").utf8))
            #expect(try new.answer().text == "192.0.2.7")
            #expect(try begun.readToEnd() == .closed)
            #expect(try new.readToEnd() == .closed)
        }
    }
}
