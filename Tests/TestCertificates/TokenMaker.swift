import HTTPSyntax
package import JSONCodec

/// Makes JSON Web Tokens, good ones and bad ones.
package struct TokenMaker: Sendable {
    package static let issuer = "https://issuer.example/"
    package static let audience = "https://photos.example"
    /// The time in the tests.
    package static let now = 1_700_000_000

    package let key: TestSigningKey
    package let algorithm: String
    package let name: String?

    package init(_ kind: TestSigningKey.Kind, _ algorithm: String, name: String? = "one") throws {
        key = try TestSigningKey(kind)
        self.algorithm = algorithm
        self.name = name
    }

    /// The same key by another algorithm or under another name.
    package init(_ other: TokenMaker, _ algorithm: String, name: String? = "one") {
        key = other.key
        self.algorithm = algorithm
        self.name = name
    }

    /// The public key as a set has it, with those members set, or taken out by null.
    package func jwk(_ changes: JSON.Object = [:]) -> JSON {
        var jwk: JSON.Object =
            switch key.kind {
            case .rsa: ["kty": "RSA"]
            case .elliptic(let curve, _): ["kty": "EC", "crv": .string(curve)]
            case .ed25519: ["kty": "OKP", "crv": "Ed25519"]
            }
        for number in key.numbers { jwk[number.name] = .string(Base64URL.encode(number.bytes)) }
        jwk["kid"] = name.map(JSON.string)
        for change in changes { jwk[change.name] = change.value == .null ? .none : change.value }
        return .object(jwk)
    }

    package static func set(_ keys: JSON...) -> [UInt8] {
        JSON.object(["keys": .array(keys)]).encoded()
    }

    /// The claims of a valid token.
    package static let claims: JSON.Object = [
        "iss": .string(issuer), "aud": .string(audience), "sub": "ada",
        "exp": .number(JSON.Number(now + 600)), "iat": .number(JSON.Number(now)),
        "scope": "photos:write photos:read",
    ]

    /// A token with those members of head and claims set, or taken out by null.
    package func token(
        head changedHead: JSON.Object = [:],
        claims changedClaims: JSON.Object = [:]
    ) throws -> String {
        var head: JSON.Object = ["alg": .string(algorithm), "typ": "at+jwt"]
        head["kid"] = name.map(JSON.string)
        for change in changedHead {
            head[change.name] = change.value == .null ? .none : change.value
        }
        var claims = Self.claims
        for change in changedClaims {
            claims[change.name] = change.value == .null ? .none : change.value
        }
        return try token(JSON.object(head).encoded(), JSON.object(claims).encoded())
    }

    /// A token of those bytes.
    package func token(_ head: [UInt8], _ claims: [UInt8]) throws -> String {
        let message = "\(Base64URL.encode(head)).\(Base64URL.encode(claims))"
        let signature = try key.sign(Array(message.utf8), by: algorithm)
        return "\(message).\(Base64URL.encode(signature))"
    }
}
