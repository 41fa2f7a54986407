import Foundation
import HTTPSyntax
import JSONCodec
import Locking
import Logging
import PlugHTTP
import TestCertificates
import Testing

@testable import Identity

@Suite("Keys of an issuer")
struct WebTokenVerifierTests {
    private static let rules = WebTokenRules(
        issuer: TokenMaker.issuer,
        audiences: [TokenMaker.audience, "second"]
    )
    private let clock = Locked(TokenMaker.now)
    private let first: TokenMaker
    private let second: TokenMaker
    private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        first = try TokenMaker(.p256, "ES256")
        second = try TokenMaker(.p256, "ES256", name: "two")
    }

    /// An issuer that answers as told, and counts.
    private final class Issuer: Sendable {
        struct Failure: Error {}

        private let state: Locked<(answer: [UInt8]?, fetches: Int)>

        init(_ answer: [UInt8]?) { state = Locked((answer, 0)) }

        var answer: [UInt8]? {
            get { state.withLock { $0.answer } }
            set { state.withLock { $0.answer = newValue } }
        }
        var fetches: Int { state.withLock { $0.fetches } }

        @Sendable func fetch() async throws -> KeySource.Fetched {
            let answer = state.withLock { state in
                state.fetches += 1
                return state.answer
            }
            guard let answer else { throw Failure() }
            return KeySource.Fetched(answer, maxAge: 60)
        }
    }

    private func verifier(_ source: KeySource) throws -> WebTokenVerifier {
        let clock = clock
        return try WebTokenVerifier(source, Self.rules, logger: quiet) {
            clock.withLock { $0 }
        }
    }

    private func verifier(_ issuer: Issuer) throws -> WebTokenVerifier {
        try verifier(.remote("https://issuer.example/keys", issuer.fetch))
    }

    private func verify(
        _ maker: TokenMaker,
        _ verifier: WebTokenVerifier
    ) throws
        -> WebTokenVerifier.Verdict
    {
        // It lasts as long as the test's clock runs.
        let token = try maker.token(claims: ["exp": .number(JSON.Number(TokenMaker.now + 100_000))])
        return Array(token.utf8).withUnsafeBufferPointer(verifier.verify)
    }

    private func isValid(_ maker: TokenMaker, _ verifier: WebTokenVerifier) throws -> Bool {
        if case .valid = try verify(maker, verifier) { true } else { false }
    }

    // MARK: Names

    @Test(
        "EdDSA and Ed25519 are accepted for an Ed25519 key of either name (RFC 9864 §2.2)",
        arguments: ["EdDSA", "Ed25519"],
        [nil, "EdDSA", "Ed25519"] as [String?]
    )
    func ed25519(algorithm: String, keys: String?) async throws {
        let maker = try TokenMaker(.ed25519, algorithm, name: "ed")
        let members: JSON.Object = keys.map { ["alg": .string($0)] } ?? [:]
        let verifier = try verifier(Issuer(TokenMaker.set(maker.jwk(members))))
        try await verifier.begin()
        #expect(try isValid(maker, verifier))
    }

    @Test("key names are compared by their bytes")
    func lookalikes() async throws {
        let kelvin = try TokenMaker(.p256, "ES256", name: "\u{212A}")
        let plain = try TokenMaker(.p256, "ES256", name: "K")
        let verifier = try verifier(Issuer(TokenMaker.set(kelvin.jwk())))
        try await verifier.begin()
        #expect(try isValid(kelvin, verifier))
        #expect(try verify(plain, verifier) == .refused(.unknownKey))
        let both = try KeySet(parsing: TokenMaker.set(kelvin.jwk(), plain.jwk()))
        #expect(both.keys.count == 2)
    }

    // MARK: A URL

    @Test("without keys the verdict is unavailable")
    func unavailable() async throws {
        let issuer = Issuer(nil)
        let verifier = try verifier(issuer)
        #expect(try verify(first, verifier) == .unavailable)
        try await verifier.begin()
        #expect(issuer.fetches == 1)
        #expect(!verifier.hasKeys)
        issuer.answer = TokenMaker.set(first.jwk())
        await verifier.refresh()
        #expect(issuer.fetches == 1)
        clock.withLock { $0 += 10 }
        await verifier.refresh()
        #expect(issuer.fetches == 2)
        #expect(try isValid(first, verifier))
    }

    @Test("keys are fetched again when their lifetime ends")
    func maxAge() async throws {
        let issuer = Issuer(TokenMaker.set(first.jwk()))
        let verifier = try verifier(issuer)
        try await verifier.begin()
        #expect(try isValid(first, verifier))
        issuer.answer = TokenMaker.set(second.jwk())
        clock.withLock { $0 += 59 }
        await verifier.refresh()
        #expect(issuer.fetches == 1)
        clock.withLock { $0 += 1 }
        await verifier.refresh()
        #expect(issuer.fetches == 2)
        #expect(try isValid(second, verifier))
        // A key that is there no more opens nothing, though the token was known to be good.
        clock.withLock { $0 += 1 }
        #expect(try verify(first, verifier) == .refused(.unknownKey))
    }

    @Test("an unknown key causes a fetch, at most every ten seconds")
    func unknownKey() async throws {
        let issuer = Issuer(TokenMaker.set(first.jwk()))
        let verifier = try verifier(issuer)
        try await verifier.begin()
        #expect(try verify(second, verifier) == .refused(.unknownKey))
        #expect(issuer.fetches == 1)
        issuer.answer = TokenMaker.set(first.jwk(), second.jwk())
        clock.withLock { $0 += 10 }
        #expect(try verify(second, verifier) == .unavailable)
        await verifier.endOfFetch()
        #expect(try isValid(second, verifier))
        #expect(issuer.fetches == 2)
        let third = try TokenMaker(.p256, "ES256", name: "three")
        for _ in 0..<100 { #expect(try verify(third, verifier) == .refused(.unknownKey)) }
        #expect(issuer.fetches == 2)
    }

    @Test(
        "after a failed fetch the previous keys stay, and retries have growing pauses"
    )
    func failing() async throws {
        let issuer = Issuer(TokenMaker.set(first.jwk()))
        let verifier = try verifier(issuer)
        try await verifier.begin()
        issuer.answer = nil
        clock.withLock { $0 += 60 }
        await verifier.refresh()
        #expect(issuer.fetches == 2)
        #expect(try isValid(first, verifier))
        issuer.answer = Array("<html>".utf8)
        clock.withLock { $0 += 10 }
        await verifier.refresh()
        #expect(issuer.fetches == 3)
        #expect(try isValid(first, verifier))
        clock.withLock { $0 += 10 }
        await verifier.refresh()
        #expect(issuer.fetches == 3)
        clock.withLock { $0 += 10 }
        await verifier.refresh()
        #expect(issuer.fetches == 4)
    }

    @Test("a token with invalid claims is rejected before its signature can be verified")
    func refusedUnknown() async throws {
        let issuer = Issuer(nil)
        let verifier = try verifier(issuer)
        func verdict(_ claims: JSON.Object) throws -> WebTokenVerifier.Verdict {
            let token = try second.token(claims: claims)
            return Array(token.utf8).withUnsafeBufferPointer(verifier.verify)
        }
        func check() throws {
            #expect(try verdict([:]) == .unavailable)
            let old: JSON.Object = ["exp": .number(JSON.Number(TokenMaker.now - 3600))]
            #expect(try verdict(old) == .refused(.expired))
            #expect(try verdict(["exp": .null]) == .refused(.noExpiry))
            // Without a verified signature the rules aren't revealed.
            #expect(try verdict(["iss": "https://other.example/"]) == .unavailable)
            #expect(try verdict(["aud": "https://other.example"]) == .unavailable)
        }
        try check()
        issuer.answer = TokenMaker.set(first.jwk())
        try await verifier.begin()
        issuer.answer = nil
        clock.withLock { $0 += WebTokenVerifier.pause }
        #expect(try verdict(["exp": 1_600_000_000]) == .refused(.expired))
        // What is refused anyway has nobody asked.
        #expect(issuer.fetches == 1)
        #expect(try verdict([:]) == .unavailable)
        await verifier.endOfFetch()
        #expect(issuer.fetches == 2)
        try check()
    }

    @Test("fetched keys are valid for a minute at least and a day at most")
    func lifetimes() {
        func lifetime(_ age: Int?) -> Int { KeySource.Fetched([], maxAge: age).lifetime }
        #expect([nil, 0, -1, 3600, Int.max].map(lifetime) == [600, 60, 60, 3600, 86_400])
    }

    // MARK: A file

    @Test("a changed file replaces the keys; an invalid one is ignored")
    func file() async throws {
        let path = NSTemporaryDirectory() + "plugboard-keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func write(_ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        try write(TokenMaker.set(first.jwk()))
        let verifier = try verifier(.file(path))
        #expect(try verify(first, verifier) == .unavailable)
        try await verifier.begin()
        #expect(try isValid(first, verifier))
        #expect(try verify(second, verifier) == .refused(.unknownKey))
        try write(TokenMaker.set(second.jwk()))
        await verifier.refresh()
        #expect(try isValid(second, verifier))
        #expect(try verify(first, verifier) == .refused(.unknownKey))
        try write(Array("{".utf8))
        await verifier.refresh()
        #expect(try isValid(second, verifier))
        try FileManager.default.removeItem(atPath: path)
        await verifier.refresh()
        #expect(try isValid(second, verifier))
        try write(TokenMaker.set(first.jwk(), second.jwk()))
        await verifier.refresh()
        #expect(try isValid(first, verifier))
    }

    @Test("an invalid key file fails at once, with the position")
    func wrongFile() async throws {
        let path = NSTemporaryDirectory() + "plugboard-keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func failure() -> String? {
            do {
                _ = try verifier(.file(path))
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(failure() == "\(path): No such file or directory")
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(failure()?.hasPrefix("\(path): line 1, column 2") == true)
        let weak: JSON = ["kty": "RSA", "n": "AQAB", "e": "AQAB"]
        try Data(TokenMaker.set(first.jwk(), weak)).write(to: URL(fileURLWithPath: path))
        #expect(failure()?.hasPrefix("\(path): /keys/1/n: \"AQAB\" has 3 bytes") == true)
        let x = JSON.string(Base64URL.encode([UInt8](repeating: 7, count: 32)))
        try Data(TokenMaker.set(first.jwk(["x": x]))).write(to: URL(fileURLWithPath: path))
        let points = try verifier(.file(path))
        await #expect(throws: KeySource.Failure.self) { try await points.begin() }
    }

    @Test("valid tokens are cached up to the limit, and further ones are verified each time")
    func memory() async throws {
        let issuer = Issuer(TokenMaker.set(first.jwk()))
        let verifier = try WebTokenVerifier(
            .remote("https://issuer.example/keys", issuer.fetch),
            Self.rules,
            logger: quiet,
            memory: 4
        ) { TokenMaker.now }
        try await verifier.begin()
        for number in 0..<12 {
            let name = "user \(number % 6)"
            let token = try first.token(claims: ["sub": .string(name)])
            guard
                case .valid(let caller) = Array(token.utf8).withUnsafeBufferPointer(verifier.verify)
            else {
                Issue.record("token \(number) is rejected")
                return
            }
            #expect(caller.name == name)
        }
    }
}
