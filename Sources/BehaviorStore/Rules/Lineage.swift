/// Of which revision each one of a name's was made, over all environments: of what a patch was laid
/// over, of what it was rolled back to, of what was promoted.
///
/// What was put whole is made of nothing. From it follows who has to leave a draft's approval to others:
/// all who made what it is made of, but for what is in something that was live in its environment.
struct Lineage {
    /// A revision.
    struct Member: Hashable {
        let key: DocumentKey
        let number: Int

        init(_ number: Int, of key: DocumentKey) {
            self.key = key
            self.number = number
        }
    }

    private var parents: [Member: Member] = [:]
    /// Who wrote the overrides that a promoted revision has.
    private var overriders: [Member: Contributor] = [:]

    /// Notes what a revision is made of; of nothing that comes later.
    mutating func add(_ member: Member, origin: RevisionOrigin?, basis: RevisionBasis?) {
        // A draft's row tells it, and not the one by which it is published.
        if let overrider = basis?.overriddenBy { overriders[member] = overrider }
        if let number = basis?.revision {
            parents[member] = Member(number, of: member.key)
        } else if let origin, let source = DocumentKey(member.key.name, in: origin.environment) {
            parents[member] = Member(origin.revision, of: source)
        }
    }

    /// The revisions of a document that are made of something.
    func members(of key: DocumentKey) -> [Member] { parents.keys.filter { $0.key == key } }

    /// What some revisions are made of, themselves not included, added to what is known of that.
    ///
    /// - Returns: how many were added.
    @discardableResult
    func collect(madeOf members: some Sequence<Member>, into ancestors: inout Set<Member>) -> Int {
        let before = ancestors.count
        for member in members {
            var next = parents[member]
            while let ancestor = next, ancestors.insert(ancestor).inserted {
                next = parents[ancestor]
            }
        }
        return ancestors.count - before
    }

    /// A revision and what it is made of, the latest first, up to where `isKnown` says that it was live.
    func chain(from member: Member, upTo isKnown: (Member) -> Bool) -> [Member] {
        var chain: [Member] = []
        // Somebody may have edited what is kept, so that it goes round in a circle.
        var seen: Set<Member> = []
        var next: Member? = member
        while let member = next, !isKnown(member), seen.insert(member).inserted {
            chain.append(member)
            next = parents[member]
        }
        return chain
    }

    /// Who made a revision itself; `draft` is what is kept of it where it is one.
    func contributors(
        to member: Member,
        by maker: Contributor,
        _ draft: DraftRecord?
    ) -> [Contributor] {
        let overrider = overriders[member] ?? draft?.overriddenBy
        // The first versions named who made what a draft is made of in the draft alone.
        let others = parents[member] == nil ? draft?.contributors : nil
        return [maker] + (overrider.map { [$0] } ?? []) + (others ?? [])
    }
}
