#if JWT
import JWTKit

/// The checking of the signatures of one key by one algorithm.
package struct SignatureCheck: Sendable {
    /// Whether this build can check signatures.
    package static let isAvailable = true

    private let algorithm: any JWTAlgorithm

    /// The check of that key's signatures.
    ///
    /// - Throws: where the numbers are no key's, or those of a weak one.
    package init(_ key: PublicKey, _ algorithm: SignatureAlgorithm) async throws {
        // A collection of its own: one that has several algorithms for a key keeps the first it is
        // asked for, and one that doesn't know a name gives another key.
        let keys = JWTKeyCollection()
        try await keys.add(jwk: Self.jwk(key, JWK.Algorithm(rawValue: algorithm.rawValue)))
        let found = try await keys.getKey(for: Self.name, alg: algorithm.rawValue)
        guard found.name == algorithm.rawValue else { throw Mismatch() }
        self.algorithm = found
    }

    private static let name: JWKIdentifier = "key"

    private struct Mismatch: Error {}

    private static func jwk(_ key: PublicKey, _ algorithm: JWK.Algorithm?) -> JWK {
        switch key {
        case .rsa(let modulus, let exponent):
            .rsa(algorithm, identifier: name, modulus: modulus, exponent: exponent)
        case .elliptic(let curve, let x, let y):
            .ecdsa(algorithm, identifier: name, x: x, y: y, curve: .init(rawValue: curve.rawValue))
        case .ed25519(let x):
            .octetKeyPair(algorithm, identifier: name, x: x, y: nil, curve: .ed25519)
        }
    }

    /// Whether the signature is the key's for that message.
    package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        (try? algorithm.verify(signature, signs: message)) ?? false
    }
}
#else
/// What stands in a build without the trait `JWT`: no signature can be checked, and none is accepted.
package struct SignatureCheck: Sendable {
    /// Whether this build can check signatures.
    package static let isAvailable = false

    private struct Unavailable: Error {}

    /// Nothing: there is no check.
    package init(_ key: PublicKey, _ algorithm: SignatureAlgorithm) async throws {
        throw Unavailable()
    }

    /// False.
    package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool { false }
}
#endif
