import JSONCodec

extension BehaviorDocuments {
    /// The maximum number of authors that a draft lists.
    static let maximumContributorCount = 100

    /// Returns the authors of a draft's sources, back to the ones that were live in its
    /// environment.
    ///
    /// - Throws: ``BehaviorStoreError/conflict(_:)`` if there are more than a draft can name.
    func contributors(
        to draft: NewRevision,
        of base: RevisionInfo
    ) async throws -> [Contributor] {
        let key = draft.key
        let drafts = try await drafts(named: key.name)
        let bases = try await bases(named: key.name)
        let laid = Set(
            bases.filter { $0.key.key == key && drafts[$0.key] == nil }
                .compactMap { $0.value.laid }
        )
        var walk = LineageWalk(
            from: Lineage.Member(base.number, of: base.key),
            to: key,
            in: try await lineage(named: key.name, bases),
            approved: .init(laid: laid, overrides: draft.basis?.overrides),
            draft: { drafts[$0] }
        )
        var infos = RevisionInfos(backend)
        while let member = walk.next {
            guard !walk.isTooLong else {
                throw Self.tooMany("\(LineageWalk.maximumLength) revisions")
            }
            guard let info = try await infos.info(of: member) else { break }
            walk.take(info.digest, by: info.maker)
        }
        let all = walk.contributors
        guard ContributorSet(all).count <= Self.maximumContributorCount else {
            throw Self.tooMany("\(Self.maximumContributorCount) people")
        }
        guard Set(all).count <= LineageWalk.maximumLength else {
            throw Self.tooMany("\(LineageWalk.maximumLength) tokens")
        }
        return all
    }

    private static func tooMany(_ what: String) -> BehaviorStoreError {
        .conflict("the draft's history has more than \(what): put the whole document")
    }

    private func drafts(named name: String) async throws -> [Lineage.Member: DraftRecord] {
        try await backend.records(.draft, environment: nil, name: name)
            .reduce(into: [:]) { drafts, record in
                if let member = record.key.member {
                    drafts[member] = try record.read(DraftRecord.init)
                }
            }
    }

    private func bases(named name: String) async throws -> [Lineage.Member: RevisionBasis] {
        try await backend.records(.basis, environment: nil, name: name)
            .reduce(into: [:]) { bases, record in
                if let member = record.key.member {
                    bases[member] = try record.read(RevisionBasis.init)
                }
            }
    }

    private func lineage(
        named name: String,
        _ bases: [Lineage.Member: RevisionBasis]
    ) async throws -> Lineage {
        var lineage = Lineage()
        for (member, basis) in bases { lineage.add(member, origin: nil, basis: basis) }
        for record in try await backend.records(.origin, environment: nil, name: name) {
            guard let member = record.key.member else { continue }
            let origin = try record.read { try? JSON.decode(RevisionOrigin.self, from: $0.utf8) }
            lineage.add(member, origin: origin, basis: bases[member])
        }
        return lineage
    }
}

/// Revisions without bytes, each document's in descending order of their numbers.
///
/// Each read fetches twice as many as the one before: successive patches and drafts have consecutive
/// numbers.
struct RevisionInfos {
    private static let maximumPage = 500

    private let backend: any BehaviorBackend
    private var page = 1
    private var known: [Lineage.Member: RevisionInfo] = [:]

    init(_ backend: any BehaviorBackend) { self.backend = backend }

    /// Nil if the revision doesn't exist.
    mutating func info(of member: Lineage.Member) async throws -> RevisionInfo? {
        if let info = known[member] { return info }
        guard member.number <= StoredTextLimits.maximumNumber else { return nil }
        let infos = try await backend.revisions(
            of: member.key,
            before: member.number + 1,
            limit: page
        )
        page = min(page * 2, Self.maximumPage)
        known = Dictionary(
            infos.map { (Lineage.Member($0.number, of: $0.key), $0) },
            uniquingKeysWith: { one, _ in one }
        )
        return known[member]
    }
}

extension RecordKey {
    /// The revision that the record belongs to; nil if it belongs to none.
    fileprivate var member: Lineage.Member? {
        guard let key = DocumentKey(name, in: environment), let number = Int(item) else {
            return nil
        }
        return Lineage.Member(number, of: key)
    }
}
