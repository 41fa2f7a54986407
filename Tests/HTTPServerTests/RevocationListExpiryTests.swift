import COpenSSL
import TestCertificates
import TestLog
import Testing

@testable import HTTPServer

@Suite(
    "Revocation lists that expire (RFC 5280 §5.1.2.5)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct RevocationListExpiryTests {
    private static let soon = 6

    /// Two authorities, each with a client.
    private let first: TestCertificate
    private let second: TestCertificate
    private let ada: TestCertificate
    private let bob: TestCertificate
    private let journal = Journal()

    init() throws {
        first = try TestCertificate("first", isAuthority: true)
        second = try TestCertificate("second", isAuthority: true)
        ada = try TestCertificate("ada", issuer: first)
        bob = try TestCertificate("bob", issuer: second)
    }

    /// Serves with a list of the first authority that expires soon, and a longer one of the second.
    private func withServer(
        isRequired: Bool,
        _ body: (TestServer, TLSFiles, _ listFile: String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let (authorities, lists) = (folder + "/authorities", folder + "/lists")
            try replace(authorities, first.certificateText + second.certificateText)
            try replace(
                lists,
                first.revocationList(seconds: Self.soon) + second.revocationList()
            )
            let server = try TestCertificate("server")
            try replace(folder + "/cert", server.certificateText)
            try replace(folder + "/key", server.keyText)
            let configuration = TLSConfiguration(
                identity: .files(certificate: folder + "/cert", key: folder + "/key"),
                clients: isRequired
                    ? .require(authorities: authorities, revocations: lists)
                    : .request(authorities: authorities, revocations: lists)
            )
            let files = try TLSFiles(configuration, logger: journal.logger)
            try await HTTPServerTests.withServer(tls: files.context) { server in
                try await body(server, files, lists)
            }
        }
    }

    private func client(
        _ server: TestServer,
        _ version: CInt,
        as certificate: TestCertificate,
        resuming session: OpaquePointer? = nil
    ) throws -> TLSClient {
        let client = try TLSClient(server.client()) { context in
            TLSClient.version(version)(context)
            certificate.show(by: context)
        }
        if let session { SSL_set_session(client.ssl, session) }
        try client.handshake()
        try client.send(get("/client"))
        #expect(try client.answer().text.hasPrefix("CN="))
        return client
    }

    @Test(
        "an expired list closes its clients' connections and prevents new ones",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION],
        [true, false]
    )
    func expired(version: CInt, isRequired: Bool) async throws {
        try await withServer(isRequired: isRequired) { server, files, _ in
            let rejected = try client(server, version, as: ada)
            let session = SSL_get1_session(rejected.ssl)
            defer { SSL_SESSION_free(session) }
            // A current list allows resumption.
            let resumed = try client(server, version, as: ada, resuming: session)
            #expect(resumed.isResumed)
            let accepted = try client(server, version, as: bob)
            _ = try rejected.readToEnd()
            _ = try resumed.readToEnd()
            for _ in 0..<2 { files.refresh() }
            let warnings = journal.lines.filter { $0.contains("one expired on") }
            #expect(warnings.count == 1, "the log says once that clients are rejected")
            for session in [nil, session] {
                #expect(throws: TLSClient.Failure.self) {
                    _ = try client(server, version, as: ada, resuming: session)
                }
            }
            // Another authority's list is current.
            try accepted.send(get("/client"))
            #expect(try accepted.answer().text.hasPrefix("CN=bob"))
            _ = try client(server, version, as: bob)
        }
    }

    @Test("an expired list ends an endless response", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func stream(version: CInt) async throws {
        try await withServer(isRequired: true) { server, _, _ in
            let client = try client(server, version, as: ada)
            try client.send(get("/beat/s"))
            _ = try client.readToEnd()
            _ = await server.stage.signal("s cancelled").wait()
        }
    }

    @Test("a list replaced in time closes no connection")
    func replaced() async throws {
        try await withServer(isRequired: true) { server, files, lists in
            let accepted = try client(server, TLS1_3_VERSION, as: ada)
            try replace(
                lists,
                first.revocationList() + second.revocationList(seconds: Self.soon)
            )
            server.server.replaceTLS(try #require(files.reload()))
            // The second list expires after the first one's original end.
            let rejected = try client(server, TLS1_3_VERSION, as: bob)
            _ = try rejected.readToEnd()
            try accepted.send(get("/client"))
            #expect(try accepted.answer().text.hasPrefix("CN=ada"))
        }
    }
}
