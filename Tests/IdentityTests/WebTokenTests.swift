import Foundation
import HTTPSyntax
import JSONCodec
import Locking
import Logging
import PlugHTTP
import TestCertificates
import Testing

@testable import Identity

@Suite("JSON Web Tokens")
struct WebTokenTests {
    private static let rules = WebTokenRules(
        issuer: TokenMaker.issuer,
        audiences: [TokenMaker.audience, "second"]
    )
    private let clock = Locked(TokenMaker.now)
    private let maker: TokenMaker

    init() throws { maker = try TokenMaker(.p256, "ES256") }

    private func verifier(_ keys: JSON...) async throws -> WebTokenVerifier {
        let bytes = JSON.object(["keys": .array(keys)]).encoded()
        let clock = clock
        let source = KeySource.remote("https://issuer.example/keys") {
            KeySource.Fetched(bytes, maxAge: nil)
        }
        let verifier = try WebTokenVerifier(
            source,
            Self.rules,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { clock.withLock { $0 } }
        try await verifier.begin()
        #expect(verifier.hasKeys)
        return verifier
    }

    private func verify(_ text: String, _ verifier: WebTokenVerifier) -> WebTokenVerifier.Verdict {
        Array(text.utf8).withUnsafeBufferPointer(verifier.verify)
    }

    /// Returns the verdict about a token with these changes.
    private func verdict(
        head: JSON.Object = [:],
        claims: JSON.Object = [:]
    ) async throws -> WebTokenVerifier.Verdict {
        let token = try maker.token(head: head, claims: claims)
        return verify(token, try await verifier(maker.jwk()))
    }

    private static let ada = Caller(
        id: "https://issuer.example/#ada",
        name: "ada",
        scopes: ["photos:read", "photos:write"]
    )

    // MARK: Signatures

    @Test(
        "a token with any supported algorithm identifies its subject",
        arguments: [
            ("RS256", .rsa(bits: 2048)), ("RS384", .rsa(bits: 2048)), ("RS512", .rsa(bits: 2048)),
            ("PS256", .rsa(bits: 2048)), ("PS384", .rsa(bits: 2048)), ("PS512", .rsa(bits: 2048)),
            ("ES256", .p256), ("ES384", .p384), ("ES512", .p521), ("EdDSA", .ed25519),
        ] as [(String, TestSigningKey.Kind)]
    )
    func algorithms(_ algorithm: String, _ kind: TestSigningKey.Kind) async throws {
        let maker = try TokenMaker(kind, algorithm)
        let verifier = try await verifier(maker.jwk())
        let token = try maker.token()
        #expect(verify(token, verifier) == .valid(Self.ada))
        #expect(verify(token, verifier) == .valid(Self.ada))
        // Another's signature, of the same kind.
        let other = try TokenMaker(kind, algorithm).token()
        #expect(verify(other, verifier) == .refused(.signature))
    }

    @Test("a token with any byte changed is rejected")
    func tampered() async throws {
        let verifier = try await verifier(maker.jwk())
        let token = Array(try maker.token().utf8)
        for index in stride(from: 0, to: token.count, by: 3) {
            var other = token
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let verdict = other.withUnsafeBufferPointer(verifier.verify)
            guard case .refused = verdict else {
                Issue.record("taken with byte \(index) changed: \(verdict)")
                return
            }
        }
    }

    @Test("the algorithm none is rejected, with or without a signature (RFC 8725 §3.2)")
    func none() async throws {
        let verifier = try await verifier(maker.jwk())
        let head = Base64URL.encode(#"{"alg":"none","kid":"one"}"#.utf8)
        let claims = Base64URL.encode(JSON.object(TokenMaker.claims).encoded())
        #expect(verify("\(head).\(claims).", verifier) == .refused(.form))
        #expect(verify("\(head).\(claims).AAAA", verifier) == .refused(.algorithm))
        for name in ["None", "NONE", "nOnE", "es256", "HS256", "RS1", ""] {
            let verdict = try await verdict(head: ["alg": .string(name)])
            #expect(verdict == .refused(.algorithm))
        }
    }

    @Test("a key is used neither as a shared secret nor for another algorithm (RFC 8725 §3.1)")
    func confusion() async throws {
        let rsa = try TokenMaker(.rsa(bits: 2048), "RS256")
        let verifier = try await verifier(rsa.jwk(["alg": "PS256"]), maker.jwk(["kid": "two"]))
        #expect(verify(try rsa.token(), verifier) == .refused(.otherAlgorithm))
        let pss = TokenMaker(rsa, "PS256")
        #expect(verify(try pss.token(), verifier) == .valid(Self.ada))
        // A head that says what the signature isn't.
        let lying = try pss.token(head: ["alg": "RS256"])
        #expect(verify(lying, verifier) == .refused(.otherAlgorithm))
        let other = try rsa.token(head: ["alg": "PS256"])
        #expect(verify(other, verifier) == .refused(.signature))
        let elliptic = try maker.token(head: ["kid": "one"])
        #expect(verify(elliptic, verifier) == .refused(.otherAlgorithm))
        let shared = try maker.token(head: ["alg": "HS256", "kid": "one"])
        #expect(verify(shared, verifier) == .refused(.algorithm))
    }

    @Test("keys and key URLs in a token's head are ignored (RFC 8725 §3.10)")
    func ownKey() async throws {
        let verifier = try await verifier(maker.jwk())
        let own = try TokenMaker(.p256, "ES256")
        let token = try own.token(head: ["jwk": own.jwk(), "jku": "https://evil.example/keys"])
        #expect(verify(token, verifier) == .refused(.signature))
    }

    @Test("kid selects the key; without kid there must be exactly one")
    func names() async throws {
        let second = try TokenMaker(.p256, "ES256", name: "two")
        let two = try await verifier(maker.jwk(), second.jwk())
        #expect(verify(try maker.token(), two) == .valid(Self.ada))
        #expect(verify(try second.token(), two) == .valid(Self.ada))
        #expect(verify(try second.token(head: ["kid": "one"]), two) == .refused(.signature))
        let nameless = try maker.token(head: ["kid": .null])
        #expect(verify(nameless, two) == .refused(.ambiguousKey))
        let one = try await verifier(maker.jwk(["kid": .null]))
        #expect(verify(nameless, one) == .valid(Self.ada))
        #expect(verify(try maker.token(head: ["kid": 1]), one) == .refused(.form))
    }

    @Test("a key whose point isn't on the curve is rejected")
    func noPoint() throws {
        let x = Base64URL.encode([UInt8](repeating: 7, count: 32))
        let set = try KeySet(parsing: TokenMaker.set(maker.jwk(["x": .string(x)])))
        #expect(throws: KeySet.Invalid.self) { try KeyRing(set) }
    }

    // MARK: Form

    @Test("a token has three base64url parts and a JSON head (RFC 7515 §7.1)")
    func form() async throws {
        let verifier = try await verifier(maker.jwk())
        let token = try maker.token()
        let parts = token.split(separator: ".").map(String.init)
        for text in [
            "", ".", "..", "a.b", "a.b.c", "a.b.c.d", "\(token).a", ".\(parts[1]).\(parts[2])",
            "\(parts[0])..\(parts[2])", "\(parts[0]).\(parts[1]).",
            "\(parts[0])=.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(parts[2])=", "+/+/.\(parts[1]).\(parts[2])",
        ] { #expect(verify(text, verifier) == .refused(.form), "\(text)") }
        for head in [
            "", "null", "[]", "{", "{}", #"{"alg":1}"#, #"{"alg":"ES256","alg":"none"}"#,
            #"{"alg":"ES256","x":1e999"#, String(repeating: "[", count: 2000),
        ] {
            let text = try maker.token(Array(head.utf8), JSON.object(TokenMaker.claims).encoded())
            #expect(verify(text, verifier) == .refused(.form), "\(head)")
        }
        for claims in ["null", "[]", #""a.b.c""#, #"{"sub":"a","sub":"b"}"#, "{\"\u{0}\":1}"] {
            let head = Array(#"{"alg":"ES256","kid":"one"}"#.utf8)
            let text = try maker.token(head, Array(claims.utf8))
            #expect(verify(text, verifier) == .refused(.form), "\(claims)")
        }
        let huge = try maker.token(head: ["x": .number(#require(JSON.Number("1e300")))])
        #expect(verify(huge, verifier) == .valid(Self.ada))
    }

    @Test("a token of more than 8 KiB is rejected unread")
    func tooLong() async throws {
        let text = try maker.token(claims: ["x": .string(String(repeating: "x", count: 8192))])
        #expect(verify(text, try await verifier(maker.jwk())) == .refused(.tooLong))
    }

    @Test("critical extensions are rejected, as none is supported (RFC 7515 §4.1.11)")
    func critical() async throws {
        for crit: JSON in [["exp"], [], "b64", .object([:])] {
            #expect(try await verdict(head: ["crit": crit]) == .refused(.critical))
        }
    }

    @Test("tokens of other types are rejected (RFC 8725 §3.11)")
    func types() async throws {
        for type: JSON in [.null, "JWT", "jwt", "at+jwt", "application/at+jwt"] {
            #expect(try await verdict(head: ["typ": type]) == .valid(Self.ada))
        }
        for type: JSON in ["logout+jwt", "dpop+jwt", "secevent+jwt", "", 1, "JWE"] {
            #expect(try await verdict(head: ["typ": type]) == .refused(.type))
        }
    }

    // MARK: Claims

    private func time(_ offset: Int) -> JSON { .number(JSON.Number(TokenMaker.now + offset)) }

    @Test("a token needs an expiry; clocks may differ by 30 seconds (RFC 7519 §4.1.4)")
    func expiry() async throws {
        #expect(try await verdict(claims: ["exp": .null]) == .refused(.noExpiry))
        #expect(try await verdict(claims: ["exp": "soon"]) == .refused(.time))
        #expect(try await verdict(claims: ["exp": time(-30)]) == .refused(.expired))
        #expect(try await verdict(claims: ["exp": time(-29)]) == .valid(Self.ada))
        #expect(try await verdict(claims: ["exp": 1_700_000_000.5]) == .valid(Self.ada))
        let far = JSON.number(try #require(JSON.Number("1e300")))
        #expect(try await verdict(claims: ["exp": far]) == .valid(Self.ada))
        #expect(try await verdict(claims: ["exp": -1]) == .refused(.expired))
    }

    @Test("a cached token expires, too")
    func remembered() async throws {
        let verifier = try await verifier(maker.jwk())
        let token = try maker.token()
        #expect(verify(token, verifier) == .valid(Self.ada))
        clock.withLock { $0 += 629 }
        #expect(verify(token, verifier) == .valid(Self.ada))
        clock.withLock { $0 += 1 }
        #expect(verify(token, verifier) == .refused(.expired))
    }

    @Test("a token from the future is rejected (RFC 7519 §4.1.5, §4.1.6)")
    func future() async throws {
        #expect(try await verdict(claims: ["nbf": time(31)]) == .refused(.early))
        #expect(try await verdict(claims: ["nbf": time(30)]) == .valid(Self.ada))
        #expect(try await verdict(claims: ["nbf": true]) == .refused(.time))
        #expect(try await verdict(claims: ["iat": time(31)]) == .refused(.future))
        #expect(try await verdict(claims: ["iat": .null]) == .valid(Self.ada))
    }

    @Test("issuer and audience must match exactly (RFC 8725 §3.8, §3.9)")
    func parties() async throws {
        for issuer: JSON in [
            .null, "", "https://issuer.example", "https://issuer.example/x", 1,
            ["https://issuer.example/"],
        ] { #expect(try await verdict(claims: ["iss": issuer]) == .refused(.issuer)) }
        for audience: JSON in [
            .null, "", "https://photos.example/", [], ["x"], ["HTTPS://PHOTOS.EXAMPLE"], 1, [1],
        ] { #expect(try await verdict(claims: ["aud": audience]) == .refused(.audience)) }
        for audience: JSON in ["second", ["x", "second"], ["https://photos.example"]] {
            #expect(try await verdict(claims: ["aud": audience]) == .valid(Self.ada))
        }
    }

    @Test("a token needs a subject on one line")
    func subject() async throws {
        let long = JSON.string(String(repeating: "a", count: 256))
        let wide = JSON.string(String(repeating: "ā", count: 128))
        for subject: JSON in [.null, "", 7, "a\nb", long, wide] {
            #expect(try await verdict(claims: ["sub": subject]) == .refused(.subject))
        }
    }

    @Test(
        "a subject has no control character, separator or bidirectional control (CVE-2021-42574)",
        arguments: [
            "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{2028}", "\u{2029}", "\u{200E}",
            "\u{202E}", "\u{2066}", "\u{61C}",
        ]
    )
    func separators(character: String) async throws {
        let subject = JSON.string("ada\(character)b")
        #expect(try await verdict(claims: ["sub": subject]) == .refused(.subject))
    }

    @Test("scopes are in scope or else in scp, as a text or a list (RFC 8693 §4.2)")
    func scopes() async throws {
        func scopes(_ claims: JSON.Object) async throws -> Scopes? {
            guard case .valid(let caller) = try await verdict(claims: claims) else { return nil }
            return caller.scopes
        }
        #expect(try await scopes(["scope": "a b"]) == ["a", "b"])
        #expect(try await scopes(["scope": ""]) == [])
        #expect(try await scopes(["scope": .null]) == [])
        #expect(try await scopes(["scope": .null, "scp": "a b"]) == ["a", "b"])
        #expect(try await scopes(["scope": .null, "scp": ["a", "b"]]) == ["a", "b"])
        #expect(try await scopes(["scope": "c", "scp": ["a", "b"]]) == ["c"])
        #expect(try await scopes(["scope": ["a"]]) == nil)
        #expect(try await scopes(["scope": .null, "scp": ["a", 1]]) == nil)
        #expect(try await scopes(["scope": 1]) == nil)
    }

    @Test("a rejection's reason is one line that a challenge can quote (RFC 6750 §3)")
    func reasons() {
        for error in WebTokenError.allCases {
            #expect(error.reason.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(!error.reason.contains { $0 == "\"" || $0 == "\\" })
        }
    }
}
