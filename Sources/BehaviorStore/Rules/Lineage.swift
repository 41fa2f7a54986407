/// Of which revision each one of a name's was made, over all environments: of what a patch was laid
/// over, of what it was rolled back to, of what was promoted.
///
/// What was put whole is made of nothing. From it follows who has to leave a draft's approval to others:
/// all who made what it is made of, up to what was live in its environment as it is, byte by byte. What
/// was changed before it went live there never was approved of as it is: it may be rolled back to.
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

    /// What a revision is made of; nil where it was put whole.
    func parent(of member: Member) -> Member? { parents[member] }

    /// Who made a revision: itself, and what isn't gone through of what it is made of
    /// (``LineageWalk``); `draft` is what is kept of it where it is one.
    func contributors(
        to member: Member,
        upTo key: DocumentKey,
        by maker: Contributor,
        _ draft: DraftRecord?
    ) -> [Contributor] {
        let others = member.key == key ? draft?.contributors : nil
        return [maker] + (overriders[member].map { [$0] } ?? []) + (others ?? [])
    }
}
