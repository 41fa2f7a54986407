import JSONCodec

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
        var makers = Makers(keeping)
        for member in lineage.chain(from: base, upTo: { wasLive($0) || known.contains($0) }) {
            guard let maker = try await makers.maker(of: member) else { break }
            all += lineage.contributors(to: member, by: maker, drafts[member])
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

/// Who made the revisions of a chain: read by more at a time the longer it is, for patch upon patch they
/// are one below the other.
private struct Makers {
    private static let greatestPage = 500

    private let keeping: any BehaviorKeeping
    private var page = 1
    private var known: [Lineage.Member: Contributor] = [:]

    init(_ keeping: any BehaviorKeeping) { self.keeping = keeping }

    /// Nil where there is no such revision.
    mutating func maker(of member: Lineage.Member) async throws -> Contributor? {
        if let maker = known[member] { return maker }
        guard member.number <= KeptText.greatestNumber else { return nil }
        let infos = try await keeping.revisions(
            of: member.key,
            before: member.number + 1,
            limit: page
        )
        page = min(page * 2, Self.greatestPage)
        known = Dictionary(
            infos.map { (Lineage.Member($0.number, of: $0.key), $0.maker) },
            uniquingKeysWith: { one, _ in one }
        )
        return known[member]
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
