/// A revision that has no number yet.
struct NewRevision {
    let key: DocumentKey
    let bytes: [UInt8]
    let digest: String
    let message: String
    /// How it comes from another environment; nil where it doesn't.
    let promotion: Promotion?
    /// Who made what of the revision that this one is made of, as far as nobody has approved of it.
    var contributors: [Contributor] = []

    init(
        _ key: DocumentKey,
        _ bytes: [UInt8],
        message: String,
        from promotion: Promotion? = nil
    ) {
        self.key = key
        self.bytes = bytes
        self.message = message
        self.promotion = promotion
        digest = Hexadecimal.sha256(bytes)
    }

    /// The contributors beside the author, each once.
    func contributors(beside author: String) -> [Contributor] {
        var known: Set = [author]
        return contributors.filter { known.insert($0.id).inserted }
    }
}
