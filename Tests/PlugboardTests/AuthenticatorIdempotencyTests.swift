import Foundation
import Identity
import JSONCodec
import Locking
import Plug
import PlugHTTP
import Storage
import TestCertificates
import Testing

@testable import Plugboard

/// An action without a scope: only its key needs a caller.
private class Pay: Action<Pay.Input, Int>, POST {
    struct Input: Codable, Sendable { var account: String }
    static var path: String { "/pay" }
    static let runs = Locked<[String: Int]>([:])
}
private class PayScoped: Action<Pay.Input, Int>, POST, Scoped {
    static var path: String { "/pay-scoped" }
    static var scopes: Scopes { ["photos:read"] }
}
private class Set: Action<Pay.Input, Int>, PUT { static var path: String { "/set" } }

@Suite("Idempotency keys belong to the caller, whatever identifies it")
struct AuthenticatorIdempotencyTests {
    private let folder: TemporaryFolder
    private let sessions = Sessions()

    init() throws {
        folder = try TemporaryFolder()
        let run: @Sendable (Pay.Input) -> Int = { input in
            Pay.runs.withLock { runs in
                runs[input.account, default: 0] += 1
                return runs[input.account] ?? 0
            }
        }
        Pay.self <~ run
        PayScoped.self <~ run
        Set.self <~ run
    }

