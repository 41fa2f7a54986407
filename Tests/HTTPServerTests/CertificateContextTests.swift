import COpenSSL
import Testing

@testable import HTTPServer

@Suite(
    "Versions, ciphers and protocols of TLS (RFC 9325, RFC 7301)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct CertificateContextTests {
    @Test("TLS 1.2 and 1.3 are accepted", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func versions(version: CInt) async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient(TLSClient.version(version))
            #expect(client.version == (version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3"))
            try client.send(get("/a") + get("/later/x") + get("/b"))
            #expect(try client.answer().text == "/a")
            await server.stage.signal("x begun").wait()
            server.stage.signal("x").give()
            #expect(try client.answer().text == "x")
            #expect(try client.answer().text == "/b")
        }
    }

    @Test("older versions are rejected with protocol_version (RFC 8996)")
    func oldVersions() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            for version in [TLS1_VERSION, TLS1_1_VERSION] {
                let client = try TLSClient(server.client(), TLSClient.version(version))
                let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
                #expect(error?.description == "tlsv1 alert protocol version")
            }
        }
    }

    @Test(
        "TLS 1.2 without forward secrecy or authenticated encryption is rejected (RFC 9325 §4.1)",
        arguments: ["AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-SHA"]
    )
    func weakCiphers(cipher: String) async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try TLSClient(server.client()) { context in
                TLSClient.version(TLS1_2_VERSION)(context)
                SSL_CTX_set_cipher_list(context, cipher)
            }
            let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
            #expect(error?.description == "sslv3 alert handshake failure")
        }
    }

    @Test("a renegotiation is rejected, and the connection continues (RFC 9325 §3.5)")
    func renegotiation() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try server.tlsClient(TLSClient.version(TLS1_2_VERSION))
            SSL_renegotiate(client.ssl)
            let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
            #expect(error?.description == "no renegotiation")
        }
    }

    @Test("ALPN prefers h2 to http/1.1 and is optional (RFC 7301)")
    func applicationProtocols() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let offered = try server.tlsClient { offer("spdy/3", "http/1.1", by: $0) }
            #expect(offered.applicationProtocol == "http/1.1")
            let silent = try server.tlsClient()
            #expect(silent.applicationProtocol == "")
            let newer = try server.tlsClient { offer("http/1.1", "h2", by: $0) }
            #expect(newer.applicationProtocol == "h2")
            let older = try server.tlsClient { offer("http/1.0", by: $0) }
            #expect(older.applicationProtocol == "http/1.0")
            try silent.send(get("/a"))
            #expect(try silent.answer().text == "/a")
        }
    }

    @Test("ALPN without a protocol in common ends with no_application_protocol (RFC 7301 §3.2)")
    func noApplicationProtocol() async throws {
        try await withServer(tls: TLSContext.development()) { server in
            let client = try TLSClient(server.client()) { offer("spdy/3", "imap", by: $0) }
            let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
            #expect(error?.description == "tlsv1 alert no application protocol")
        }
    }

    @Test(
        "a session is resumed from its ticket (RFC 8446 §2.2, RFC 5077)",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func resumption(version: CInt) async throws {
        let context = try TLSContext.development()
        try await withServer(tls: context) { server in
            let first = try server.tlsClient(TLSClient.version(version))
            try first.send(get("/a", "Connection: close\r\n"))
            #expect(try first.readToEnd() == .closed)
            let session = SSL_get1_session(first.ssl)
            defer { SSL_SESSION_free(session) }
            func resume() throws -> Bool {
                let client = try TLSClient(server.client(), TLSClient.version(version))
                SSL_set_session(client.ssl, session)
                try client.handshake()
                try client.send(get("/b"))
                #expect(try client.answer().text == "/b")
                return client.isResumed
            }
            #expect(try resume())
            server.server.replaceTLS(try TLSContext.development())
            try server.tlsTurn()
            #expect(try !resume(), "a ticket of another context's key")
        }
    }
}
