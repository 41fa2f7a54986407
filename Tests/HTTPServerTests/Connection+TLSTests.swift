import COpenSSL
import Glibc
import HTTP2Frames
import TestCertificates
import Testing

@testable import HTTPServer

@Suite(
    "Begin and end of a TLS connection (RFC 8446)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ConnectionTLSTests {
    @Test("the server sends close_notify before every close (RFC 8446 §6.1)")
    func closeNotify() async throws {
        try await withServer(tls: TLSContext.development(), { $0.idleTimeout = 6 }) { server in
            let idle = try server.tlsClient()
            let asked = try server.tlsClient()
            try asked.send(get("/a", "Connection: close\r\n"))
            let told = try server.tlsClient()
            try told.send(get("/close"))
            let refused = try server.tlsClient()
            try refused.send("no request\r\n\r\n")
            let left = try server.tlsClient()
            try left.sendCloseNotify()
            for client in [idle, asked, told, refused, left] {
                #expect(try client.readToEnd() == .closed)
            }
        }
    }

    @Test("a large response is complete before close_notify, for slow clients too")
    func closeBehindLargeAnswer() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient(receiveBuffer: 4096)
            try client.send(get("/bytes/3000000", "Connection: close\r\n"))
            try server.tlsTurn()
            #expect(try client.readToEnd() == .closed)
            #expect(Answer(client.received, toHead: false)?.body.count == 3_000_000)
        }
    }

    @Test("a file that shrinks ends without close_notify: it is incomplete (RFC 8446 §6.1)")
    func shortFile() async throws {
        try await withFile([UInt8](repeating: 0x61, count: 200_000)) { stage, _ in
            try await withServer(stage: stage, tls: TLSContext.development()) { server in
                let client = try server.tlsClient()
                try client.send(get("/file/0-400000"))
                #expect(try client.readToEnd() == .truncated)
                #expect(client.received.suffix(200_000).allSatisfy { $0 == 0x61 })
            }
        }
    }

    @Test("an HTTP/1.0 stream that fails ends without close_notify")
    func brokenStream() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let broken = try server.tlsClient()
            try broken.send("GET /broken HTTP/1.0\r\n\r\n")
            #expect(try broken.readToEnd() == .truncated)
            let whole = try server.tlsClient()
            try whole.send("GET /pieces/2/3 HTTP/1.0\r\n\r\n")
            #expect(try whole.readToEnd() == .closed)
        }
    }

    @Test("a request that TCP's end cuts off isn't served (RFC 8446 §6.1)")
    func truncatedRequest() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient()
            try client.send(post("/echo", "Content-Length: 5") + "hell")
            client.transport.halfClose()
            _ = try client.readToEnd()
            #expect(client.received.isEmpty)
            #expect(server.stage.answered == 0)
        }
    }

    @Test("a client that disconnects at any stage leaves no connection open")
    func vanished() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let hello = try TLSClient(server.client())
            SSL_do_handshake(hello.ssl)
            try hello.flush()
            hello.transport.reset()
            let asking = try server.tlsClient()
            try asking.send(get("/later/x"))
            await server.stage.signal("x begun").wait()
            asking.transport.reset()
            let reading = try server.tlsClient(receiveBuffer: 4096)
            try reading.send(get("/bytes/3000000"))
            reading.transport.reset()
            try server.tlsTurn()
            server.stage.signal("x").give()
        }
    }

    @Test("a ClientHello may arrive byte by byte")
    func trickled() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try TLSClient(server.client())
            try client.handshake { transport, bytes in
                for byte in bytes { try transport.send([byte]) }
            }
            for byte in Array(get("/a").utf8) { client.encrypt([byte]) }
            for byte in client.takeOutgoing() { try client.transport.send([byte]) }
            #expect(try client.answer().text == "/a")
        }
    }

    @Test("an incomplete handshake and a silent client are closed at the time limit")
    func slowHandshake() async throws {
        try await withServer(tls: TLSContext.development(), { $0.headTimeout = 1 }) { server in
            let silent = try server.client()
            let half = try server.client()
            let client = try TLSClient(server.client())
            SSL_do_handshake(client.ssl)
            let hello = client.takeOutgoing()
            try half.send(Array(hello.prefix(hello.count / 2)))
            try client.transport.send(hello)
            for client in [silent, half, client.transport] {
                #expect(try client.readToEnd() == .closed)
            }
            #expect(half.received.isEmpty && silent.received.isEmpty)
        }
    }

    @Test(
        "bytes that aren't TLS get an alert or a close, and the server continues",
        arguments: [
            [0x16, 0x03, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 70_000),
            [0x16, 0x03, 0x01, 0x00, 0x04, 0x01, 0x00, 0x00, 0x00],
            [0x16, 0x03, 0x01, 0x00, 0x00],
            [0x16, 0xFF, 0xFF, 0x00, 0x01, 0x01],
            [0x80, 0x2E, 0x01, 0x00, 0x02], [0x00], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28], [0x17, 0x03, 0x03, 0x00, 0x01, 0x00],
        ]
    )
    func garbage(bytes: [UInt8]) async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.client()
            try client.send(bytes)
            client.halfClose()
            #expect(try client.readToEnd() == .closed)
            #expect(client.received.isEmpty || client.received[0] == 0x15, "an alert, if anything")
            try server.tlsTurn()
        }
    }

    @Test(
        "an oversized client certificate is rejected before it is read",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func hugeCertificate(version: CInt) async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        let names = (0..<3000).map { "DNS:host\($0).example" }.joined(separator: ",")
        let huge = try TestCertificate("huge", issuer: authority, names: names)
        try await withFolder { folder in
            try replace(folder + "/authorities", authority.certificateText)
            let clients = TLSConfiguration.ClientCertificates.request(
                authorities: folder + "/authorities"
            )
            let context = try TLSContext(
                TLSConfiguration(identity: .development, clients: clients)
            )
            try await withServer(tls: context) { server in
                let client = try TLSClient(server.client()) { context in
                    copenssl_set_protocols(context, version, version)
                    huge.show(by: context)
                }
                // TLS 1.3's client is done before the server has judged its certificate.
                var outcome = "no failure"
                do {
                    try client.handshake()
                    if case .failed(let reason) = try client.readToEnd() { outcome = reason }
                } catch let failure as TLSClient.Failure {
                    outcome = failure.description
                }
                #expect(outcome.contains("illegal parameter"))
                #expect(server.stage.answered == 0)
                try server.tlsTurn()
            }
        }
    }

    @Test("stalled handshakes don't delay other clients, and end at the time limit")
    func stalledHandshakes() async throws {
        try await withServer(tls: TLSContext.development(), { $0.headTimeout = 1 }) { server in
            let hello = try TLSClient(server.client())
            SSL_do_handshake(hello.ssl)
            let bytes = hello.takeOutgoing()
            let stalled = try (0..<60).map { index in
                let client = try server.client()
                try client.send(Array(bytes.prefix(bytes.count * (index % 4) / 3)))
                return client
            }
            try server.tlsTurn()
            for client in stalled { #expect(try client.readToEnd() == .closed) }
        }
    }

    @Test("a record changed in transit ends the connection with bad_record_mac")
    func tampered() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient()
            client.encrypt(Array(get("/a").utf8))
            var record = client.takeOutgoing()
            record[record.count - 1] ^= 1
            try client.transport.send(record + record)
            #expect(try client.readToEnd() == .failed("sslv3 alert bad record mac"))
            #expect(server.stage.answered == 0)
        }
    }

    @Test(
        "plain HTTP on the TLS port gets a plain 400 that says so",
        arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "DELETE /x HTTP/1.1\r\n\r\n", "\r\nGET /"]
    )
    func plainRequest(request: String) async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.client()
            try client.send(request)
            let answer = try client.answer()
            #expect(answer.status == 400)
            #expect(answer.text.contains("this port speaks HTTPS"))
            #expect(answer.field("connection") == "close")
            #expect(try client.readToEnd() == .closed)
            #expect(server.stage.answered == 0)
        }
    }

    @Test("TLS on the plain port gets a plain 400 that says so")
    func handshakeOnPlainPort() async throws {
        try await withServer { server in
            let client = try TLSClient(server.client())
            SSL_do_handshake(client.ssl)
            try client.flush()
            let answer = try client.transport.answer()
            #expect(answer.status == 400)
            #expect(answer.text.contains("this port speaks plain HTTP"))
            #expect(try client.transport.readToEnd() == .closed)
        }
    }

    @Test("a draining server waits only briefly for a handshake or a first request")
    func drainSilence() async throws {
        let server = try TestServer(tls: TLSContext.development()) { $0.lingerTimeout = 1 }
        let (established, silent) = (try server.tlsClient(), try server.client())
        server.server.drain()
        await server.server.waitUntilStopped()
        #expect(try established.readToEnd() == .closed)
        #expect(try silent.readToEnd() == .closed)
    }

    @Test("a draining server completes requests and handshakes in progress")
    func drain() async throws {
        let server = try TestServer(tls: TLSContext.development()) { $0.lingerTimeout = 30 }
        let (idle, new) = (try server.tlsClient(), try server.tlsClient())
        try idle.send(get("/a"))
        #expect(try idle.answer().text == "/a")
        let busy = try server.tlsClient()
        try busy.send(get("/later/x"))
        await server.stage.signal("x begun").wait()
        let begun = try TLSClient(server.client())
        SSL_do_handshake(begun.ssl)
        try begun.flush()
        let begunHTTP2 = try TLSClient(server.client()) { offer("h2", by: $0) }
        SSL_do_handshake(begunHTTP2.ssl)
        try begunHTTP2.flush()
        let unbegun = try server.client()
        server.server.drain()
        #expect(try idle.readToEnd() == .closed)
        try new.send(get("/first"))
        #expect(try new.answer().text == "/first")
        #expect(try new.readToEnd() == .closed)
        let connected = try TLSClient(unbegun)
        try connected.handshake()
        try connected.send(get("/last"))
        #expect(try connected.answer().text == "/last")
        try begun.handshake()
        try begun.send(get("/last"))
        let last = try begun.answer()
        #expect(last.text == "/last")
        #expect(last.field("connection") == "close")
        try begunHTTP2.handshake()
        let frames = [HTTP2Frame.settings(), .headers(1, HTTP2Frame.request("GET", "/last"))]
        try begunHTTP2.send(HTTP2Frame.preface + frames.flatMap(\.bytes))
        #expect(try begunHTTP2.http2Answers(1) == [1: "200"])
        let zeros = [UInt8](repeating: 0, count: 8)
        try begunHTTP2.send(HTTP2Frame(.ping, flags: HTTP2Frame.ack, zeros).bytes)
        #expect(try begunHTTP2.readToEnd() == .closed)
        server.stage.signal("x").give()
        #expect(try busy.answer().text == "x")
        #expect(try busy.readToEnd() == .closed)
        for client in [new, connected, busy, begun, begunHTTP2] { client.transport.close() }
        await server.server.waitUntilStopped()
    }
}
