import COpenSSL
import TestCertificates
import Testing

@testable import HTTPServer

@Suite("HTTP/1.1 over TLS (RFC 8446, RFC 9110 §4.2.2)", .blockingClients, .timeLimit(.minutes(5)))
struct TLSSessionTests {
    @Test("the target URI is https unless the request names another scheme (RFC 9112 §3.3)")
    func scheme() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient()
            try client.send(get("/uri") + "BREW http://b/uri HTTP/1.1\r\nHost: b\r\n\r\n")
            #expect(try client.answer().text == "GET https://a/uri")
            #expect(try client.answer().text == "BREW http://b/uri")
        }
        try await withServer { server in
            let client = try server.client()
            try client.send(get("/uri") + "GET http://b/uri HTTP/1.1\r\nHost: b\r\n\r\n")
            #expect(try client.answer().text == "GET http://a/uri")
            #expect(try client.answer().text == "GET http://b/uri")
        }
    }

    @Test("a request for an https URI without TLS is 421 (RFC 9110 §7.4)")
    func unsecured() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("GET https://b/uri HTTP/1.1\r\nHost: b\r\n\r\n")
            #expect(try client.answer().status == 421)
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("a new context applies to new connections; earlier ones retain theirs")
    func replacement() async throws {
        let (old, new) = (try TLSContext.development(), try TLSContext.development())
        try await withServer(tls: old) { server in
            let before = try server.tlsClient()
            server.server.replaceTLS(new)
            try server.tlsTurn()
            let after = try server.tlsClient()
            #expect(before.serverFingerprint == old.fingerprint)
            #expect(after.serverFingerprint == new.fingerprint)
            for client in [before, after] {
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
            }
        }
    }

    @Test("many requests may be in one record, and one request in many records")
    func records() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient()
            try client.send(String(repeating: get("/a"), count: 300))
            for _ in 0..<300 { #expect(try client.answer().text == "/a") }
            for byte in Array(get("/b").utf8) { client.encrypt([byte]) }
            try client.flush()
            #expect(try client.answer().text == "/b")
        }
    }

    @Test(
        "bodies of any size arrive completely",
        arguments: [2000, 16_384, 65_536, 65_537, 1_000_000, 4_000_000]
    )
    func bodies(size: Int) async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient()
            for path in ["/large", "/stream"] {
                let head = Array(post(path, "Content-Length: \(size)").utf8)
                let body = [UInt8](repeating: 0x61, count: size)
                try client.send(head + body + Array(get("/next").utf8))
                #expect(try client.answer().text == "\(size)")
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("large responses arrive completely, also at slow clients", arguments: [nil, 4096])
    func largeAnswers(receiveBuffer: CInt?) async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient(receiveBuffer: receiveBuffer)
            try client.send(get("/bytes/3000000") + get("/bytes/100000") + get("/next"))
            try server.tlsTurn()
            #expect(try client.answer().body.count == 3_000_000)
            #expect(try client.answer().body.count == 100_000)
            #expect(try client.answer().text == "/next")
        }
    }

    @Test(
        "files and ranges arrive completely",
        arguments: [1, 65_536, 65_537, 3_000_000],
        [nil, 4096]
    )
    func files(size: Int, receiveBuffer: CInt?) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await withFile(bytes) { stage, _ in
            try await withServer(stage: stage, tls: TLSContext.development()) { server in
                let client = try server.tlsClient(receiveBuffer: receiveBuffer)
                try client.send(get("/file") + get("/file/\(size / 3)-\(size)") + get("/next"))
                try server.tlsTurn()
                #expect(try client.answer().body == bytes)
                #expect(try client.answer().body.elementsEqual(bytes[(size / 3)...]))
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("keys are updated during requests (RFC 8446 §4.6.3)")
    func keyUpdate() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient(TLSClient.version(TLS1_3_VERSION))
            for _ in 0..<20 {
                SSL_key_update(client.ssl, SSL_KEY_UPDATE_REQUESTED)
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
            }
        }
    }
}

extension TestServer {
    /// As `turn`, through TLS.
    func tlsTurn() throws {
        for _ in 0..<3 {
            let client = try tlsClient()
            try client.send(get("/turn"))
            _ = try client.answer()
        }
    }
}
