import COpenSSL
import Digests
import HTTPServer
import Identity
import JSONCodec
import PlugHTTP
import TestCertificates
import Testing

@testable import BehaviorStore
@testable import Plugboard

@Suite("Approvals and schedules of authors with certificates")
struct CertificateAuthorsTests {
    private static let scopes: Scopes = [
        "admin", "behaviors:read", "behaviors:write", "behaviors:approve",
    ]
    private let authority: TestCertificate
    private let ada: TestCertificate
    private let bob: TestCertificate

    init() throws {
        authority = try TestCertificate("authority", isAuthority: true)
        ada = try TestCertificate("ada", issuer: authority)
        bob = try TestCertificate("bob", issuer: authority)
    }

    private func send(
        _ request: String,
        _ body: String,
        as author: TestCertificate,
        to site: Site
    ) async throws -> Answer {
        try await secureExchange(
            "\(request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body,
            port: site.port,
            as: author
        )
    }

    @Test("an approval doesn't count after its certificate is revoked, until it is renewed")
    func revoked() async throws {
        let place = try BehaviorsPlace()
        try place.folder.write("authority", authority.certificateText)
        try place.folder.write("revoked", authority.revocationList())
        let own = try TestCertificate("localhost", names: "DNS:localhost")
        try place.folder.write("cert", own.certificateText)
        try place.folder.write("key", own.keyText)
        var server = place.server(hasFile: false)
        var tls = Server.Configuration.TLS(
            .files(certificate: place.folder["cert"], key: place.folder["key"]),
            clients: .request(
                authorities: place.folder["authority"],
                revocations: place.folder["revoked"]
            )
        )
        tls.clientScopes = ["CN=ada": Self.scopes, "CN=bob": ["behaviors:approve"]]
        server.configuration.tls = tls
        try await serving(server) { site in
            let rules = try await send(
                "PUT /environments/production",
                #"{"approvals":1}"#,
                as: ada,
                to: site
            )
            #expect(rules.status == 200)
            let put = try await send(
                "PUT /behaviors/default?draft=true",
                BehaviorsPlace.first,
                as: ada,
                to: site
            )
            #expect(put.status == 201)
            let draft = #"{"revision":1}"#
            let approve = "POST /behaviors/default/approve"
            let publish = "POST /behaviors/default/publish"
            let approved = try await send(approve, draft, as: bob, to: site)
            #expect(approved.status == 200)

            try place.folder.write("revoked", authority.revocationList(bob))
            #expect(site.running.parts.tls?.reload() != nil)
            let refused = try await send(publish, draft, as: ada, to: site)
            #expect(refused.status == 409)
            #expect(refused.text.contains("doesn't count: its certificate was revoked"))

            let renewed = try TestCertificate("bob", issuer: authority)
            let again = try await send(approve, draft, as: renewed, to: site)
            #expect(again.status == 200)
            let published = try await send(publish, draft, as: ada, to: site)
            #expect(published.status == 200)
        }
    }

    private func verdict(
        on certificate: AuthorCertificate?,
        lists: String? = nil,
        scopes: Scopes = Self.scopes
    ) async throws -> AuthorStanding.Verdict {
        let folder = try TemporaryFolder()
        try folder.write("authority", authority.certificateText)
        if let lists { try folder.write("revoked", lists) }
        var tls = Server.Configuration.TLS(
            .development,
            clients: .request(
                authorities: folder["authority"],
                revocations: lists == nil ? nil : folder["revoked"]
            )
        )
        tls.clientScopes = ["CN=bob": scopes]
        let context = try TLSContext(tls.http)
        let standing = AuthorStanding(
            Access.Credentials(certificates: tls.callers()),
            issuers: [],
            isShared: false,
            trust: { context },
            now: { 1_000_000 }
        )
        return try await standing.verdict(on: "certificate CN=bob", certificate, .approve)
    }

    /// A certificate of the authority, as a change stores it.
    private func stored(end: Int) throws -> AuthorCertificate {
        let digits = try #require(authorityDigest)
        return AuthorCertificate(issuer: "ab", serial: "01", authority: digits, end: end)
    }

    /// The SHA-256 digest of the authority's certificate, in hexadecimal digits.
    private var authorityDigest: String? {
        var digest = [UInt8](repeating: 0, count: 32)
        guard X509_digest(authority.x509, EVP_sha256(), &digest, nil) == 1 else { return nil }
        return Hexadecimal.encode(digest)
    }

    @Test("a certificate's expiry, authority, revocation and scopes determine its standing")
    func standing() async throws {
        let valid = try stored(end: 1_000_001)
        let expired = try stored(end: 1_000_000)
        let foreign = AuthorCertificate(issuer: "ab", serial: "01", authority: "cd", end: 1_000_001)
        #expect(try await verdict(on: valid) == .valid)
        #expect(try await verdict(on: expired) == .ended("its certificate has expired"))
        #expect(
            try await verdict(on: foreign) == .ended("its certificate's authority isn't accepted")
        )
        #expect(try await verdict(on: nil) == .ended("its certificate isn't stored"))
        #expect(
            try await verdict(on: valid, lists: authority.revocationList())
                == .unknown("no current revocation list covers its certificate")
        )
        #expect(
            try await verdict(on: valid, scopes: ["behaviors:read"])
                == .ended("its certificate's name has no scope behaviors:approve")
        )
    }
}
