import Digests
import Targeting

/// A revision without a number.
struct NewRevision {
    let key: DocumentKey
    let bytes: [UInt8]
    let digest: String
    /// The compiled document; nil if it has the bytes of an earlier revision.
    let behavior: TargetedBehavior?
    let message: String
    /// The promotion that makes it; nil for another change.
    let promotion: Promotion?
    /// The revision that it is made of; nil if it was put whole.
    let basis: RevisionBasis?
    /// The authors of its base, which a draft names; nil if it was put whole.
    var contributors: [Contributor]?

    init(
        _ key: DocumentKey,
        _ bytes: [UInt8],
        _ behavior: TargetedBehavior?,
        message: String,
        from promotion: Promotion? = nil,
        madeOf base: RevisionInfo? = nil
    ) {
        self.key = key
        self.bytes = bytes
        self.behavior = behavior
        self.message = message
        self.promotion = promotion
        basis = base.map { RevisionBasis(of: $0, to: key, from: promotion) }
        // A revision without a compiled document has its base's bytes.
        let known = behavior == nil ? base?.digest : nil
        digest = known ?? Hexadecimal.sha256(bytes)
    }
}
