/// A revision that has no number yet.
struct NewRevision {
    let key: DocumentKey
    let bytes: [UInt8]
    let digest: String
    let message: String
    /// How it comes from another environment; nil where it doesn't.
    let promotion: Promotion?
    /// The number of the revision of the same document that it is made of; nil where there is none.
    var base: Int?
    /// Who made what of the revision that this one is made of, as a draft is to name them; nil where it was
    /// put whole.
    var contributors: [Contributor]?

    init(
        _ key: DocumentKey,
        _ bytes: [UInt8],
        message: String,
        from promotion: Promotion? = nil,
        madeOf base: Int? = nil
    ) {
        self.key = key
        self.bytes = bytes
        self.message = message
        self.promotion = promotion
        self.base = base
        digest = Hexadecimal.sha256(bytes)
    }

    /// What is kept of what it is made of; nil where there is nothing to keep.
    var basis: RevisionBasis? {
        RevisionBasis(revision: base, overriddenBy: promotion?.overriddenBy)
    }
}
