import JSONCodec

/// An issuer's keys, ready to verify signatures.
struct KeyRing: Sendable {
    private var named: [ExactName: [SignatureAlgorithm: VerificationKey]] = [:]
    /// The keys by algorithm, for tokens without a key name; nil if there are several.
    private var only: [SignatureAlgorithm: VerificationKey?] = [:]
    /// One message for each invalid key of the set.
    private(set) var problems: [String]

    /// The result of a key lookup.
    enum Match {
        case key(VerificationKey)
        /// No key has that name.
        case unknown
        /// The key doesn't support the algorithm.
        case otherAlgorithm
        /// The token names no key, and there are several.
        case ambiguous
    }

    /// Creates the keys of a set.
    ///
    /// - Throws: ``KeySet/Invalid`` if the set has no usable key.
    init(_ set: KeySet) throws(KeySet.Invalid) {
        problems = set.problems
        for key in set.keys {
            guard let made = VerificationKey(key.key) else {
                problems.append(key.place + key.key.weakness)
                continue
            }
            for algorithm in key.algorithms {
                if let name = key.name {
                    named[ExactName(text: name), default: [:]][algorithm] = made
                }
                only[algorithm] = only[algorithm] == nil ? .some(made) : .some(nil)
            }
        }
        guard !only.isEmpty else {
            throw KeySet.Invalid(description: problems.joined(separator: "; "))
        }
    }

    /// Returns the key of a name, or the only key for the algorithm.
    ///
    /// The key determines its algorithms, regardless of the token's header (RFC 8725 §3.1).
    func match(_ name: String?, _ algorithm: SignatureAlgorithm) -> Match {
        guard let name else {
            guard let only = only[algorithm] else { return .otherAlgorithm }
            return only.map(Match.key) ?? .ambiguous
        }
        guard let keys = named[ExactName(text: name)] else { return .unknown }
        return keys[algorithm].map(Match.key) ?? .otherAlgorithm
    }
}
