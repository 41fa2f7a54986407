import COpenSSL
import Digests
import HTTP2Frames
import TestCertificates
import Testing

@testable import HTTPServer

@Suite(
    "Client certificates that expire (RFC 5280 §4.1.2.5)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct ClientCertificateExpiryTests {
    private static let validity = -60...6

    /// An authority and its client, one of which expires soon.
    private struct Pair {
        let authority: TestCertificate
        let ada: TestCertificate

        init(expiringAuthority: Bool = false) throws {
            let (short, long) = (ClientCertificateExpiryTests.validity, -60...3600)
            authority = try TestCertificate(
                "authority",
                isAuthority: true,
                seconds: expiringAuthority ? short : long
            )
            ada = try TestCertificate(
                "ada",
                issuer: authority,
                seconds: expiringAuthority ? long : short
            )
        }
    }

    private func withServer(
        _ pair: Pair,
        isRequired: Bool,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/authorities"
            try replace(path, pair.authority.certificateText)
            let configuration = TLSConfiguration(
                identity: .development,
                clients: isRequired ? .require(authorities: path) : .request(authorities: path)
            )
            try await HTTPServerTests.withServer(tls: TLSContext(configuration)) { server in
                try await body(server)
            }
        }
    }

    private func client(
        _ server: TestServer,
        _ version: CInt,
        as certificate: TestCertificate?
    ) throws -> TLSClient {
        let client = try server.tlsClient { context in
            TLSClient.version(version)(context)
            certificate?.show(by: context)
        }
        try client.send(get("/client"))
        let text = try client.answer().text
        #expect(text.hasPrefix(certificate == nil ? "none" : "CN=ada"))
        return client
    }

    /// The response to a client that resumes a session and has no certificate.
    private func resumed(
        _ session: OpaquePointer?,
        _ server: TestServer,
        _ version: CInt
    ) throws -> (text: String, isResumed: Bool) {
        let client = try TLSClient(server.client(), TLSClient.version(version))
        do {
            SSL_set_session(client.ssl, session)
            try client.handshake()
            try client.send(get("/client"))
            return (try client.answer().text, client.isResumed)
        } catch let failure as TLSClient.Failure {
            return (failure.description, client.isResumed)
        }
    }

    @Test(
        "an expired certificate closes the connection and prevents resumption (RFC 8446 §4.6.1)",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION],
        [true, false]
    )
    func expired(version: CInt, isRequired: Bool) async throws {
        let pair = try Pair()
        try await withServer(pair, isRequired: isRequired) { server in
            let client = try client(server, version, as: pair.ada)
            let session = SSL_get1_session(client.ssl)
            defer { SSL_SESSION_free(session) }
            // The original certificate's time counts for a resumed session, too.
            let second = try TLSClient(server.client(), TLSClient.version(version))
            SSL_set_session(second.ssl, session)
            try second.handshake()
            try second.send(get("/client"))
            #expect(try second.answer().text.hasPrefix("CN=ada"))
            #expect(second.isResumed)
            let again = SSL_get1_session(second.ssl)
            defer { SSL_SESSION_free(again) }

            _ = try client.readToEnd()
            _ = try second.readToEnd()
            for session in [session, again] {
                let outcome = try resumed(session, server, version)
                if isRequired {
                    #expect(outcome.text != "none" && !outcome.text.hasPrefix("CN="))
                } else {
                    #expect(outcome.text == "none")
                }
                #expect(!outcome.isResumed)
            }
        }
    }

    @Test(
        "an expired certificate ends an endless response",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func stream(version: CInt) async throws {
        let pair = try Pair()
        try await withServer(pair, isRequired: true) { server in
            let client = try client(server, version, as: pair.ada)
            try client.send(get("/beat/s"))
            _ = try client.readToEnd()
            _ = await server.stage.signal("s cancelled").wait()
        }
    }

    @Test("an expired certificate ends an HTTP/2 connection with its streams (RFC 9113)")
    func http2() async throws {
        let pair = try Pair()
        try await withServer(pair, isRequired: true) { server in
            let client = try server.tlsClient { context in
                offer("h2", by: context)
                pair.ada.show(by: context)
            }
            let fields = HTTP2Frame.request("GET", "/beat/s")
            try client.send(
                HTTP2Frame.preface + HTTP2Frame.settings().bytes
                    + HTTP2Frame.headers(1, fields).bytes
            )
            #expect(try client.http2Answers(1) == [1: "200"])
            _ = try client.readToEnd()
            _ = await server.stage.signal("s cancelled").wait()
        }
    }

    @Test(
        "the authority's expiry counts like the certificate's (RFC 5280 §6.1)",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func authority(version: CInt) async throws {
        let pair = try Pair(expiringAuthority: true)
        try await withServer(pair, isRequired: false) { server in
            let client = try client(server, version, as: pair.ada)
            let session = SSL_get1_session(client.ssl)
            defer { SSL_SESSION_free(session) }
            _ = try client.readToEnd()
            let outcome = try resumed(session, server, version)
            #expect(outcome.text == "none")
            #expect(!outcome.isResumed)
        }
    }

    @Test("a client without a certificate remains connected and resumes its session")
    func anonymous() async throws {
        let pair = try Pair()
        try await withServer(pair, isRequired: false) { server in
            let other = try client(server, TLS1_3_VERSION, as: nil)
            _ = try client(server, TLS1_3_VERSION, as: pair.ada).readToEnd()
            try other.send(get("/client"))
            #expect(try other.answer().text == "none")
            let session = SSL_get1_session(other.ssl)
            defer { SSL_SESSION_free(session) }
            let outcome = try resumed(session, server, TLS1_3_VERSION)
            #expect(outcome.text == "none")
            #expect(outcome.isResumed)
        }
    }

    @Test("revocation lists are looked up by issuer and serial number (RFC 5280 §5.3)")
    func lookUp() async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        let other = try TestCertificate("other", isAuthority: true)
        let ada = try TestCertificate("ada", issuer: authority)
        let bob = try TestCertificate("bob", issuer: authority)
        try await withFolder { folder in
            try replace(folder + "/authorities", authority.certificateText)
            let path = folder + "/revoked"
            func status(
                _ lists: String?,
                _ one: TestCertificate,
                of trusted: TestCertificate? = nil
            ) throws -> ClientTrustStatus {
                if let lists { try replace(path, lists) }
                let context = try TLSContext(
                    TLSConfiguration(
                        identity: .development,
                        clients: .request(
                            authorities: folder + "/authorities",
                            revocations: lists == nil ? nil : path
                        )
                    )
                )
                let certificate = one.certificate
                return context.clientTrustStatus(
                    issuer: certificate.issuer,
                    serial: certificate.serial,
                    authority: Hexadecimal.encode((trusted ?? authority).certificate.digest)
                )
            }
            let list = authority.revocationList(ada)
            #expect(try status(nil, ada) == .good)
            #expect(try status(list, ada) == .revoked)
            #expect(try status(list, bob) == .good)
            #expect(try status(list, bob, of: other) == .foreign)
            #expect(try status(list, ada, of: other) == .revoked)
            #expect(try status(authority.revocationList(ada, seconds: -60), ada) == .revoked)
            #expect(try status(authority.revocationList(ada, seconds: -60), bob) == .unknown)
            #expect(try status(other.revocationList(ada), ada) == .unknown)
            // A number's sign is part of it.
            let negative = try TestCertificate("ada", issuer: authority, serial: -300)
            let positive = try TestCertificate("ada", issuer: authority, serial: 300)
            let signed = authority.revocationList(negative)
            #expect(try status(signed, negative) == .revoked)
            #expect(try status(signed, positive) == .good)
        }
    }
}
