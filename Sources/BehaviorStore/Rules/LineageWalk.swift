/// The way back from a draft through what it is made of, the latest first: up to what counts as approved
/// of in its environment, or to a draft of it, which names all who made what that is made of.
///
/// ``next`` is to be looked at and then taken, until there is none.
struct LineageWalk {
    /// The most revisions that are gone through for a draft.
    static let greatestLength = 1_000

    private let lineage: Lineage
    private let key: DocumentKey
    private let approved: Approved
    private let draft: (Lineage.Member) -> DraftRecord?
    // Somebody may have edited what is kept, so that it goes round in a circle.
    private var seen: Set<Lineage.Member> = []

    /// The revision to look at.
    private(set) var next: Lineage.Member?
    /// Who made those that were taken, and what isn't gone through of what they are made of.
    private(set) var contributors: [Contributor] = []
    /// Whether more than that were gone through.
    var isTooLong: Bool { seen.count > Self.greatestLength }

    /// What was promoted to a draft's environment and went live there.
    struct Approved {
        /// The bytes that were, with what was laid over them.
        var laid: Set<LaidBytes>
        /// The digest of what is laid over what the draft is made of; nil where nothing is.
        var overrides: String?

        /// Whether bytes went live: as they are, or those that are promoted now with what is laid over them
        /// now.
        ///
        /// What is changed between the two may show what the overrides have taken away.
        fileprivate func contains(_ digest: String, isPromoted: Bool) -> Bool {
            laid.contains(LaidBytes(digest: digest, overrides: nil))
                || isPromoted && laid.contains(LaidBytes(digest: digest, overrides: overrides))
        }
    }

    /// From what a draft of `key` is made of; `draft` tells what is kept of a draft, nil where a revision is
    /// none.
    init(
        from member: Lineage.Member,
        to key: DocumentKey,
        in lineage: Lineage,
        approved: Approved,
        draft: @escaping (Lineage.Member) -> DraftRecord?
    ) {
        self.lineage = lineage
        self.key = key
        self.approved = approved
        self.draft = draft
        go(to: member)
    }

    /// Takes the next one, which has that digest and was made by `maker`, and goes on.
    mutating func take(_ digest: String, by maker: Contributor) {
        guard let member = next else { return }
        next = nil
        guard !approved.contains(digest, isPromoted: seen.count == 1) else { return }
        contributors += lineage.contributors(to: member, upTo: key, by: maker, draft(member))
        if member.key != key { go(to: lineage.parent(of: member)) }
    }

    private mutating func go(to member: Lineage.Member?) {
        guard let member, seen.insert(member).inserted else { return }
        // What is no draft of it was live there.
        if member.key != key || draft(member) != nil { next = member }
    }
}
