/// The keys of an issuer, ready to check signatures.
struct KeyRing: Sendable {
    private var named: [String: [SignatureAlgorithm: VerificationKey]] = [:]
    /// The keys by algorithm, whatever their names; nil where there are several.
    private var only: [SignatureAlgorithm: VerificationKey?] = [:]
    /// A line for each key of the set that is none.
    private(set) var problems: [String]

    /// What a token's head leads to.
    enum Match {
        case key(VerificationKey)
        /// No key has that name.
        case unknown
        /// The key isn't for that algorithm.
        case otherAlgorithm
        /// The token names no key, and there are several.
        case ambiguous
    }

    /// The keys of a set.
    ///
    /// - Throws: ``KeySet/Invalid`` where there is none that can be used.
    init(_ set: KeySet) throws(KeySet.Invalid) {
        problems = set.problems
        for key in set.keys {
            guard let made = VerificationKey(key.key) else {
                problems.append("\(key.place): its numbers are no key's, or a weak one's")
                continue
            }
            for algorithm in key.algorithms {
                if let name = key.name { named[name, default: [:]][algorithm] = made }
                only[algorithm] = only[algorithm] == nil ? .some(made) : .some(nil)
            }
        }
        guard !only.isEmpty else {
            throw KeySet.Invalid(description: problems.joined(separator: "; "))
        }
    }

    /// The key of that name, or the only one for the algorithm.
    ///
    /// The key says which algorithms are its own, whatever the token's head says (RFC 8725 §3.1).
    func match(_ name: String?, _ algorithm: SignatureAlgorithm) -> Match {
        guard let name else {
            guard let only = only[algorithm] else { return .otherAlgorithm }
            return only.map(Match.key) ?? .ambiguous
        }
        guard let keys = named[name] else { return .unknown }
        return keys[algorithm].map(Match.key) ?? .otherAlgorithm
    }
}
