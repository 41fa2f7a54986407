import COpenSSL
import TestCertificates
import Testing

@testable import HTTPServer

@Suite("HTTP/1.1 over TLS (RFC 8446, RFC 9110 §4.2.2)", .blockingClients, .timeLimit(.minutes(5)))
struct TLSTests {
    private static func context() throws -> TLSContext {
        try TLSContext(TLSConfiguration(identity: .development))
    }

    private static func version(_ version: CInt) -> (OpaquePointer) -> Void {
        { copenssl_set_protocols($0, version, version) }
    }

    @Test("TLS 1.2 and 1.3 are spoken", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func versions(version: CInt) async throws {
        try await withServer(tls: Self.context()) { server in
            let client = try server.tlsClient(Self.version(version))
            #expect(client.version == (version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3"))
            try client.send(get("/a") + get("/later/x") + get("/b"))
            #expect(try client.answer().text == "/a")
            await server.stage.signal("x begun").wait()
            server.stage.signal("x").give()
            #expect(try client.answer().text == "x")
            #expect(try client.answer().text == "/b")
        }
    }

    @Test("older versions are refused with protocol_version (RFC 8996)")
    func oldVersions() async throws {
        try await withServer(tls: Self.context()) { server in
            for version in [TLS1_VERSION, TLS1_1_VERSION] {
                let client = try TLSClient(server.client(), Self.version(version))
                let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
                #expect(error?.description == "tlsv1 alert protocol version")
            }
        }
    }

    @Test(
        "TLS 1.2 without forward secrecy or authenticated encryption is refused (RFC 9325 §4.1)",
        arguments: ["AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-SHA"]
    )
    func weakCiphers(cipher: String) async throws {
        try await withServer(tls: Self.context()) { server in
            let client = try TLSClient(server.client()) { context in
                Self.version(TLS1_2_VERSION)(context)
                SSL_CTX_set_cipher_list(context, cipher)
            }
            let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
            #expect(error?.description == "sslv3 alert handshake failure")
        }
    }

    @Test("a renegotiation is refused, and the connection goes on (RFC 9325 §3.5)")
    func renegotiation() async throws {
        try await withServer(tls: Self.context()) { server in
            let client = try server.tlsClient(Self.version(TLS1_2_VERSION))
            SSL_renegotiate(client.ssl)
            let error = #expect(throws: TLSClient.Failure.self) { try client.handshake() }
            #expect(error?.description == "no renegotiation")
        }
    }

    @Test("the target URI is https, unless the client says another one (RFC 9112 §3.3)")
    func scheme() async throws {
        try await withServer(tls: Self.context()) { server in
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

    @Test("what is asked for https is not answered without TLS (RFC 9110 §7.4)")
    func unsecured() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.send("GET https://b/uri HTTP/1.1\r\nHost: b\r\n\r\n")
            #expect(try client.answer().status == 421)
            #expect(try client.readToEnd() == .closed)
        }
    }

    @Test("ALPN: h2 is chosen before http/1.1, and none is needed (RFC 7301)")
    func applicationProtocols() async throws {
        try await withServer(tls: Self.context()) { server in
            let offered = try server.tlsClient { offer("spdy/3", "http/1.1", by: $0) }
            #expect(offered.applicationProtocol == "http/1.1")
            let silent = try server.tlsClient()
            #expect(silent.applicationProtocol == "")
            let newer = try server.tlsClient { offer("http/1.1", "h2", by: $0) }
            #expect(newer.applicationProtocol == "h2")
            try silent.send(get("/a"))
            #expect(try silent.answer().text == "/a")
        }
    }

    @Test("ALPN without a protocol in common ends with no_application_protocol (RFC 7301 §3.2)")
    func noApplicationProtocol() async throws {
        try await withServer(tls: Self.context()) { server in
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
        let context = try Self.context()
        try await withServer(tls: context) { server in
            let first = try server.tlsClient(Self.version(version))
            try first.send(get("/a", "Connection: close\r\n"))
            #expect(try first.readToEnd() == .closed)
            let session = SSL_get1_session(first.ssl)
            defer { SSL_SESSION_free(session) }
            func resume() throws -> Bool {
                let client = try TLSClient(server.client(), Self.version(version))
                SSL_set_session(client.ssl, session)
                try client.handshake()
                try client.send(get("/b"))
                #expect(try client.answer().text == "/b")
                return client.isResumed
            }
            #expect(try resume())
            server.server.replaceTLS(try Self.context())
            try server.tlsTurn()
            #expect(try !resume(), "a ticket of another context's key")
        }
    }

    @Test("another context is for the connections from then on; those before go on with theirs")
    func replacement() async throws {
        let (old, new) = (try Self.context(), try Self.context())
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

    @Test("many requests in one record, and one request in many records")
    func records() async throws {
        try await withServer(tls: Self.context()) { server in
            let client = try server.tlsClient()
            try client.send(String(repeating: get("/a"), count: 300))
            for _ in 0..<300 { #expect(try client.answer().text == "/a") }
            for byte in Array(get("/b").utf8) { client.encrypt([byte]) }
            try client.flush()
            #expect(try client.answer().text == "/b")
        }
    }

    @Test(
        "bodies of any size come whole, beyond what is read in one go",
        arguments: [2000, 16_384, 65_536, 65_537, 1_000_000, 4_000_000]
    )
    func bodies(size: Int) async throws {
        try await withServer(tls: Self.context()) { server in
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

    @Test("large answers, to slow clients too", arguments: [nil, 4096])
    func largeAnswers(receiveBuffer: CInt?) async throws {
        try await withServer(tls: Self.context()) { server in
            let client = try server.tlsClient(receiveBuffer: receiveBuffer)
            try client.send(get("/bytes/3000000") + get("/bytes/100000") + get("/next"))
            try server.tlsTurn()
            #expect(try client.answer().body.count == 3_000_000)
            #expect(try client.answer().body.count == 100_000)
            #expect(try client.answer().text == "/next")
        }
    }

    @Test(
        "files and ranges of them are whole",
        arguments: [1, 65_536, 65_537, 3_000_000],
        [nil, 4096]
    )
    func files(size: Int, receiveBuffer: CInt?) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await withFile(bytes) { stage, _ in
            try await withServer(stage: stage, tls: Self.context()) { server in
                let client = try server.tlsClient(receiveBuffer: receiveBuffer)
                try client.send(get("/file") + get("/file/\(size / 3)-\(size)") + get("/next"))
                try server.tlsTurn()
                #expect(try client.answer().body == bytes)
                #expect(try client.answer().body.elementsEqual(bytes[(size / 3)...]))
                #expect(try client.answer().text == "/next")
            }
        }
    }

    @Test("keys are updated while requests go on (RFC 8446 §4.6.3)")
    func keyUpdate() async throws {
        try await withServer(tls: Self.context()) { server in
            let client = try server.tlsClient(Self.version(TLS1_3_VERSION))
            for _ in 0..<20 {
                SSL_key_update(client.ssl, SSL_KEY_UPDATE_REQUESTED)
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
            }
        }
    }

    @Test(
        "client certificates: none is fine where they are requested, and not where required",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func clientCertificates(version: CInt) async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        let known = try TestCertificate("ada", issuer: authority)
        let expired = try TestCertificate("old", issuer: authority, seconds: -7200...(-3600))
        let stranger = try TestCertificate("mallory")
        try await withFolder { folder in
            let path = folder + "/authorities"
            try replace(path, authority.certificateText)
            func outcome(_ server: TestServer, _ shown: TestCertificate?) throws -> String {
                do {
                    let client = try server.tlsClient { context in
                        Self.version(version)(context)
                        shown?.show(by: context)
                    }
                    try client.send(get("/a"))
                    if case .failed(let reason) = client.end { return reason }
                    return try client.answer().text
                } catch let failure as TLSClient.Failure {
                    return failure.description
                }
            }
            func expect(_ server: TestServer, _ shown: TestCertificate?, _ text: String) throws {
                let outcome = try outcome(server, shown)
                #expect(outcome.contains(text))
            }
            let required = TLSConfiguration(
                identity: .development,
                clients: .require(authorities: path)
            )
            try await withServer(tls: TLSContext(required)) { server in
                try expect(server, known, "/a")
                for shown in [nil, expired, stranger] {
                    try expect(server, shown, "alert")
                }
            }
            let requested = TLSConfiguration(
                identity: .development,
                clients: .request(authorities: path)
            )
            try await withServer(tls: TLSContext(requested)) { server in
                try expect(server, known, "/a")
                try expect(server, nil, "/a")
                for shown in [expired, stranger] {
                    try expect(server, shown, "alert")
                }
            }
        }
    }

    @Test(
        "a client's certificate is available, also in a resumed session",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func clientIdentity(version: CInt) async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        let names = "DNS:ada.example,email:ada@example.com,URI:spiffe://example/ada,"
        let ada = try TestCertificate(
            "Ada, é",
            issuer: authority,
            names: names + "IP:192.0.2.1,IP:2001:db8::1,RID:1.2.3"
        )
        let expected =
            #"CN=Ada\, é | dns("ada.example") email("ada@example.com") "#
            + #"uri("spiffe://example/ada") ip("192.0.2.1") ip("2001:db8::1") | "#
            + ada.certificate.fingerprint
        try await withFolder { folder in
            let path = folder + "/authorities"
            try replace(path, authority.certificateText)
            let requested = TLSConfiguration(
                identity: .development,
                clients: .request(authorities: path)
            )
            try await withServer(tls: TLSContext(requested)) { server in
                let known = try server.tlsClient { context in
                    Self.version(version)(context)
                    ada.show(by: context)
                }
                let stranger = try server.tlsClient(Self.version(version))
                for _ in 0..<2 {
                    try known.send(get("/client"))
                    #expect(try known.answer().text == expected)
                    try stranger.send(get("/client"))
                    #expect(try stranger.answer().text == "none")
                }
                let session = SSL_get1_session(known.ssl)
                defer { SSL_SESSION_free(session) }
                let again = try TLSClient(server.client(), Self.version(version))
                SSL_set_session(again.ssl, session)
                try again.handshake()
                try again.send(get("/client"))
                #expect(try again.answer().text == expected)
                #expect(again.isResumed)
            }
        }
    }

    @Test("a name with a NUL or a blank in it is none (RFC 5280 §4.2.1.6)")
    func brokenNames() throws {
        let names = ["good.example\u{0}.evil", "two words", "", "last.example"]
        // dNSName is [2] of an IA5String.
        let list: [UInt8] = names.flatMap { [0x82, UInt8($0.utf8.count)] + Array($0.utf8) }
        let sequence: [UInt8] = [0x30, UInt8(list.count)] + list
        let bytes = sequence.map { String($0, radix: 16) }
        let text = bytes.map { $0.count == 1 ? "0" + $0 : $0 }.joined(separator: ":")
        let certificate = try TestCertificate("a", names: "DER:" + text).certificate
        #expect(certificate.subjectNames == [.dns("last.example")])
        #expect(certificate.hostNames == ["last.example"])
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
