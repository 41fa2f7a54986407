import JSONCodec

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

extension BehaviorDocuments {
    /// The most people that a draft names.
    static let greatestContributorCount = 100

    /// Who made what of a revision of which a draft of `key` is to be made, beside the draft's author: as
    /// far as nothing that was live there is made of it.
    func contributors(
        to base: RevisionInfo,
        of key: DocumentKey,
        beside author: Author
    ) async throws -> [Contributor] {
        let drafts = try await drafts(named: key.name)
        let lineage = try await lineage(named: key.name)
        let latest = try await keeping.document(key)?.latest ?? 0
        func wasLive(_ member: Lineage.Member) -> Bool {
            member.key == key && member.number <= latest && drafts[member] == nil
        }
        var known: Set<Lineage.Member> = []
        lineage.collect(
            madeOf: lineage.members(of: key).filter(wasLive),
            into: &known
        )
        let base = Lineage.Member(base.number, of: base.key)
        var all: [Contributor] = []
        for member in lineage.chain(from: base, upTo: { wasLive($0) || known.contains($0) }) {
            guard let info = try await info(member.number, of: member.key) else { break }
            all += lineage.contributors(to: member, by: info.maker, drafts[member])
        }
        let others = all.each(beside: author.id)
        guard others.count <= Self.greatestContributorCount else {
            throw BehaviorStoreError.tooMuch(
                "more than \(Self.greatestContributorCount) people have made what it is made of: put it "
                    + "as a whole"
            )
        }
        return others
    }

    private func drafts(named name: String) async throws -> [Lineage.Member: DraftRecord] {
        try await keeping.records(.draft, environment: nil, name: name)
            .reduce(into: [:]) { drafts, record in
                if let member = record.key.member { drafts[member] = DraftRecord(record.value) }
            }
    }

    private func lineage(named name: String) async throws -> Lineage {
        var bases: [Lineage.Member: RevisionBasis] = [:]
        for record in try await keeping.records(.basis, environment: nil, name: name) {
            if let member = record.key.member { bases[member] = RevisionBasis(record.value) }
        }
        var lineage = Lineage()
        for record in try await keeping.records(.origin, environment: nil, name: name) {
            guard let member = record.key.member else { continue }
            let origin = try? JSON.decode(RevisionOrigin.self, from: record.value.utf8)
            lineage.add(member, origin: origin, basis: bases.removeValue(forKey: member))
        }
        for (member, basis) in bases { lineage.add(member, origin: nil, basis: basis) }
        return lineage
    }
}

extension RecordKey {
    /// The revision that it is of; nil where it is of none.
    fileprivate var member: Lineage.Member? {
        guard let key = DocumentKey(name, in: environment), let number = Int(item) else {
            return nil
        }
        return Lineage.Member(number, of: key)
    }
}
