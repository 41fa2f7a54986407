import HTTPServer
import HTTPSyntax
import HTTPTypes
import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Hello: Action<Void, String>, GET { static var path: String { "/trusted/hello" } }

/// Returns the client's address as a field.
private let addressed = Middleware { request, next in
    var response = try await next()
    if let name = HTTPField.Name("X-Client") {
        response.fields[name] = request.clientAddress ?? "none"
    }
    return response
}

@Suite("Servers behind trusted proxies")
struct TrustedProxyTests {
    private func server(_ proxies: [String], _ middleware: [Middleware] = []) -> Server {
        Hello.self <~ { "hello" }
        var server = Server(middleware: middleware) { Hello.self }
        server.configuration.trustedProxies = proxies
        return server
    }

    private static let field = ("X-Forwarded-For", "192.0.2.7")

    @Test(
        "middleware receives the client that a trusted proxy names, else the connection's address"
    )
    func middleware() async throws {
        for (proxies, expected) in [(["127.0.0.1"], "192.0.2.7"), ([], "127.0.0.1")] {
            try await serving(server(proxies, [addressed])) { site in
                let answer = try await site.get("/trusted/hello", Self.field)
                #expect(answer.status == 200)
                #expect(answer["X-Client"] == expected)
            }
        }
    }

    @Test("each client of a proxy has its own quota, and a customer's IPv6 addresses share one")
    func quotas() async throws {
        var server = server(["127.0.0.0/8"])
        server.configuration.rateLimit = RateLimit(1, seconds: 3600)
        try await serving(server) { site in
            for (client, status) in [
                ("192.0.2.7", 200), ("192.0.2.8", 200), ("192.0.2.7", 429),
                ("2001:db8::1", 200), ("2001:db8::2", 429), ("2001:db8:0:1::1", 200),
                ("::ffff:192.0.2.8", 429),
            ] {
                let answer = try await site.get("/trusted/hello", ("X-Forwarded-For", client))
                #expect(answer.status == status, "\(client)")
            }
        }
    }

    @Test("the default limits an address to a sixteenth of the connections")
    func limit() {
        let configuration = Server.Configuration()
        #expect(configuration.http.connectionsPerAddress == configuration.connections / 16)
        #expect(configuration.http.trustedProxies.isEmpty)
    }

    @Test("invalid proxies, and the PROXY protocol without any, are start-up errors")
    func problems() {
        #expect(
            server(["10.0.0.1/8"]).clientProblems == [
                "the trusted proxy \"10.0.0.1/8\" has bits after its prefix: use 10.0.0.0/8"
            ]
        )
        var protocolOnly = server([])
        protocolOnly.configuration.proxyProtocol = true
        #expect(
            protocolOnly.clientProblems == [
                "the PROXY protocol needs trusted proxies: name their addresses"
            ]
        )
        protocolOnly.configuration.trustedProxies = ["unix"]
        #expect(protocolOnly.clientProblems == [])
    }
}
