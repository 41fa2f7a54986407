import Digests
import Testing

@Suite("Ed25519 keys")
struct SigningKeyTests {
    // RFC 8032 §7.1, test 2, in PKCS #8 (RFC 8410 §7).
    private static let privatePEM = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
        -----END PRIVATE KEY-----

        """
    private static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=
        -----END PUBLIC KEY-----

        """
    private static let signature =
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"

    private func key(_ pem: String) throws -> SigningKey {
        try #require(SigningKey(pem: Array(pem.utf8)))
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("a private key makes RFC 8032's signature, and both keys accept it")
    func signature() throws {
        let own = try key(Self.privatePEM)
        let other = try key(Self.publicPEM)
        #expect(own.isPrivate && !other.isPrivate)
        let signature = try #require(own.signature(of: [0x72]))
        #expect(hexadecimal(signature) == Self.signature)
        #expect(own.accepts(signature, of: [0x72]) && other.accepts(signature, of: [0x72]))
        #expect(other.signature(of: [0x72]) == nil)
    }

    @Test("another message, signature or length is rejected")
    func wrong() throws {
        let key = try key(Self.privatePEM)
        var signature = try #require(key.signature(of: [0x72]))
        #expect(!key.accepts(signature, of: [0x73]))
        #expect(!key.accepts(signature, of: []))
        #expect(!key.accepts([], of: [0x72]))
        #expect(!key.accepts(signature + [0], of: [0x72]))
        signature[0] ^= 1
        #expect(!key.accepts(signature, of: [0x72]))
    }

    @Test(
        "other texts aren't keys",
        arguments: [
            "", "key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            // An X25519 key.
            "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n-----END PUBLIC KEY-----\n",
        ]
    )
    func noKey(_ pem: String) {
        #expect(SigningKey(pem: Array(pem.utf8)) == nil)
    }
}
