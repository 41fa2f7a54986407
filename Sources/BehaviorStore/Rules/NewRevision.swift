import Digests
import Targeting

/// A revision that has no number yet.
struct NewRevision {
    let key: DocumentKey
    let bytes: [UInt8]
    let digest: String
    /// The compiled document; nil where it was compiled earlier, as another revision.
    let behavior: TargetedBehavior?
    let message: String
    /// How it comes from another environment; nil where it doesn't.
    let promotion: Promotion?
    /// Of what it is made; nil where it was put whole.
    let basis: RevisionBasis?
    /// Who made what of the revision that this one is made of, as a draft is to name them; nil where it was
    /// put whole.
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
        // A revision that wasn't compiled has its base's bytes.
        let known = behavior == nil ? base?.digest : nil
        digest = known ?? Hexadecimal.sha256(bytes)
    }
}
