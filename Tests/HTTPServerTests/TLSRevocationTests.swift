import COpenSSL
import TestCertificates
import Testing

@testable import HTTPServer

@Suite(
    "Revoked client certificates (RFC 5280 §5)",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct TLSRevocationTests {
    private let authority: TestCertificate
    private let ada: TestCertificate
    private let mallory: TestCertificate

    init() throws {
        authority = try TestCertificate("authority", isAuthority: true)
        ada = try TestCertificate("ada", issuer: authority)
        mallory = try TestCertificate("mallory", issuer: authority)
    }

    private func withFiles(
        _ lists: String,
        _ body: (String, TLSConfiguration) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try replace(folder + "/authorities", authority.certificateText)
            try replace(folder + "/revoked", lists)
            try replace(folder + "/cert", ada.certificateText)
            try replace(folder + "/key", ada.keyText)
            let clients = TLSConfiguration.ClientCertificates.require(
                authorities: folder + "/authorities",
                revocations: folder + "/revoked"
            )
            let identity = TLSConfiguration.Identity.files(
                certificate: folder + "/cert",
                key: folder + "/key"
            )
            try await body(folder, TLSConfiguration(identity: identity, clients: clients))
        }
    }

    /// The result of a request by a client with that certificate.
    private func outcome(
        _ server: TestServer,
        _ shown: TestCertificate,
        _ version: CInt,
        resuming session: OpaquePointer? = nil
    ) throws -> String {
        do {
            let client = try TLSClient(server.client()) { context in
                copenssl_set_protocols(context, version, version)
                shown.show(by: context)
            }
            if let session { SSL_set_session(client.ssl, session) }
            try client.handshake()
            try client.send(get("/a"))
            return try client.answer().text
        } catch let failure as TLSClient.Failure {
            return failure.description
        }
    }

    @Test(
        "a revoked certificate is rejected, others are served",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func revoked(version: CInt) async throws {
        try await withFiles(authority.revocationList(mallory)) { _, configuration in
            try await withServer(tls: TLSContext(configuration)) { server in
                #expect(try outcome(server, ada, version) == "/a")
                let refused = try outcome(server, mallory, version)
                #expect(refused.contains("certificate revoked"))
            }
        }
    }

    @Test("a new list is reloaded, and no earlier session is resumed")
    func reload() async throws {
        let empty = authority.revocationList()
        try await withFiles(empty) { folder, configuration in
            let files = try TLSFiles(configuration, logger: .silent)
            try await withServer(tls: files.context) { server in
                let client = try server.tlsClient { mallory.show(by: $0) }
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
                let session = SSL_get1_session(client.ssl)
                defer { SSL_SESSION_free(session) }
                try replace(folder + "/revoked", authority.revocationList(mallory))
                server.server.replaceTLS(try #require(files.refresh()))
                try server.turn(as: ada)
                for session in [nil, session] {
                    let outcome = try outcome(server, mallory, TLS1_3_VERSION, resuming: session)
                    #expect(outcome.contains("certificate revoked"))
                }
                try replace(folder + "/revoked", "no list")
                #expect(files.reload() == nil, "a broken list changes nothing")
            }
        }
    }

    @Test(
        "a new list closes open connections of the certificates that it revokes",
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
    )
    func openConnections(version: CInt) async throws {
        try await withFiles(authority.revocationList()) { folder, configuration in
            let files = try TLSFiles(configuration, logger: .silent)
            try await withServer(tls: files.context) { server in
                func client(_ shown: TestCertificate) throws -> TLSClient {
                    let client = try TLSClient(server.client()) { context in
                        copenssl_set_protocols(context, version, version)
                        shown.show(by: context)
                    }
                    try client.handshake()
                    try client.send(get("/a"))
                    #expect(try client.answer().text == "/a")
                    return client
                }
                let (good, bad) = (try client(ada), try client(mallory))
                try replace(folder + "/revoked", authority.revocationList(mallory))
                server.server.replaceTLS(try #require(files.refresh()))
                try server.turn(as: ada)
                #expect(throws: (any Error).self) {
                    try bad.send(get("/b"))
                    _ = try bad.answer()
                }
                try good.send(get("/b"))
                #expect(try good.answer().text == "/b")
            }
        }
    }

    @Test("removing an authority closes open connections of its certificates")
    func removedAuthority() async throws {
        let other = try TestCertificate("other", isAuthority: true)
        let bob = try TestCertificate("bob", issuer: other)
        try await withFiles(authority.revocationList() + other.revocationList()) {
            folder,
            configuration in
            try replace(folder + "/authorities", authority.certificateText + other.certificateText)
            let files = try TLSFiles(configuration, logger: .silent)
            try await withServer(tls: files.context) { server in
                let client = try server.tlsClient { bob.show(by: $0) }
                try client.send(get("/a"))
                #expect(try client.answer().text == "/a")
                try replace(folder + "/authorities", authority.certificateText)
                server.server.replaceTLS(try #require(files.reload()))
                try server.turn(as: ada)
                #expect(throws: (any Error).self) {
                    try client.send(get("/b"))
                    _ = try client.answer()
                }
            }
        }
    }

    @Test("an outdated list, or another authority's, rejects all client certificates")
    func unknown() async throws {
        let other = try TestCertificate("other", isAuthority: true)
        let lists = [authority.revocationList(seconds: -60), other.revocationList()]
        for (list, warnings) in zip(lists, [1, 0]) {
            try await withFiles(list) { _, configuration in
                let context = try TLSContext(configuration)
                #expect(context.warnings.count == warnings)
                try await withServer(tls: context) { server in
                    let refused = try outcome(server, ada, TLS1_3_VERSION)
                    #expect(refused.contains("alert"))
                }
            }
        }
    }

    @Test("a file without a list is rejected with its path", arguments: ["", "no PEM"])
    func garbage(text: String) async throws {
        try await withFiles(text) { folder, configuration in
            let error = #expect(throws: TLSError.self) { try TLSContext(configuration) }
            let path = "TLS revocation lists \(folder)/revoked: "
            #expect(error?.problems == [path + "contains no PEM revocation list"])
        }
    }
}

extension TestServer {
    /// As `tlsTurn`, with a client's certificate.
    fileprivate func turn(as certificate: TestCertificate) throws {
        for _ in 0..<3 {
            let client = try tlsClient { certificate.show(by: $0) }
            try client.send(get("/turn"))
            _ = try client.answer()
        }
    }
}
