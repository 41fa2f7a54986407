/// A walk from a draft back through its sources, the latest first.
///
/// It ends at an approved revision of the draft's environment, or at a draft there, which names all
/// authors of its sources. The caller looks at ``next`` and passes its data to `take(_:by:)`, until
/// it is nil.
struct LineageWalk {
    /// The most revisions that are walked for a draft.
    static let maximumLength = 1_000

    private let lineage: Lineage
    private let key: DocumentKey
    private let approved: Approved
    private let draft: (Lineage.Member) -> DraftRecord?
    // Edited records may form a cycle.
    private var seen: Set<Lineage.Member> = []

    /// The revision to look at.
    private(set) var next: Lineage.Member?
    /// The authors of the visited revisions, and of their sources that aren't visited.
    private(set) var contributors: [Contributor] = []
    /// Whether the walk exceeded the limit.
    var isTooLong: Bool { seen.count > Self.maximumLength }

    /// The revisions that were promoted to the draft's environment and went live there.
    struct Approved {
        /// The digests of their bytes, with those of the overrides.
        var laid: Set<SourceDigests>
        /// The digest of the overrides applied to the draft's base; nil if there are none.
        var overrides: String?

        /// Whether bytes went live: unchanged, or as promoted now with the current overrides.
        ///
        /// With a change between the two, the result may contain parts that the overrides removed.
        fileprivate func contains(_ digest: String, isPromoted: Bool) -> Bool {
            laid.contains(SourceDigests(digest: digest, overrides: nil))
                || isPromoted && laid.contains(SourceDigests(digest: digest, overrides: overrides))
        }
    }

    /// Starts at the base of a draft of `key`.
    ///
    /// `draft` returns a revision's draft record, nil if it is no draft.
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

    /// Takes the next revision, with its digest and author, and moves on.
    mutating func take(_ digest: String, by maker: Contributor) {
        guard let member = next else { return }
        next = nil
        guard !approved.contains(digest, isPromoted: seen.count == 1) else { return }
        contributors += lineage.contributors(to: member, upTo: key, by: maker, draft(member))
        if member.key != key { go(to: lineage.parent(of: member)) }
    }

    private mutating func go(to member: Lineage.Member?) {
        guard let member, seen.insert(member).inserted else { return }
        // A revision of that document that is no draft was live.
        if member.key != key || draft(member) != nil { next = member }
    }
}
