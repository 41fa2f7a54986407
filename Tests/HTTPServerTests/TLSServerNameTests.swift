import COpenSSL
import HTTP2Frames
import TestCertificates
import Testing

@testable import HTTPServer

@Suite(
    "Several certificates of one server (RFC 6066 §3)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct TLSServerNameTests {
    /// Runs `body` with a configuration whose certificates are in files of a folder.
    private func withFiles(
        _ certificates: [TestCertificate],
        _ body: (String, TLSConfiguration) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let identities = try certificates.enumerated().map { index, certificate in
                let place = index == 0 ? "" : "\(index)"
                let (file, key) = (folder + "/cert" + place, folder + "/key" + place)
                try replace(file, certificate.certificateText)
                try replace(key, certificate.keyText)
                return TLSConfiguration.Identity.files(certificate: file, key: key)
            }
            try await body(folder, TLSConfiguration(identities: identities))
        }
    }

    private static func certificates() throws -> [TestCertificate] {
        try ["DNS:first.example", "DNS:second.example,DNS:*.wild.example"].map {
            try TestCertificate("a", names: $0)
        }
    }

    private func client(
        _ server: TestServer,
        _ name: String?,
        _ version: CInt = TLS1_3_VERSION,
        resuming session: OpaquePointer? = nil,
        _ configure: (OpaquePointer) -> Void = { _ in }
    ) throws -> TLSClient {
        let client = try TLSClient(server.client()) { context in
            copenssl_set_protocols(context, version, version)
            configure(context)
        }
        if let name { copenssl_set_server_name(client.ssl, name) }
        if let session { SSL_set_session(client.ssl, session) }
        try client.handshake()
        return client
    }

    @Test(
        "the server name selects the certificate; the first is the default",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func choice(version: CInt) async throws {
        let certificates = try Self.certificates()
        try await withFiles(certificates) { _, configuration in
            try await withServer(tls: TLSContext(configuration)) { server in
                for (name, index) in [
                    ("first.example", 0), ("second.example", 1), ("SECOND.example", 1),
                    ("a.wild.example", 1), ("a.b.wild.example", 0), ("other.example", 0), (nil, 0),
                ] {
                    let client = try client(server, name, version)
                    let expected = certificates[index].certificate.fingerprint
                    #expect(client.serverFingerprint == expected, "\(name ?? "no name")")
                    try client.send(get("/a"))
                    #expect(try client.answer().text == "/a")
                }
            }
        }
    }

    @Test(
        "of two certificates for a name the client gets the one it can verify (RFC 8446 §4.4.2.2)"
    )
    func kinds() async throws {
        let certificates = [
            try TestCertificate("a", names: "DNS:first.example"),
            try TestCertificate("a", isRSA: true, names: "DNS:first.example,DNS:second.example"),
        ]
        try await withFiles(certificates) { _, configuration in
            try await withServer(tls: TLSContext(configuration)) { server in
                let cases: [(String?, String, Int)] = [
                    ("first.example", "ECDHE-ECDSA-AES128-GCM-SHA256", 0),
                    ("first.example", "ECDHE-RSA-AES128-GCM-SHA256", 1),
                    ("second.example", "ECDHE-RSA-AES128-GCM-SHA256", 1),
                    (nil, "ECDHE-ECDSA-AES128-GCM-SHA256", 0),
                    (nil, "ECDHE-RSA-AES128-GCM-SHA256", 1),
                ]
                for (name, cipher, index) in cases {
                    let client = try client(server, name, TLS1_2_VERSION) { context in
                        SSL_CTX_set_cipher_list(context, cipher)
                    }
                    let expected = certificates[index].certificate.fingerprint
                    #expect(client.serverFingerprint == expected, "\(name ?? "no name") \(cipher)")
                    try client.send(get("/a"))
                    #expect(try client.answer().text == "/a")
                }
                // TLS 1.3 prefers the first one.
                let newest = try client(server, "first.example")
                #expect(newest.serverFingerprint == certificates[0].certificate.fingerprint)
            }
        }
    }

    @Test(
        "a session is resumed only with its own certificate",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func resumption(version: CInt) async throws {
        try await withFiles(Self.certificates()) { _, configuration in
            try await withServer(tls: TLSContext(configuration)) { server in
                func isResumed(_ session: OpaquePointer?, _ name: String) throws -> Bool {
                    let client = try client(server, name, version, resuming: session)
                    try client.send(get("/a"))
                    #expect(try client.answer().text == "/a")
                    return client.isResumed
                }
                for (own, other) in [
                    ("first.example", "second.example"), ("second.example", "first.example"),
                ] {
                    let first = try client(server, own, version)
                    try first.send(get("/a", "Connection: close\r\n"))
                    #expect(try first.readToEnd() == .closed)
                    let session = SSL_get1_session(first.ssl)
                    defer { SSL_SESSION_free(session) }
                    #expect(try !isResumed(session, other), "\(own)'s with \(other)")
                    #expect(try isResumed(session, own), "\(own)'s")
                }
            }
        }
    }

    @Test("a request for a host of another certificate is misdirected (RFC 9110 §15.5.20)")
    func misdirected() async throws {
        try await withFiles(Self.certificates()) { _, configuration in
            try await withServer(tls: TLSContext(configuration)) { server in
                let client = try client(server, "second.example")
                for host in ["second.example", "A.WILD.example:443", "other.example", "127.0.0.1"] {
                    try client.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    #expect(try client.answer().text == "/a", "\(host)")
                }
                try client.send("GET /a HTTP/1.1\r\nHost: first.example\r\n\r\n")
                #expect(try client.answer().status == 421)
                #expect(try client.readToEnd() == .closed)
            }
        }
    }

    @Test("a misdirected HTTP/2 request is 421, and the connection continues (RFC 9113 §9.1.2)")
    func misdirectedStream() async throws {
        try await withFiles(Self.certificates()) { _, configuration in
            try await withServer(tls: TLSContext(configuration)) { server in
                let client = try client(server, "second.example") { offer("h2", by: $0) }
                var bytes = HTTP2Frame.preface + HTTP2Frame.settings().bytes
                for (stream, host) in [(1, "second.example"), (3, "first.example"), (5, "a")] {
                    var fields = HTTP2Frame.request("GET", "/uri")
                    fields[3].1 = host
                    bytes += HTTP2Frame.headers(UInt32(stream), fields).bytes
                }
                try client.send(bytes)
                let answers = try client.http2Answers(3)
                #expect(answers == [1: "200", 3: "421", 5: "200"])
            }
        }
    }

    @Test("new files of all certificates go live together, or none does")
    func reload() async throws {
        let (old, new) = (try Self.certificates(), try Self.certificates())
        try await withFiles(old) { folder, configuration in
            let files = try TLSFiles(configuration, logger: .silent)
            func fingerprints(_ certificates: TestCertificate...) -> [String] {
                certificates.map(\.certificate.fingerprint)
            }
            try replace(folder + "/cert1", new[1].certificateText)
            #expect(files.reload() == nil, "a certificate without its key")
            try replace(folder + "/cert", new[0].certificateText)
            try replace(folder + "/key", new[0].keyText)
            #expect(files.reload() == nil, "the other one is still broken")
            #expect(files.context.fingerprints == fingerprints(old[0], old[1]))
            try replace(folder + "/key1", new[1].keyText)
            #expect(files.refresh()?.fingerprints == fingerprints(new[0], new[1]))
        }
    }

    @Test("one error lists all problems of all certificates; a missing certificate is a problem")
    func problems() {
        let identities = ["a", "b"].map { name in
            TLSConfiguration.Identity.files(certificate: "/no/\(name)", key: "/no/\(name).key")
        }
        for (identities, count) in [(identities, 4), ([], 1)] {
            let error = #expect(throws: TLSError.self) {
                try TLSContext(TLSConfiguration(identities: identities))
            }
            #expect(error?.problems.count == count)
        }
    }

    @Test("a further certificate without a host name has a warning")
    func nameless() async throws {
        let certificates = [try TestCertificate("a"), try TestCertificate("b")]
        try await withFiles(certificates) { _, configuration in
            let warnings = try TLSContext(configuration).warnings
            #expect(warnings == ["TLS certificate CN=b: has no host name to select it by"])
        }
    }

    @Test("each certificate requires client certificates")
    func clientCertificates() async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        let ada = try TestCertificate("ada", issuer: authority)
        try await withFiles(Self.certificates()) { folder, configuration in
            var configuration = configuration
            let path = folder + "/authorities"
            try replace(path, authority.certificateText)
            configuration.clients = .require(authorities: path)
            try await withServer(tls: TLSContext(configuration)) { server in
                for name in ["first.example", "second.example"] {
                    let known = try client(server, name) { ada.show(by: $0) }
                    try known.send(get("/client"))
                    let text = try known.answer().text
                    #expect(text.hasPrefix("CN=ada |"))
                    let stranger = try client(server, name)
                    try stranger.send(get("/a"))
                    #expect(throws: TLSClient.Failure.self) { try stranger.answer() }
                }
            }
        }
    }
}
