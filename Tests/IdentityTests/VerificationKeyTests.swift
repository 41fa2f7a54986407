import COpenSSL
import HTTPSyntax
import JSONCodec
import TestCertificates
import Testing

@testable import Identity

/// Signatures that others have made, and what nobody should take for one.
@Suite("Signatures (RFC 7518 §3, RFC 8037 §3.1)")
struct VerificationKeyTests {
    private struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let algorithm: SignatureAlgorithm
        let key: PublicKey
        let message: [UInt8]
        let signature: [UInt8]

        var testDescription: String { name }

        init(
            _ name: String,
            _ algorithm: SignatureAlgorithm,
            _ key: PublicKey,
            _ message: String,
            _ signature: String
        ) {
            (self.name, self.algorithm, self.key) = (name, algorithm, key)
            self.message = Array(message.utf8)
            self.signature = number(signature)
        }
    }

    private static let rsa = PublicKey.rsa(
        modulus: number(
            """
            n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_\
            AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpP\
            e7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg\
            _3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw
            """
        ),
        exponent: number("AQAB")
    )

    private static let payload = """
        SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb25\
        0byB0aGUgcm9hZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2\
        hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9mZiB0by4
        """

    // Computed: the leak sanitizer can't see the list of an enum in a stored global.
    private static var examples: [Example] {
        [
            Example(
                "RFC 7520 §4.1",
                .rs256,
                rsa,
                "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.\(payload)",
                """
                MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83\
                xuglII7PNDi84wnB-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJ\
                Dt5aAE6x8wW1Kt9eRo4QPocSadnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12\
                podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg
                """
            ),
            Example(
                "RFC 7520 §4.2",
                .ps384,
                rsa,
                "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.\(payload)",
                """
                cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6\
                O8TTB5dDDItllVo6_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqi\
                VJRmBqrYRXe8P_ijQ7p8Vdz0TTrxUeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_\
                jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw
                """
            ),
            Example(
                "RFC 7520 §4.3",
                .es512,
                .elliptic(
                    .p521,
                    x: number(
                        """
                        AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5c\
                        j0Kt
                        """
                    ),
                    y: number(
                        """
                        AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-Hq\
                        HZR1
                        """
                    )
                ),
                "eyJhbGciOiJFUzUxMiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.\(payload)",
                """
                AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJ\
                AQy3mtPBu_u_sDDyYjnAMDxXPn7XrT0lw-kvAD890jl8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2
                """
            ),
            Example(
                "RFC 7515 §A.3",
                .es256,
                .elliptic(
                    .p256,
                    x: number("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
                    y: number("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
                ),
                """
                eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxl\
                LmNvbS9pc19yb290Ijp0cnVlfQ
                """,
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
            ),
            Example(
                "RFC 8037 §A.4",
                .edDSA,
                .ed25519(number("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")),
                "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
            ),
            Example(
                "RFC 6979 §A.2.6",
                .es384,
                .elliptic(
                    .p384,
                    x: number("7DpOQVtOGaRWhhgCn0J_pdqai8SukuAuBqrlKGswDGTe-PDqkFWGYGSiVFFUgLwT"),
                    y: number("gBXZty19VyROqO-awMYhiWcIpZNn-d-59UyoSz8cnbEoiyMcOuDU_nNE_SUzJkcg")
                ),
                "sample",
                """
                lO27kqXsuKrUc25WxpGRaz-IFAZmzp-nPWTE6pWtEzyBpkgVLkSs-W423R6A-r5Gme9K6xXxeM6h_kDbJgMTjxMOdAoZ\
                YkUmIDtjUdCjqU-jKcFFeG5nnnuCxxo4YorI
                """
            ),
        ]
    }

    @Test("the RFCs' example signatures are accepted", arguments: examples)
    private func published(_ example: Example) throws {
        let key = try #require(VerificationKey(example.key))
        #expect(key.accepts(example.signature, of: example.message, by: example.algorithm))
    }

    @Test("another message or another signature is rejected", arguments: examples)
    private func changed(_ example: Example) throws {
        let key = try #require(VerificationKey(example.key))
        let (signature, message) = (example.signature, example.message)
        #expect(!key.accepts(signature, of: message + [0x2E], by: example.algorithm))
        #expect(!key.accepts(signature, of: message.dropLast(), by: example.algorithm))
        #expect(!key.accepts(signature, of: [], by: example.algorithm))
        for index in signature.indices {
            var other = signature
            other[index] ^= 1
            #expect(!key.accepts(other, of: message, by: example.algorithm), "byte \(index)")
        }
        let zeros = [UInt8](repeating: 0, count: signature.count)
        let others: [[UInt8]] = [
            [], [0], signature.dropLast(), signature + [0], [0] + signature, signature + signature,
            zeros, [UInt8](repeating: 0xFF, count: signature.count),
        ]
        for other in others {
            #expect(!key.accepts(other, of: message, by: example.algorithm), "\(other)")
        }
    }

    @Test("a signature by another algorithm is rejected (RFC 8725 §3.1)", arguments: examples)
    private func confused(_ example: Example) throws {
        let key = try #require(VerificationKey(example.key))
        for other in SignatureAlgorithm.allCases
        where !example.algorithm.synonyms.contains(other) {
            #expect(!key.accepts(example.signature, of: example.message, by: other), "\(other)")
        }
    }

    @Test("an ECDSA signature is two numbers of fixed length, not DER (RFC 7518 §3.4)")
    private func encoded() throws {
        let example = Self.examples[3]
        let key = try #require(VerificationKey(example.key))
        let (r, s) = (example.signature.prefix(32), example.signature.suffix(32))
        // The second begins with a bit that DER would take for a sign.
        let der: [UInt8] = [0x30, 0x45, 0x02, 0x20] + r + [0x02, 0x21, 0x00] + s
        #expect(!key.accepts(der, of: example.message, by: .es256))
        #expect(!key.accepts(Array(s + r), of: example.message, by: .es256))
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(!key.accepts(zeros + s, of: example.message, by: .es256))
        #expect(!key.accepts(r + zeros, of: example.message, by: .es256))
    }

    @Test("an RSA signature is as long as the modulus (RFC 8017 §8.1.2, §8.2.2)")
    private func length() throws {
        let signing = try TestSigningKey(.rsa(bits: 2048))
        let key = try #require(VerificationKey(Self.rsa(of: signing)))
        for algorithm: SignatureAlgorithm in [.ps256, .rs256] {
            // One of 256 begins with a byte that the number can do without.
            var (message, signature): ([UInt8], [UInt8]) = ([0], [])
            repeat {
                message[0] &+= 1
                if message[0] == 0 { message.append(0) }
                signature = try signing.sign(message, by: algorithm.rawValue)
            } while signature[0] != 0
            #expect(key.accepts(signature, of: message, by: algorithm))
            let short = Array(signature.dropFirst())
            #expect(!key.accepts(short, of: message, by: algorithm), "\(algorithm)")
            #expect(!key.accepts([0] + signature, of: message, by: algorithm), "\(algorithm)")
        }
    }

    @Test(
        "the salt of RSASSA-PSS is as long as the digest (RFC 7518 §3.5)",
        arguments: [(SignatureAlgorithm.ps256, 32 as CInt), (.ps384, 48), (.ps512, 64)]
    )
    private func salt(_ algorithm: SignatureAlgorithm, _ size: CInt) throws {
        let signing = try TestSigningKey(.rsa(bits: 2048))
        let key = try #require(VerificationKey(Self.rsa(of: signing)))
        for length in [0, size - 1, size, size + 1, RSA_PSS_SALTLEN_MAX] {
            let signature = try signing.sign([7], by: algorithm.rawValue, saltLength: length)
            let isTaken = key.accepts(signature, of: [7], by: algorithm)
            #expect(isTaken == (length == size), "\(length)")
        }
    }

    private static func rsa(of key: TestSigningKey) -> PublicKey {
        .rsa(modulus: key.numbers[0].bytes, exponent: key.numbers[1].bytes)
    }

    @Test("invalid keys and signatures leave no error in OpenSSL's queue")
    private func quiet() throws {
        ERR_clear_error()
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(VerificationKey(.elliptic(.p256, x: zeros, y: zeros)) == nil)
        #expect(VerificationKey(.ed25519([])) == nil)
        #expect(VerificationKey(.rsa(modulus: [], exponent: [])) == nil)
        #expect(ERR_peek_error() == 0)
        for example in Self.examples {
            let key = try #require(VerificationKey(example.key))
            #expect(!key.accepts(example.signature, of: [], by: example.algorithm))
            #expect(!key.accepts([], of: example.message, by: example.algorithm))
            let ones = [UInt8](repeating: 0xFF, count: example.signature.count)
            #expect(!key.accepts(ones, of: example.message, by: example.algorithm))
            #expect(ERR_peek_error() == 0, "\(example.name)")
        }
    }

    @Test("a modulus of less than 2048 bits is rejected (RFC 7518 §3.3)")
    private func short() {
        guard case .rsa(let modulus, let exponent) = Self.rsa else { return }
        #expect(VerificationKey(.rsa(modulus: [0] + modulus, exponent: exponent)) != nil)
        var small = modulus
        small[0] = 0x7F
        #expect(VerificationKey(.rsa(modulus: small, exponent: exponent)) == nil)
        #expect(VerificationKey(.rsa(modulus: [0] + small.dropFirst(), exponent: exponent)) == nil)
        #expect(VerificationKey(.rsa(modulus: [], exponent: exponent)) == nil)
    }

    @Test("an even modulus and the exponents 0, 1 and 4 are rejected (RFC 8017 §3.1)")
    private func even() {
        guard case .rsa(let modulus, _) = Self.rsa else { return }
        for exponent: [UInt8] in [[], [0], [1], [0, 0, 1], [4], [1, 0, 0]] {
            #expect(VerificationKey(.rsa(modulus: modulus, exponent: exponent)) == nil)
        }
        #expect(VerificationKey(.rsa(modulus: modulus, exponent: [3])) != nil)
        let other = modulus.dropLast() + [modulus[modulus.count - 1] ^ 1]
        #expect(VerificationKey(.rsa(modulus: Array(other), exponent: [3])) == nil)
    }

    @Test("a point that isn't on the curve is rejected", arguments: PublicKey.Curve.allCases)
    private func noPoint(_ curve: PublicKey.Curve) {
        for byte: UInt8 in [0, 1, 7, 0xFF] {
            let number = [UInt8](repeating: byte, count: curve.size)
            #expect(VerificationKey(.elliptic(curve, x: number, y: number)) == nil)
        }
        guard case .elliptic(.p521, let x, let y) = Self.examples[2].key else { return }
        #expect(VerificationKey(.elliptic(curve, x: y, y: x)) == nil)
        #expect(VerificationKey(.elliptic(curve, x: x, y: [])) == nil)
    }

    @Test("an Ed25519 key has 32 bytes (RFC 8032 §5.1.5)")
    private func lengths() {
        for count in [0, 31, 33, 64] {
            #expect(VerificationKey(.ed25519([UInt8](repeating: 1, count: count))) == nil)
        }
    }
}

/// A number's bytes, of base64url; none of what isn't that.
private func number(_ text: String) -> [UInt8] {
    Array(text.utf8).withUnsafeBufferPointer(Base64URL.decode) ?? []
}
