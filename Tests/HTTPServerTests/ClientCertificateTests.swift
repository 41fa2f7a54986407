import COpenSSL
import TestCertificates
import Testing

@testable import HTTPServer

@Suite("Client certificates (RFC 5280)", .blockingClients, .timeLimit(.minutes(5)))
struct ClientCertificateTests {
    @Test(
        "a client without a certificate is accepted if one is requested, rejected if required",
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
                        TLSClient.version(version)(context)
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
                    TLSClient.version(version)(context)
                    ada.show(by: context)
                }
                let stranger = try server.tlsClient(TLSClient.version(version))
                for _ in 0..<2 {
                    try known.send(get("/client"))
                    #expect(try known.answer().text == expected)
                    try stranger.send(get("/client"))
                    #expect(try stranger.answer().text == "none")
                }
                let session = SSL_get1_session(known.ssl)
                defer { SSL_SESSION_free(session) }
                let again = try TLSClient(server.client(), TLSClient.version(version))
                SSL_set_session(again.ssl, session)
                try again.handshake()
                try again.send(get("/client"))
                #expect(try again.answer().text == expected)
                #expect(again.isResumed)
            }
        }
    }

    @Test("a host name with a NUL or a space is ignored (RFC 5280 §4.2.1.6)")
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
