/// What the revisions of each document are made of that are live, or were: collected as it is asked for.
struct Ancestry {
    /// How many steps are gone, over all that is asked: somebody's archive may have chains as long as
    /// itself.
    private static let greatestSteps = 4_000_000

    private var ancestors: [DocumentKey: Set<Lineage.Member>] = [:]
    /// Of what the ancestors are yet to be collected.
    private var pending: [DocumentKey: [Lineage.Member]] = [:]
    private var steps = 0

    /// Notes that a revision has gone live.
    mutating func goLive(_ member: Lineage.Member) {
        pending[member.key, default: []].append(member)
    }

    /// Whether something that is live of a document, or was, is made of a revision, as far as it was
    /// followed.
    func contains(_ member: Lineage.Member, of key: DocumentKey) -> Bool {
        ancestors[key]?.contains(member) ?? false
    }

    /// Collects what a document's revisions are made of that have gone live; false where that is too much.
    mutating func follow(_ lineage: Lineage, of key: DocumentKey) -> Bool {
        let members = pending.removeValue(forKey: key) ?? []
        return spend(
            members.count + lineage.collect(madeOf: members, into: &ancestors[key, default: []])
        )
    }

    /// Counts steps; false where there were too many.
    mutating func spend(_ count: Int) -> Bool {
        steps += count
        return steps <= Self.greatestSteps
    }
}
