import HTTPSyntax
import JSONCodec
import TestCertificates
import Testing

@testable import Identity

@Suite("JSON Web Key Sets (RFC 7517)")
struct KeySetTests {
    private let maker: TokenMaker

    init() throws { maker = try TokenMaker(.p256, "ES256") }

    private func keys(_ keys: JSON...) throws -> KeySet {
        try KeySet(parsing: JSON.object(["keys": .array(keys)]).encoded())
    }

    /// Returns the problem of a set with this key and a valid one.
    private func problem(_ key: JSON) throws -> String? {
        let set = try keys(maker.jwk(["kid": "good"]), key)
        #expect(set.keys.count == 1)
        return set.problems.first
    }

    @Test("a key has the algorithms of its kind, or only the one that it names")
    func algorithms() throws {
        let rsa = try TokenMaker(.rsa(bits: 2048), "RS256")
        let ed = try TokenMaker(.ed25519, "EdDSA", name: "ed")
        let set = try keys(
            rsa.jwk(["kid": "a"]),
            rsa.jwk(["kid": "b", "alg": "PS384", "use": "sig"]),
            maker.jwk(["kid": "c", "key_ops": ["verify"]]),
            TokenMaker(.p384, "ES384").jwk(["kid": "d"]),
            TokenMaker(.p521, "ES512").jwk(["kid": .null]),
            ed.jwk()
        )
        #expect(set.problems == [])
        #expect(set.keys.map(\.name) == ["a", "b", "c", "d", nil, "ed"])
        #expect(
            set.keys.map(\.algorithms) == [
                [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512], [.ps384], [.es256], [.es384],
                [.es512], [.edDSA, .ed25519],
            ]
        )
    }

    @Test("keys of other kinds and uses are ignored (RFC 7517 §5), shared secrets too")
    func others() throws {
        for other: JSON in [
            ["kty": "oct", "k": "c2VjcmV0", "alg": "HS256"], ["kty": "new"],
            maker.jwk(["use": "enc"]), maker.jwk(["key_ops": ["encrypt"]]),
            maker.jwk(["alg": "HS256"]), maker.jwk(["crv": "secp256k1"]),
            maker.jwk(["kty": "OKP", "crv": "Ed448"]),
        ] { #expect(try problem(other) == nil) }
    }

    @Test("an invalid key is reported with its position")
    func wrong() throws {
        #expect(try problem(1) == "/keys/1: must be an object")
        #expect(try problem([:]) == "/keys/1/kty: must be a string, not missing")
        #expect(try problem(maker.jwk(["kid": 1])) == "/keys/1/kid: must be a string, not 1")
        #expect(
            try problem(maker.jwk(["alg": "RS256"]))
                == #"/keys/1/alg: such a key is for ES256, not "RS256""#
        )
        #expect(
            try problem(maker.jwk(["x": .null]))
                == "/keys/1/x: must be a number in base64url, not missing"
        )
        #expect(
            try problem(maker.jwk(["y": "AAAA"]))
                == #"/keys/1/y: "AAAA" has 3 bytes; expected 32"#
        )
        #expect(
            try problem(["kty": "RSA", "n": "AQAB", "e": "AQAB"])
                == #"/keys/1/n: "AQAB" has 3 bytes; expected 256 to 1024"#
        )
        let twice = try #require(try problem(maker.jwk(["kid": "good"])))
        #expect(twice == #"/keys/1/kid: another key has the name "good""#)
    }

    @Test("a private key is rejected")
    func privateKey() throws {
        #expect(
            try problem(maker.jwk(["d": "AAAA"]))
                == "/keys/1/d: a private key; publish only the public key"
        )
    }

    @Test("an invalid set is rejected with its position, and so is a set without keys")
    func noSet() throws {
        func reason(_ text: String) -> String? {
            do throws(KeySet.Invalid) {
                _ = try KeySet(parsing: Array(text.utf8))
                return nil
            } catch {
                return error.description
            }
        }
        #expect(reason("{\n  \"keys\": [}")?.hasPrefix("line 2, column 12") == true)
        #expect(reason("[]")?.contains("expected an array of keys, not []") == true)
        #expect(
            reason(#"{"keys":{}}"#)?.contains(
                "/keys: not a JSON Web Key Set: expected an array of keys, not {}"
            ) == true
        )
        #expect(reason(#"{"keys":[]}"#)?.hasPrefix("no key in it can verify") == true)
        #expect(reason(#"{"keys":[],"keys":[]}"#) != nil)
        let many = [String](repeating: "{}", count: 101).joined(separator: ",")
        #expect(reason(#"{"keys":[\#(many)]}"#)?.hasPrefix("there are 101 keys") == true)
        let long = String(repeating: " ", count: KeySet.maximumSize) + "{}"
        #expect(reason(long)?.contains("the set has more than") == true)
    }

    @Test("a check of a source counts the usable keys, and names the others")
    func checked() async throws {
        let bytes = JSON.object([
            "keys": [maker.jwk(["kid": "good"]), maker.jwk(["kid": "bad", "x": "AA"])]
        ]).encoded()
        let source = KeySource.remote("https://issuer.example/keys") {
            KeySource.Fetched(bytes, maxAge: nil)
        }
        let (count, problems) = try await source.check()
        #expect(count == 1)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("/keys/1/x: ") == true)
        let empty = KeySource.remote("https://issuer.example/keys") {
            KeySource.Fetched(Array("{}".utf8), maxAge: nil)
        }
        let error = await #expect(throws: KeySource.Failure.self) { try await empty.check() }
        #expect(error?.description.hasPrefix("https://issuer.example/keys: ") == true)
        await #expect(throws: KeySource.Failure.self) {
            try await KeySource.file("/none").check()
        }
    }
}
