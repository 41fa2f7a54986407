import HTTPSyntax
import JSONCodec

/// The public keys of an issuer of tokens: a JSON Web Key Set (RFC 7517 §5).
///
/// Keys of unknown types or for other uses are ignored, as the RFC says. So are shared secrets.
package struct KeySet: Sendable {
    /// The maximum size of a set, in bytes.
    package static let maximumSize = 256 * 1024
    /// The maximum number of keys; each takes memory and time to set up.
    static let maximumCount = 100

    /// A key that verifies signatures.
    struct Key: Sendable, Equatable {
        /// The name by which tokens refer to the key (`kid`).
        let name: String?
        let key: PublicKey
        /// The allowed algorithms: the set's `alg`, or else all algorithms for this type of key.
        let algorithms: [SignatureAlgorithm]
        /// The key's position in the set, for messages.
        let place: String
    }

    /// The usable keys, in order.
    let keys: [Key]
    /// One message for each invalid key.
    let problems: [String]

    /// The error of an invalid set, or of a set without a usable key.
    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    /// Parses a set.
    ///
    /// - Throws: ``Invalid`` if it isn't a set or has no usable key.
    init(parsing bytes: [UInt8]) throws(Invalid) {
        guard bytes.count <= Self.maximumSize else {
            throw Invalid(description: "the set has more than \(Self.maximumSize) bytes")
        }
        let document: JSON
        do throws(JSONError) {
            document = try JSON(parsing: bytes, depth: 16)
        } catch {
            throw Invalid(description: "\(error)")
        }
        guard let all = document["keys"]?.array else {
            let shown = Unfit.shown(document["keys"] ?? (document.object == nil ? document : nil))
            throw Invalid(
                description:
                    "/keys: not a JSON Web Key Set: expected an array of keys, not \(shown)"
            )
        }
        guard all.count <= Self.maximumCount else {
            throw Invalid(
                description: "there are \(all.count) keys, more than \(Self.maximumCount)"
            )
        }
        var keys: [Key] = []
        var problems: [String] = []
        var ignored: [String] = []
        for (index, each) in all.enumerated() {
            let place = "/keys/\(index)"
            do throws(Unfit) {
                let key = try Self.key(each, place)
                let isSecond = keys.contains { other in
                    Self.isSame(other.name, key.name)
                        && other.algorithms.contains(where: key.algorithms.contains)
                }
                if isSecond, let name = key.name {
                    problems.append("\(place)/kid: another key has the name \"\(name)\"")
                } else {
                    keys.append(key)
                }
            } catch {
                switch error {
                case .wrong(let problem): problems.append(place + problem)
                case .other(let reason): ignored.append(place + reason)
                }
            }
        }
        guard !keys.isEmpty else {
            let reason = "no key in it can verify the signatures of tokens"
            let all = [reason] + problems + ignored
            throw Invalid(description: all.joined(separator: "; "))
        }
        self.keys = keys
        self.problems = problems
    }

    /// The reason for skipping a key.
    private enum Unfit: Error {
        /// The key is for another use; a pointer within it, and a message.
        case other(String)
        /// The key is invalid; a pointer within it, and a message.
        case wrong(String)

        /// An invalid member; the message has its value.
        static func wrong(_ name: String, _ value: JSON?, _ expected: String) -> Unfit {
            .wrong("/\(name): \(expected), not \(Self.shown(value))")
        }

        /// An unsupported member; the message has its value.
        static func other(_ name: String, _ value: JSON?) -> Unfit {
            .other("/\(name): ignored: \(Self.shown(value)) is not supported")
        }

        /// The value as JSON, shortened: a key may be long.
        static func shown(_ value: JSON?) -> String {
            guard let value else { return "missing" }
            let text = String(decoding: value.encoded(), as: UTF8.self)
            return text.count <= 60 ? text : text.prefix(60) + "…"
        }
    }

    /// Compares bytes: canonical equivalents are different names.
    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.hasSameBytes(as: other)
    }

    private static func key(_ value: JSON, _ place: String) throws(Unfit) -> Key {
        guard value.object != nil else { throw .wrong(": must be an object") }
        guard let kind = value["kty"]?.string else {
            throw .wrong("kty", value["kty"], "must be a string")
        }
        let name = value["kid"]?.string
        if let kid = value["kid"], name == nil { throw .wrong("kid", kid, "must be a string") }
        if let use = value["use"], use != "sig" { throw .other("use", use) }
        if let uses = value["key_ops"]?.array, !uses.contains("verify") {
            throw .other("key_ops", value["key_ops"])
        }
        let key = try publicKey(kind, value)
        // Anyone who has it can sign tokens, and this server has no use for it.
        if let secret = ["d", "p", "q", "dp", "dq", "qi", "oth"].first(where: { value[$0] != nil })
        {
            throw .wrong("/\(secret): a private key; publish only the public key")
        }
        guard let algorithm = value["alg"] else {
            return Key(name: name, key: key, algorithms: key.algorithms, place: place)
        }
        guard let text = algorithm.string else {
            throw .wrong("alg", algorithm, "must be a string")
        }
        guard let named = SignatureAlgorithm(rawValue: text) else { throw .other("alg", algorithm) }
        guard key.algorithms.contains(named) else {
            let names = key.algorithms.map(\.rawValue).joined(separator: ", ")
            throw .wrong("alg", algorithm, "such a key is for \(names)")
        }
        let algorithms = named.synonyms
        return Key(name: name, key: key, algorithms: algorithms, place: place)
    }

    /// Parses a public key.
    private static func publicKey(_ kind: String, _ value: JSON) throws(Unfit) -> PublicKey {
        switch kind {
        case "RSA":
            let modulus = try number("n", of: value, 256...1024)
            return .rsa(modulus: modulus, exponent: try number("e", of: value, 1...4))
        case "EC":
            guard let curve = value["crv"]?.string.flatMap(PublicKey.Curve.init) else {
                throw .other("crv", value["crv"])
            }
            let sizes = curve.size...curve.size
            let x = try number("x", of: value, sizes)
            return .elliptic(curve, x: x, y: try number("y", of: value, sizes))
        case "OKP":
            guard value["crv"]?.string == "Ed25519" else { throw .other("crv", value["crv"]) }
            return .ed25519(try number("x", of: value, 32...32))
        default: throw .other("kty", value["kty"])
        }
    }

    /// Parses a number of an allowed size in bytes.
    private static func number(
        _ name: String,
        of value: JSON,
        _ sizes: ClosedRange<Int>
    ) throws(Unfit) -> [UInt8] {
        let bytes = value[name]?.string.flatMap { text in
            Array(text.utf8).withUnsafeBufferPointer(Base64URL.decode)
        }
        guard let bytes else {
            throw .wrong(name, value[name], "must be a number in base64url")
        }
        guard sizes.contains(bytes.count) else {
            let expected =
                sizes.count == 1
                ? "\(sizes.lowerBound)" : "\(sizes.lowerBound) to \(sizes.upperBound)"
            let shown = Unfit.shown(value[name])
            throw .wrong(
                "/\(name): \(shown) has \(bytes.count) bytes; expected \(expected)"
            )
        }
        return bytes
    }
}
