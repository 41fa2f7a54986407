import HTTPServer
import HTTPTypes
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

@Suite("The client over https (RFC 9110 §4.2.2)", .serialized, .timeLimit(.minutes(5)))
struct SecureClientTests {
    private let authority: TestCertificate

    init() throws {
        authority = try TestCertificate("authority", isAuthority: true)
        Greet.self <~ { "hello \($0.name)" }
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

    @Test("many concurrent requests get their own responses")
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

    @Test("a server that requires client certificates causes an error that names them")
    func demand() async throws {
        try await site(certificate(), clients: { .require(authorities: $0) }) { site, file in
            let error = await failure(client("https://localhost:\(site.port)", trusting: file))
            #expect(error?.kind == .unreachable)
            #expect(error?.message.contains("client certificates") == true)
        }
    }

    @Test("an unreadable file of authorities is an error of the call")
    func noAuthorities() async throws {
        try await site(certificate()) { site, _ in
            let error = await failure(
                client("https://localhost:\(site.port)", trusting: "/nowhere/ca.pem")
            )
            #expect(error?.kind == .untrusted)
            #expect(error?.message.contains("/nowhere/ca.pem") == true)
        }
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
