import Signatures

/// The keys of an issuer, ready to check signatures.
struct KeyRing: Sendable {
    private var named: [String: [SignatureAlgorithm: SignatureCheck]] = [:]
    /// The checks by algorithm, whatever the key's name; nil where there are several.
    private var only: [SignatureAlgorithm: SignatureCheck?] = [:]
    /// A line for each key of the set that is none.
    private(set) var problems: [String]

    /// What a token's head leads to.
    enum Match {
        case check(SignatureCheck)
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
    init(_ set: KeySet) async throws {
        problems = set.problems
        for key in set.keys {
            for algorithm in key.algorithms {
                let check: SignatureCheck
                do {
                    check = try await SignatureCheck(key.key, algorithm)
                } catch {
                    problems.append("\(key.place): its numbers are no key's, or a weak one's")
                    break
                }
                if let name = key.name { named[name, default: [:]][algorithm] = check }
                only[algorithm] = only[algorithm] == nil ? .some(check) : .some(nil)
            }
        }
        guard !only.isEmpty else {
            throw KeySet.Invalid(description: problems.joined(separator: "; "))
        }
    }

    /// The check of what is signed by the key of that name, or by the only one for the algorithm.
    ///
    /// The key says which algorithms are its own, whatever the token's head says (RFC 8725 §3.1).
    func match(_ name: String?, _ algorithm: SignatureAlgorithm) -> Match {
        guard let name else {
            guard let only = only[algorithm] else { return .otherAlgorithm }
            return only.map(Match.check) ?? .ambiguous
        }
        guard let checks = named[name] else { return .unknown }
        return checks[algorithm].map(Match.check) ?? .otherAlgorithm
    }
}
