import BehaviorStore
import HTTPServer
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import TestCertificates
import Testing

private class WhoAmI: Action<WhoAmI.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller }
    static var path: String { "/who" }
}
private class Write: Action<Void, String>, GET, Scoped {
    static var path: String { "/write" }
    static var scopes: Scopes { ["photos:write"] }
}

@Suite("Callers with client certificates", .serialized, .timeLimit(.minutes(5)))
struct CertificateCallersTests {
    private let authority: TestCertificate

    init() throws {
        authority = try TestCertificate("authority", isAuthority: true)
        WhoAmI.self <~ { "\($0.caller.id) \($0.caller.name)" }
        Write.self <~ { Caller.current?.name ?? "nobody" }
    }

    /// Asks a server that takes certificates, and tokens if there is a folder for them.
    private func known(
        scopes: Server.Configuration.TLS.ClientScopes,
        data: String? = nil,
        _ body: (RunningServer, (String, TestCertificate, String) async throws -> Answer)
            async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write("authority", authority.certificateText)
        var server = Server {
            WhoAmI.self
            Write.self
        }
        var tls = Server.Configuration.TLS(
            .development,
            clients: .request(authorities: folder["authority"])
        )
        tls.clientScopes = scopes
        server.configuration.tls = tls
        server.configuration.dataFolder = data
        try await serving(server) { site in
            try await body(site.running) { path, certificate, fields in
                try await secureExchange(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)Connection: close\r\n\r\n",
                    port: site.port,
                    as: certificate
                )
            }
        }
    }

    @Test("a caller's name is its certificate's URI, else mailbox, subject or host")
    func names() async throws {
        let names = [
            "DNS:a.example,email:ada@example.com,URI:spiffe://example/ada":
                ("URI:", "spiffe://example/ada"),
            "DNS:a.example,email:ada@example.com": ("email:", "ada@example.com"),
            "DNS:a.example": ("", "CN=ada"),
        ]
        try await known(scopes: [:]) { _, ask in
            for (alternative, name) in names {
                let ada = try TestCertificate("ada", issuer: authority, names: alternative)
                let answer = try await ask("/who", ada, "")
                #expect(answer.text == #""certificate \#(name.0)\#(name.1) \#(name.1)""#)
            }
        }
    }

    @Test(
        "a subject's control characters are escaped in the caller's name (RFC 4514 §2.4)",
        arguments: [
            ("ada\nbob", #"CN=ada\0Abob"#), ("ada\u{0}", #"CN=ada\00"#),
            ("\u{7F}\r\t", #"CN=\7F\0D\09"#),
            ("a\u{1B}[2Jb,c", #"CN=a\1B[2Jb\,c"#),
        ]
    )
    func controls(_ name: String, _ subject: String) async throws {
        try await known(scopes: [subject: ["photos:write"]]) { _, ask in
            let hostile = try TestCertificate(name, issuer: authority)
            let answer = try await ask("/write", hostile, "")
            #expect(try JSON(parsing: answer.body).string == subject)
            #expect(Author(id: "certificate \(subject)", name: subject).canBeKept)
        }
    }

    @Test("a name that the audit can't store identifies no caller, and no other name is used")
    func longName() async throws {
        // With `certificate ` before it, 8 KiB and one byte more.
        let longest =
            "x:" + String(repeating: "a", count: (8 << 10) - "certificate URI:x:".utf8.count)
        for (name, status) in [(longest, 200), (longest + "a", 401)] {
            try await known(scopes: [name: ["photos:write"], "CN=ada": ["photos:write"]]) {
                _,
                ask in
                let ada = try TestCertificate("ada", issuer: authority, names: "URI:" + name)
                let answer = try await ask("/write", ada, "")
                #expect(answer.status == status)
            }
        }
    }

    @Test("a certificate has exactly the scopes that the server assigns to its name")
    func scopes() async throws {
        let ada = try TestCertificate("ada", issuer: authority)
        let bob = try TestCertificate("bob", issuer: authority, names: "DNS:ada,URI:x:CN=ada")
        try await known(scopes: ["CN=ada": ["photos:write"]]) { _, ask in
            let granted = try await ask("/write", ada, "")
            #expect(granted.text == #""CN=ada""#)
            let refused = try await ask("/write", bob, "")
            #expect(refused.status == 403)
        }
    }

    @Test(
        "a name's kind is significant: an alternative name isn't a subject",
        arguments: ["URI:CN=ada", "email:CN=ada", "email:CN=ada@example.com"]
    )
    func kinds(alternative: String) async throws {
        let scopes: Server.Configuration.TLS.ClientScopes = [
            "CN=ada": ["photos:write"], "CN=ada@example.com": ["photos:write"],
            "DNS:CN=ada": ["photos:write"],
        ]
        try await known(scopes: scopes) { _, ask in
            let bob = try TestCertificate("bob", issuer: authority, names: alternative)
            let refused = try await ask("/write", bob, "")
            #expect(refused.status == 403)
        }
        try await known(scopes: [alternative: ["photos:write"]]) { _, ask in
            let bob = try TestCertificate("bob", issuer: authority, names: alternative)
            let granted = try await ask("/write", bob, "")
            #expect(granted.status == 200)
        }
    }

    @Test(
        "names that look the same are different callers",
        arguments: [("\u{212A}ate", "Kate"), ("Jose\u{301}", "José")]
    )
    func lookalikes(shown: String, granted: String) async throws {
        try await known(scopes: ["CN=\(granted)": ["photos:write"]]) { _, ask in
            let imitation = try TestCertificate(shown, issuer: authority)
            let refused = try await ask("/write", imitation, "")
            #expect(refused.status == 403)
            let own = try TestCertificate(granted, issuer: authority)
            let answer = try await ask("/write", own, "")
            #expect(answer.status == 200)
        }
    }

    @Test(
        "a token takes precedence over the certificate, even an invalid token"
    )
    func token() async throws {
        let folder = try TemporaryFolder()
        let ada = try TestCertificate("ada", issuer: authority)
        try await known(scopes: ["CN=ada": ["photos:write"]], data: folder["data"]) { server, ask in
            let tokens = try #require(server.parts.administration?.tokens)
            let bob = try await tokens.create(name: "bob", scopes: ["photos:read"]).text
            let who = try await ask("/who", ada, "Authorization: Bearer \(bob)\r\n")
            #expect(who.text.hasSuffix(#" bob""#))
            let write = try await ask("/write", ada, "Authorization: Bearer \(bob)\r\n")
            #expect(write.status == 403)
            let wrong = try await ask("/write", ada, "Authorization: Bearer x\r\n")
            #expect(wrong.status == 401)
        }
    }

    @Test("scopes without client certificates and invalid scopes are start-up errors")
    func wrongScopes() {
        func problem(_ tls: Server.Configuration.TLS) -> String? {
            var server = Server { Write.self }
            server.configuration.tls = tls
            server.configuration.tls?.clientScopes = ["CN=a": ["a\"b"]]
            return #expect(throws: StartError.self) { try server.start() }?.problems.first
        }
        #expect(
            problem(.init(.development))
                == "clients have scopes, but no client certificates are requested"
        )
        #expect(
            problem(.init(.development, clients: .request(authorities: "x")))
                == #"CN=a has an invalid scope: "a"b""#
        )
    }
}