    private func server(_ authenticators: [Authenticator]? = nil) -> Server {
        var server = Server(authenticators: authenticators ?? [.apiKeys, sessions.cookies]) {
            Pay.self
            PayScoped.self
            Set.self
        }
        server.impliedScopes = ["editor": ["photos:read"]]
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private func bearer(_ text: String) -> (String, String) { ("Authorization", "Bearer \(text)") }

    /// Sends a request with the key 1.
    private func pay(
        _ site: Site,
        _ account: String,
        _ credentials: (String, String)...,
        path: String = "/pay"
    ) async throws -> Answer {
        let key = ("Idempotency-Key", "1")
        return try await site.post(path, #"{"account":"\#(account)"}"#, credentials + [key])
    }

    @Test(
        "a key of one caller is another key for each other caller",
        arguments: ["/pay", "/pay-scoped"]
    )
    func callers(_ path: String) async throws {
        try await serving(server()) { site in
            let made = try await TokenStore(Storage.of(folder["data"]))
                .create(name: "own", scopes: ["editor"])
            // Ada's sessions are one caller's.
            for (credentials, run) in [
                (cookie("s1"), "1"), (cookie("s3"), "2"), (apiKey("k1"), "3"), (apiKey("k2"), "4"),
                (bearer(made.text), "5"), (cookie("s1-phone"), "1"), (cookie("s1"), "1"),
                (apiKey("k1"), "3"), (bearer(made.text), "5"),
            ] {
                let answer = try await pay(site, path, credentials, path: path)
                #expect(answer.text == run, "\(credentials)")
            }
        }
    }

    @Test("a renewed JSON Web Token has the same keys")
    func renewed() async throws {
        let maker = try TokenMaker(.p256, "ES256")
        try Data(TokenMaker.set(maker.jwk())).write(to: URL(fileURLWithPath: folder["keys.json"]))
        let issuer = Authenticator.webTokens(
            .init(
                keys: .file(folder["keys.json"]),
                issuer: TokenMaker.issuer,
                audiences: TokenMaker.audience
            )
        )
        let now = Int(Date().timeIntervalSince1970)
        func token(_ subject: String, _ seconds: Int) throws -> (String, String) {
            let end = JSON.number(JSON.Number(now + seconds))
            return bearer(try maker.token(claims: ["exp": end, "sub": .string(subject)]))
        }
        try await serving(server([issuer])) { site in
            for verifier in site.running.parts.verifiers { try await verifier.begin() }
            for (token, run) in [
                (try token("ada", 600), "1"), (try token("bob", 600), "2"),
                (try token("ada", 900), "1"),
            ] {
                let answer = try await pay(site, "renewed", token)
                #expect(answer.text == run)
            }
        }
    }

    @Test("a renewed client certificate has the same keys")
    func certificates() async throws {
        let authority = try TestCertificate("authority", isAuthority: true)
        try folder.write("authority", authority.certificateText)
        var tls = Server.Configuration.TLS(
            .development,
            clients: .request(authorities: folder["authority"])
        )
        tls.clientScopes = ["CN=ada": ["photos:read"], "CN=bob": ["photos:read"]]
        var server = server()
        server.configuration.tls = tls
        let body = #"{"account":"certificates"}"#
        let request =
            "POST /pay HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nIdempotency-Key: 1\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try await serving(server) { site in
            for (name, run) in [("ada", "1"), ("bob", "2"), ("ada", "1")] {
                let answer = try await secureExchange(
                    request,
                    port: site.port,
                    as: TestCertificate(name, issuer: authority)
                )
                #expect(answer.text == run)
            }
        }
    }

    @Test("anonymous keys are separate for each unverified credential")
    func anonymous() async throws {
        try await serving(server()) { site in
            let basic = ("Authorization", "Basic YTpi")
            for (credentials, run) in [
                ([], "1"), ([basic], "2"), ([apiKey("other")], "3"), ([apiKey("another")], "4"),
                ([basic, apiKey("other")], "5"), ([("Cookie", "theme=dark")], "1"), ([basic], "2"),
                ([apiKey("other")], "3"),
            ] {
                let fields = credentials + [("Idempotency-Key", "1")]
                let answer = try await site.post("/pay", #"{"account":"anonymous"}"#, fields)
                #expect(answer.text == run, "\(credentials)")
            }
        }
    }

    @Test("a request with a key and invalid credentials is rejected, since its owner is unknown")
    func rejected() async throws {
        try await serving(server()) { site in
            for (credentials, status) in [
                (cookie("s9"), 401), (apiKey("wrong"), 401), (bearer("wrong"), 401),
                (cookie("down"), 503), (apiKey("down"), 503),
            ] {
                let answer = try await pay(site, "rejected", credentials)
                #expect(answer.status == status, "\(credentials)")
                let put = try await site.send(
                    "PUT",
                    "/set",
                    fields: [
                        credentials, ("Idempotency-Key", "1"), ("Content-Type", "application/json"),
                    ],
                    body: #"{"account":"put"}"#
                )
                #expect(put.status == 200, "a PUT uses no key")
            }
            #expect(Pay.runs.withLock { $0["rejected"] } == nil)
            let lookups = await sessions.lookups
            let unkeyed = try await site.post("/pay", #"{"account":"rejected"}"#, [cookie("s9")])
            #expect(unkeyed.text == "1")
            #expect(await sessions.lookups == lookups)
        }
    }

    @Test("a body that arrives after the head, and an item of a batch, have the key's owner")
    func later() async throws {
        try await serving(server()) { site in
            let type = ("Content-Type", "application/json")
            let key = ("Idempotency-Key", "1")
            for (session, run) in [("s1", "1"), ("s2", "2"), ("s1-phone", "1")] {
                let answer = try await site.send(
                    "POST",
                    "/pay",
                    fields: [cookie(session), type, key, ("Transfer-Encoding", "chunked")],
                    chunks: [#"{"account":"#, #""later"}"#]
                )
                #expect(answer.text == run)
            }
            let batch = #"[{"action":"Pay","input":{"account":"batch"}}]"#
            for (session, run) in [("s1", 1), ("s2", 2), ("s1-phone", 1)] {
                let answer = try await site.post("/actions", batch, [cookie(session), key])
                let items = try JSON.decode([Batch.Answer].self, from: answer.body)
                #expect(items.map(\.body) == [.number(JSON.Number(run))])
            }
            let rejected = try await site.post("/actions", batch, [cookie("s9"), key])
            let items = try JSON.decode([Batch.Answer].self, from: rejected.body)
            #expect(items.map(\.status) == [401])
        }
    }
}
