import HTTPSyntax
import JSONCodec

/// The public keys of an issuer of tokens: a JSON Web Key Set (RFC 7517 §5).
///
/// Keys of kinds and for purposes that nothing is known of here are left out, as the RFC has it; so
/// are those of shared secrets.
package struct KeySet: Sendable {
    /// The most bytes of a set.
    package static let greatestSize = 256 * 1024
    /// The most keys of a set: each costs a little memory, and time to make.
    static let greatestCount = 100

    /// A key that signatures are checked with.
    struct Key: Sendable, Equatable {
        /// What a token calls it (`kid`).
        let name: String?
        let key: PublicKey
        /// What it may be used with: what the set says, else all that is made for such keys.
        let algorithms: [SignatureAlgorithm]
        /// Where it stands, for people.
        let place: String
    }

    /// The keys, in their order.
    let keys: [Key]
    /// A line for each that should be one and isn't.
    let problems: [String]

    /// What is no set of keys, or none with a key.
    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads a set.
    ///
    /// - Throws: ``Invalid``, where it isn't one, or has no key that can be used.
    init(parsing bytes: [UInt8]) throws(Invalid) {
        guard bytes.count <= Self.greatestSize else {
            throw Invalid(description: "more than \(Self.greatestSize) bytes are no set of keys")
        }
        let document: JSON
        do throws(JSONError) {
            document = try JSON(parsing: bytes, depth: 16)
        } catch {
            throw Invalid(description: "\(error)")
        }
        guard let all = document["keys"]?.array else {
            throw Invalid(description: "no JSON Web Key Set: it has no array of \"keys\"")
        }
        guard all.count <= Self.greatestCount else {
            throw Invalid(
                description: "there are \(all.count) keys, more than \(Self.greatestCount)"
            )
        }
        var keys: [Key] = []
        var problems: [String] = []
        for (index, each) in all.enumerated() {
            let place = "/keys/\(index)"
            do throws(Unfit) {
                let key = try Self.key(each, place)
                let isSecond = keys.contains { other in
                    other.name == key.name
                        && other.algorithms.contains(where: key.algorithms.contains)
                }
                if isSecond, let name = key.name {
                    problems.append("\(place)/kid: there is another key of the name \"\(name)\"")
                } else {
                    keys.append(key)
                }
            } catch {
                if case .wrong(let problem) = error { problems.append(place + problem) }
            }
        }
        guard !keys.isEmpty else {
            let reason = "no key of it can check the signatures of tokens"
            throw Invalid(description: ([reason] + problems).joined(separator: "; "))
        }
        self.keys = keys
        self.problems = problems
    }

    /// Why one of a set's keys isn't used.
    private enum Unfit: Error {
        /// It is for something else.
        case other
        /// It isn't as it should be: a pointer within it, and what is wrong there.
        case wrong(String)
    }

    private static func key(_ value: JSON, _ place: String) throws(Unfit) -> Key {
        guard value.object != nil else { throw .wrong(": no object") }
        guard let kind = value["kty"]?.string else { throw .wrong("/kty: it has to be a string") }
        let name = value["kid"]?.string
        if value["kid"] != nil, name == nil { throw .wrong("/kid: it has to be a string") }
        if let use = value["use"], use != "sig" { throw .other }
        if let uses = value["key_ops"]?.array, !uses.contains("verify") { throw .other }
        guard let key = try publicKey(kind, value) else { throw .other }
        // Whoever has that can make tokens, and this server has no use for it.
        if let secret = ["d", "p", "q", "dp", "dq", "qi", "oth"].first(where: { value[$0] != nil })
        {
            throw .wrong("/\(secret): a private key; publish none but its public part")
        }
        guard let algorithm = value["alg"] else {
            return Key(name: name, key: key, algorithms: key.algorithms, place: place)
        }
        guard let text = algorithm.string else { throw .wrong("/alg: it has to be a string") }
        guard let algorithm = SignatureAlgorithm(rawValue: text) else { throw .other }
        guard key.algorithms.contains(algorithm) else {
            throw .wrong("/alg: such a key isn't for \(text)")
        }
        return Key(name: name, key: key, algorithms: [algorithm], place: place)
    }

    /// The key; nil for one of a kind that isn't known here.
    private static func publicKey(_ kind: String, _ value: JSON) throws(Unfit) -> PublicKey? {
        switch kind {
        case "RSA":
            let modulus = try number("n", of: value, 256...1024)
            return .rsa(modulus: modulus, exponent: try number("e", of: value, 1...4))
        case "EC":
            guard let curve = value["crv"]?.string.flatMap(PublicKey.Curve.init) else { return nil }
            let sizes = curve.size...curve.size
            let x = try number("x", of: value, sizes)
            return .elliptic(curve, x: x, y: try number("y", of: value, sizes))
        case "OKP":
            guard value["crv"]?.string == "Ed25519" else { return nil }
            return .ed25519(try number("x", of: value, 32...32))
        default: return nil
        }
    }

    /// A number of so many bytes.
    private static func number(
        _ name: String,
        of value: JSON,
        _ sizes: ClosedRange<Int>
    ) throws(Unfit) -> [UInt8] {
        let bytes = value[name]?.string.flatMap { text in
            Array(text.utf8).withUnsafeBufferPointer(Base64URL.decode)
        }
        guard let bytes else { throw .wrong("/\(name): it has to be a number in base64url") }
        guard sizes.contains(bytes.count) else {
            let expected =
                sizes.count == 1
                ? "\(sizes.lowerBound)" : "\(sizes.lowerBound) to \(sizes.upperBound)"
            throw .wrong("/\(name): a number of \(bytes.count) bytes, not of \(expected)")
        }
        return bytes
    }
}
