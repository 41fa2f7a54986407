import HTTPSyntax
import HTTPServer
import HTTPTypes
import Identity
import Locking
import Logging
import Plug
import PlugHTTP
import PlugboardClient
import TestCertificates
import TestLog
import Testing

@testable import Plugboard

private class IssuerKeys: Action<Void, ResponseBody>, GET, IgnoresUnknownMembers {
    static var path: String { "/keys" }
}

@Suite(
    "Fetching an issuer's keys over https",
    .serialized,
    .timeLimit(.minutes(5))
)
struct KeyFetchTests {
    private let authority: TestCertificate
    private let first: TokenMaker
    private let second: TokenMaker
    private let clock = Locked(TokenMaker.now)
    private let answer = Locked<[UInt8]?>(nil)
    private let fetches = Locked(0)
    private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        authority = try TestCertificate("authority", isAuthority: true)
        first = try TokenMaker(.p256, "ES256")
        second = try TokenMaker(.p256, "ES256", name: "two")
        let (answer, fetches) = (answer, fetches)
        IssuerKeys.self <~ {
            fetches.withLock { $0 += 1 }
            guard let keys = answer.withLock({ $0 }) else { throw Problem.notFound("no keys") }
            return ResponseBody(bytes: keys, mediaType: "application/jwk-set+json")
        }
    }

    /// An issuer with a certificate of the tests' authority, whose file `body` is given.
    private func issuer(
        names: String = "DNS:localhost,IP:127.0.0.1",
        _ body: (Site, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let certificate = try TestCertificate("server", issuer: authority, names: names)
        try folder.write("cert", certificate.certificateText)
        try folder.write("key", certificate.keyText)
        try folder.write("authority", authority.certificateText)
        let moved = Middleware { request, next in
            guard request.path == "/moved" else { return try await next() }
            return ServerResponse(status: .found, fields: [.location: "/keys"])
        }
        var server = Server(middleware: [moved]) { IssuerKeys.self }
        server.configuration.tls = .init(
            .files(certificate: folder["cert"], key: folder["key"])
        )
        try await serving(server) { site in try await body(site, folder["authority"]) }
    }

    private func verifier(
        _ site: Site,
        _ path: String = "/keys",
        trusting authorities: String?,
        logger: Logger? = nil
    ) throws -> WebTokenVerifier {
        let url = "https://localhost:\(site.port)\(path)"
        let rules = WebTokenRules(issuer: TokenMaker.issuer, audiences: [TokenMaker.audience])
        let fetch = try KeyFetch(url, authorities: authorities)
        let source = KeySource.remote(url, fetch.fetch)
        return try WebTokenVerifier(source, rules, logger: logger ?? quiet) { [clock] in
            clock.withLock { $0 }
        }
    }

    private func verify(_ maker: TokenMaker, _ verifier: WebTokenVerifier) throws -> String {
        let verdict = Array(try maker.token().utf8).withUnsafeBufferPointer(verifier.verify)
        return switch verdict {
        case .valid: "valid"
        case .refused(let error): "refused: \(error)"
        case .unavailable: "unavailable"
        }
    }

    @Test("changed keys are fetched when a token names an unknown one")
    func rotation() async throws {
        answer.withLock { $0 = TokenMaker.set(first.jwk()) }
        try await issuer { site, authority in
            let verifier = try verifier(site, trusting: authority)
            try await verifier.begin()
            #expect(try verify(first, verifier) == "valid")
            answer.withLock { $0 = TokenMaker.set(second.jwk()) }
            // Asked a moment ago: it can't be one of the issuer's.
            #expect(try verify(second, verifier) == "refused: unknownKey")
            clock.withLock { $0 += WebTokenVerifier.pause }
            #expect(try verify(second, verifier) == "unavailable")
            await verifier.endOfFetch()
            #expect(try verify(second, verifier) == "valid")
            #expect(try verify(first, verifier) == "refused: unknownKey")
            #expect(fetches.withLock { $0 } == 2)
        }
    }

    @Test("many tokens with invented key IDs cause one fetch per ten seconds")
    func madeUp() async throws {
        answer.withLock { $0 = TokenMaker.set(first.jwk()) }
        try await issuer { site, authority in
            let verifier = try verifier(site, trusting: authority)
            try await verifier.begin()
            for round in 1...3 {
                clock.withLock { $0 += WebTokenVerifier.pause }
                for number in 0..<200 {
                    let other = TokenMaker(second, "ES256", name: "\(round) \(number)")
                    #expect(try verify(other, verifier) != "valid")
                }
                let unknown = TokenMaker(second, "ES256", name: "last")
                await verifier.endOfFetch()
                #expect(try verify(unknown, verifier) == "refused: unknownKey")
                #expect(fetches.withLock { $0 } == 1 + round)
                #expect(try verify(first, verifier) == "valid")
            }
        }
    }

    @Test("while an issuer is unreachable, its known keys stay valid and new ones are unavailable")
    func unreachable() async throws {
        answer.withLock { $0 = TokenMaker.set(first.jwk()) }
        try await issuer { site, authority in
            let verifier = try verifier(site, trusting: authority)
            try await verifier.begin()
            answer.withLock { $0 = nil }
            clock.withLock { $0 += WebTokenVerifier.pause }
            #expect(try verify(second, verifier) == "unavailable")
            await verifier.endOfFetch()
            // To refuse it would be to know that the issuer has no such key.
            for _ in 0..<100 {
                #expect(try verify(second, verifier) == "unavailable")
                #expect(try verify(first, verifier) == "valid")
            }
            #expect(fetches.withLock { $0 } == 2)
            answer.withLock { $0 = TokenMaker.set(first.jwk(), second.jwk()) }
            clock.withLock { $0 += WebTokenVerifier.pause }
            #expect(try verify(second, verifier) == "unavailable")
            await verifier.endOfFetch()
            #expect(try verify(second, verifier) == "valid")
            let third = TokenMaker(second, "ES256", name: "three")
            #expect(try verify(third, verifier) == "refused: unknownKey")
        }
    }

    @Test("a stream ends when its token expires, even if the issuer and the key are gone")
    func standing() async throws {
        answer.withLock { $0 = TokenMaker.set(first.jwk()) }
        let token = Array(try first.token().utf8)
        let known = Locked<WebTokenVerifier?>(nil)
        try await issuer { site, authority in
            let verifier = try verifier(site, trusting: authority)
            try await verifier.begin()
            #expect(try verify(first, verifier) == "valid")
            answer.withLock { $0 = TokenMaker.set(second.jwk()) }
            clock.withLock { $0 += WebTokenVerifier.pause }
            #expect(try verify(second, verifier) == "unavailable")
            await verifier.endOfFetch()
            #expect(try verify(second, verifier) == "valid")
            known.withLock { $0 = verifier }
        }
        // The issuer has stopped, and couldn't be asked the last time.
        let left = try #require(known.withLock { $0 })
        clock.withLock { $0 += WebTokenVerifier.pause }
        #expect(try verify(first, left) == "unavailable")
        await left.endOfFetch()
        let access = Access(scopes: ["photos:read"], credentials: .init(webTokens: left))
        let mayGoOn = try #require(
            token.withUnsafeBufferPointer { access.standing(of: .token($0), quiet) }
        )
        // As long as the token says, and the seconds by which clocks may differ.
        let end = TokenMaker.now + 600 + WebTokenRules.leeway
        for second in [end - 600, end - 1] {
            clock.withLock { $0 = second }
            #expect(mayGoOn())
            await left.endOfFetch()
        }
        for second in [end, end + 1, end + 3600] {
            clock.withLock { $0 = second }
            #expect(!mayGoOn())
            await left.endOfFetch()
        }
    }

    @Test("keys aren't fetched from an issuer with an untrusted or another host's certificate")
    func untrusted() async throws {
        answer.withLock { $0 = TokenMaker.set(first.jwk()) }
        try await issuer { site, _ in
            let verifier = try verifier(site, trusting: nil)
            try await verifier.begin()
            #expect(!verifier.hasKeys)
            #expect(try verify(first, verifier) == "unavailable")
        }
        try await issuer(names: "DNS:issuer.example") { site, authority in
            let verifier = try verifier(site, trusting: authority)
            try await verifier.begin()
            #expect(!verifier.hasKeys)
        }
        #expect(fetches.withLock { $0 } == 0)
    }

    @Test("log lines have the URL without its query")
    func secretQuery() async throws {
        answer.withLock { $0 = TokenMaker.set(first.jwk()) }
        let journal = Journal()
        try await issuer { site, authority in
            for path in ["/keys?token=s3cret", "/none?token=s3cret"] {
                let verifier = try verifier(
                    site,
                    path,
                    trusting: authority,
                    logger: journal.logger
                )
                try await verifier.begin()
            }
            let lines = journal.lines
            let url = "https://localhost:\(site.port)"
            #expect(
                lines == [
                    "info: tokens' keys: the keys of \(url)/keys?… are live",
                    "error: tokens' keys: no token can be checked: \(url)/none?…: "
                        + "the response was 404",
                ]
            )
        }
    }

    @Test("a redirect isn't followed")
    func moved() async throws {
        try await issuer { site, authority in
            let verifier = try verifier(site, "/moved", trusting: authority)
            try await verifier.begin()
            #expect(!verifier.hasKeys)
            #expect(fetches.withLock { $0 } == 0)
        }
    }
}
