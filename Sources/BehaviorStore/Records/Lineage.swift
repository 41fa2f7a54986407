/// The source of each revision of a document's name, over all environments: the patched, rolled
/// back or promoted revision.
///
/// A revision that was put whole has no source. All authors of a draft's sources must leave its
/// approval to others. The chain ends at bytes that were live in the draft's environment unchanged.
/// Bytes that overrides changed before they went live were never approved as they are: a rollback
/// may bring them back.
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
    /// The authors of the overrides of promoted revisions.
    private var overriders: [Member: Contributor] = [:]

    /// Adds a revision's source, which is always an earlier revision.
    mutating func add(_ member: Member, origin: RevisionOrigin?, basis: RevisionBasis?) {
        // The draft's row has the author; the row that publishes it does not.
        if let overrider = basis?.overriddenBy { overriders[member] = overrider }
        if let number = basis?.revision {
            parents[member] = Member(number, of: member.key)
        } else if let origin, let source = DocumentKey(member.key.name, in: origin.environment) {
            parents[member] = Member(origin.revision, of: source)
        }
    }

    /// Returns a revision's source; nil if it was put whole.
    func parent(of member: Member) -> Member? { parents[member] }

    /// Returns a revision's authors: its own and those of the sources that aren't walked
    /// (``LineageWalk``).
    ///
    /// `draft` is the revision's draft record, nil if it is no draft.
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
