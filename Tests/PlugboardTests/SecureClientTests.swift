import BehaviorStore
import HTTPServer
import HTTPTypes
import Identity
import JSONCodec
import Locking
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import TestCertificates
import Testing

private class Greet: Action<Greet.Name, String>, POST {
    struct Name: Codable, Sendable { var name: String }
    static var path: String { "/greet" }
}

private class WhoAmI: Action<WhoAmI.Input, String>, GET {
    struct Input: Codable, Sendable { var caller: Caller }
    static var path: String { "/who" }
}
private class Write: Action<Void, String>, GET, Scoped {
    static var path: String { "/write" }
    static var scopes: Scopes { ["photos:write"] }
}

@Suite("The client over https (RFC 9110 §4.2.2)", .serialized, .timeLimit(.minutes(5)))
struct SecureClientTests {
    private let authority: TestCertificate

    init() throws {
        authority = try TestCertificate("authority", isAuthority: true)
        Greet.self <~ { "hello \($0.name)" }
        WhoAmI.self <~ { "\($0.caller.id) \($0.caller.name)" }
        Write.self <~ { Caller.current?.name ?? "nobody" }
    }

    /// Runs `body` with a server that shows a certificate, and the file of its authority.
    private func site(
        _ certificate: TestCertificate,
        clients: (String) -> Server.Configuration.TLS.ClientCertificates = { _ in .none },
        middleware: [Middleware] = [],
        _ body: (Site, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write("cert", certificate.certificateText)
        try folder.write("key", certificate.keyText)
        try folder.write("authority", authority.certificateText)
        var server = Server(middleware: middleware) { Greet.self }
        server.configuration.tls = .init(
            .files(certificate: folder.path + "/cert", key: folder.path + "/key"),
            clients: clients(folder.path + "/authority")
        )
        try await serving(server) { site in try await body(site, folder.path + "/authority") }
    }

    private func certificate(
        _ names: String = "DNS:localhost,IP:127.0.0.1",
        seconds: ClosedRange<Int> = -60...3600
    ) throws -> TestCertificate {
        try TestCertificate("server", issuer: authority, names: names, seconds: seconds)
    }

    private func client(_ url: String, trusting file: String?) -> Client {
        Client(url, transport: SocketTransport(authorities: file))
    }

    @Test("requests to a name and to an address reuse the connection")
    func answers() async throws {
        try await site(certificate()) { site, file in
            for host in ["localhost", "127.0.0.1", "LocalHost"] {
                let client = client("https://\(host):\(site.port)", trusting: file)
                for name in ["ada", "grace"] {
                    let greeting = try await client.send(Greet.self, .init(name: name))
                    #expect(greeting == "hello \(name)")
                }
            }
            let accepted = site.running.http.counters.reduce(0) { $0 + $1.accepted.value }
            #expect(accepted == 3)
        }
    }

    @Test("inputs and outputs of many records arrive completely")
    func large() async throws {
        try await site(certificate()) { site, file in
            let client = client("https://localhost:\(site.port)", trusting: file)
            let name = String(repeating: "ada ", count: 200_000)
            for _ in 0..<2 {
                let greeting = try await client.send(Greet.self, .init(name: name))
                #expect(greeting == "hello \(name)")
            }
        }
    }

    @Test("many concurrent requests")
    func concurrency() async throws {
        try await site(certificate()) { site, file in
            let client = client("https://localhost:\(site.port)", trusting: file)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await client.send(Greet.self, .init(name: "a")) }
                }
                for try await greeting in group { #expect(greeting == "hello a") }
            }
        }
    }

    /// The error of a call.
    private func failure(_ client: Client) async -> ClientError? {
        await #expect(throws: ClientError.self) {
            try await client.send(Greet.self, .init(name: "a"))
        }
    }

    @Test(
        "a certificate without alternative names matches no host (RFC 9525 §2)",
        arguments: ["localhost", "127.0.0.1"]
    )
    func commonName(host: String) async throws {
        for names in [nil, "email:ada@example.com"] as [String?] {
            let certificate = try TestCertificate(host, issuer: authority, names: names)
            try await site(certificate) { site, file in
                let error = await failure(client("https://\(host):\(site.port)", trusting: file))
                #expect(error?.kind == .untrusted)
                #expect(error?.message.contains("another host") == true)
            }
        }
    }

    @Test("an untrusted server gets no request, and its error differs from an unreachable one's")
    func unknownIssuer() async throws {
        try await site(certificate()) { site, _ in
            let error = await failure(client("https://localhost:\(site.port)", trusting: nil))
            #expect(error?.kind == .untrusted)
            #expect(error?.message.contains("SSL_CERT_FILE") == true)
            #expect(error?.problem == .badGateway())
        }
        try await site(TestCertificate("self", names: "DNS:localhost")) { site, file in
            let error = await failure(client("https://localhost:\(site.port)", trusting: file))
            #expect(error?.kind == .untrusted)
        }
    }

    @Test(
        "a certificate for another host is rejected, also for an address",
        arguments: ["DNS:other.example", "DNS:127.0.0.1", "DNS:*", "DNS:*host", "IP:127.0.0.2"]
    )
    func otherHost(names: String) async throws {
        try await site(certificate(names)) { site, file in
            for host in ["localhost", "127.0.0.1"] {
                let error = await failure(client("https://\(host):\(site.port)", trusting: file))
                #expect(error?.kind == .untrusted)
                #expect(error?.message.contains("is for another host") == true)
            }
        }
    }

    @Test("an expired or not yet valid certificate is rejected")
    func dates() async throws {
        for (seconds, word) in [(-7200...(-3600), "expired"), (3600...7200, "clock")] {
            try await site(certificate(seconds: seconds)) { site, file in
                let error = await failure(client("https://localhost:\(site.port)", trusting: file))
                #expect(error?.kind == .untrusted)
                #expect(error?.message.contains(word) == true)
            }
        }
    }

    @Test("https to a plain port and http to a TLS port are errors with their reason")
    func otherScheme() async throws {
        try await serving(Server { Greet.self }) { site in
            let error = await failure(client("https://localhost:\(site.port)", trusting: nil))
            #expect(error?.kind == .unreachable)
            #expect(error?.message.contains("http://") == true)
        }
        try await site(certificate()) { site, _ in
            let problem = await #expect(throws: Problem.self) {
                try await Client(site.url).send(Greet.self, .init(name: "a"))
            }
            #expect(problem?.detail?.contains("HTTPS") == true)
        }
    }

    @Test("a server that requires client certificates causes an error of its own")
    func demand() async throws {
        try await site(certificate(), clients: { .require(authorities: $0) }) { site, file in
            let error = await failure(client("https://localhost:\(site.port)", trusting: file))
            #expect(error?.kind == .unreachable)
            #expect(error?.message.contains("client certificates") == true)
        }
    }

    @Test("a file of authorities that can't be read is an error of the call")
    func noAuthorities() async throws {
        try await site(certificate()) { site, _ in
            let error = await failure(
                client("https://localhost:\(site.port)", trusting: "/nowhere/ca.pem")
            )
            #expect(error?.kind == .untrusted)
            #expect(error?.message.contains("/nowhere/ca.pem") == true)
        }
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
        "a name's kind is part of it: an alternative name isn't a subject",
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
            let tokens = try #require(server.parts.data?.tokens)
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
            var server = Server { Greet.self }
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

    @Test("a middleware receives the client's certificate and the scheme https")
    func peerCertificate() async throws {
        let ada = try TestCertificate("ada", issuer: authority, names: "DNS:back.office.example")
        let seen = Locked<[String?]>([])
        let watch = Middleware { request, next in
            let certificate = request.peerCertificate
            seen.withLock {
                $0 = [request.head.scheme, certificate?.subject]
                $0 += [certificate.map { String($0.fingerprint.count) }]
            }
            let names = certificate?.alternativeNames ?? []
            guard names.contains(.dns("back.office.example")) else { throw Problem.forbidden() }
            return try await next()
        }
        try await site(
            certificate(),
            clients: { .request(authorities: $0) },
            middleware: [watch]
        ) { site, file in
            let client = client("https://localhost:\(site.port)", trusting: file)
            await #expect(throws: Problem.forbidden()) {
                try await client.send(Greet.self, .init(name: "a"))
            }
            #expect(seen.withLock { $0 } == ["https", nil, nil])
            let body = #"{"name":"a"}"#
            let answer = try await secureExchange(
                "POST /greet HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Content-Type: application/json\r\nConnection: close\r\n\r\n\(body)",
                port: site.port,
                as: ada
            )
            #expect(answer.status == 200)
            #expect(seen.withLock { $0 } == ["https", "CN=ada", "95"])
        }
    }
}
