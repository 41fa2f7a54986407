/// A revision that has no number yet.
struct NewRevision {
    let key: DocumentKey
    let bytes: [UInt8]
    let digest: String
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
        message: String,
        from promotion: Promotion? = nil,
        madeOf base: RevisionInfo? = nil
    ) {
        self.key = key
        self.bytes = bytes
        self.message = message
        self.promotion = promotion
        basis = base.map { RevisionBasis(of: $0, to: key, from: promotion) }
        digest = Hexadecimal.sha256(bytes)
    }
}
