import JSONCodec

// The rules of rows that tell of a revision: what it is made of, by whom, and whether it may be live.

extension AuditedState {
    func checkRevision(_ row: AuditRow) throws(Objection) {
        guard let key = DocumentKey(row.name, in: row.environment),
            let said: AuditedRevision = AuditRow.read(row.after)
        else { throw Objection("it doesn't say of which revision") }
        let known = documents[key] ?? Document()
        try Self.checkLive(row, known)
        if let there = known.revisions[said.revision] {
            guard said.live, !there.wasLive else {
                throw Objection("revision \(said.revision) was there before")
            }
            guard said.digest == there.digest else {
                throw Objection("revision \(said.revision) had other bytes")
            }
            guard there.hasMessage(of: said) else {
                throw Objection("revision \(said.revision) was put for another reason")
            }
        } else if said.revision != known.latest &+ 1 {
            throw Objection("revision \(said.revision) doesn't follow upon \(known.latest)")
        }
        try checkParts(said, row, known)
        try checkPlan(said, row)
        if said.live {
            try checkApprovals(said, row, known)
        } else {
            try checkContributors(said, row, key)
        }
    }

    /// Checks that what was live is what the row says was.
    private static func checkLive(_ row: AuditRow, _ known: Document) throws(Objection) {
        let before: AuditedRevision? = AuditRow.read(row.before)
        let live = known.live.flatMap { known.revisions[$0] }
        guard before?.revision == known.live, before?.digest == live?.digest,
            before.map({ live?.hasMessage(of: $0) == true }) ?? true
        else {
            throw Objection("what was live before wasn't what it says it was")
        }
    }

    /// Checks what it is made of: of what there was, and by those overrides that there were.
    private func checkParts(
        _ said: AuditedRevision,
        _ row: AuditRow,
        _ known: Document
    ) throws(Objection) {
        if let basis = said.basis, let number = basis.revision {
            guard number < said.revision, known.revisions[number]?.digest == basis.digest,
                row.kind != .rollback || basis.digest == said.digest
            else { throw Objection("it can't be made of revision \(number)") }
        }
        guard let origin = said.origin else { return }
        let source = DocumentKey(row.name, in: origin.environment)
        let promoted = source.flatMap { documents[$0]?.revisions[origin.revision] }
        guard let promoted, origin.overridden || promoted.digest == said.digest,
            said.basis == nil || said.basis?.digest == promoted.digest
        else { throw Objection("it isn't revision \(origin.revision) of \(origin.environment)") }
        let kept: BehaviorOverrides? = AuditRow.read(
            records[row.key(.override)]
        )
        let operations = kept?.patch.array ?? []
        let laid = origin.overrides ?? []
        guard laid.count >= operations.count,
            zip(laid, operations).allSatisfy({ $0.encoded() == $1.encoded() }),
            Self.isSame(operations.isEmpty ? nil : kept?.maker, origin.overriddenBy)
        else { throw Objection("other overrides were to be laid over it") }
        guard let basis = said.basis else { return }
        guard Self.isSame(basis.overriddenBy, origin.overriddenBy),
            basis.overrides == RevisionBasis.digest(of: laid)
        else { throw Objection("it says twice what was laid over it, and not the same") }
    }

    private static func isSame(_ one: Contributor?, _ other: Contributor?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isIdentical(to: other)
    }

    /// Checks that what a schedule made was planned so.
    private func checkPlan(_ said: AuditedRevision, _ row: AuditRow) throws(Objection) {
        guard let id = said.schedule else { return }
        let plan = try plan(id, row)
        let number = row.kind == .rollback ? said.basis?.revision : said.revision
        // A clock may go back between the look at it and the row.
        let isDue = plan.at <= row.at &+ BehaviorDocuments.scheduleTolerance
        guard number == nil || number == plan.revision, isDue,
            KeptText.isSame(plan.by, row.author.id), KeptText.isSame(plan.name, row.author.name)
        else { throw Objection("schedule \(id) was of something else") }
    }

    /// Checks that what goes live may where approvals are asked for.
    ///
    /// A draft may that enough have approved of, and what was live before. Who may write a folder needs none.
    private func checkApprovals(
        _ said: AuditedRevision,
        _ row: AuditRow,
        _ known: Document
    ) throws(Objection) {
        let rules: EnvironmentRules? = AuditRow.read(
            records[RecordKey(.rules, row.environment, "")]
        )
        guard let needed = rules?.approvals, needed > 0, row.author != DirectoryBehaviors.editor
        else { return }
        func isFree(_ number: Int) -> Bool {
            let key = row.key(.draft, number)
            let approved = records[key].flatMap(DraftRecord.init)?.approvals.count ?? 0
            return known.revisions[number]?.wasLive == true || approved >= needed
        }
        if known.revisions[said.revision] != nil {
            guard isFree(said.revision) else { throw Self.unapproved(said.revision, row, needed) }
            return
        }
        guard row.kind == .rollback, let base = said.basis?.revision else {
            throw Self.unapproved(said.revision, row, needed)
        }
        guard isFree(base) else { throw Self.unapproved(base, row, needed) }
    }

    private static func unapproved(
        _ number: Int,
        _ row: AuditRow,
        _ needed: Int
    ) -> Objection {
        let approvals = BehaviorDocuments.approvals(needed)
        return Objection(
            "revision \(number) went live, and \(row.environment) asked for \(approvals)"
        )
    }

    /// Checks that a draft names everybody who made what it is made of.
    private func checkContributors(
        _ said: AuditedRevision,
        _ row: AuditRow,
        _ key: DocumentKey
    ) throws(Objection) {
        guard said.basis != nil else { return }
        let base: Lineage.Member? =
            if let number = said.basis?.revision {
                Lineage.Member(number, of: key)
            } else {
                said.origin.flatMap { origin in
                    DocumentKey(row.name, in: origin.environment)
                        .map { Lineage.Member(origin.revision, of: $0) }
                }
            }
        let made = try base.map { base throws(Objection) in
            try contributors(
                to: base,
                of: key,
                LineageWalk.Approved(
                    laid: documents[key]?.laid ?? [],
                    overrides: said.basis?.overrides
                )
            )
        }
        guard
            (made ?? []).each(beside: row.author.id)
                .elementsEqual(said.makers ?? [], by: { $0.isIdentical(to: $1) })
        else { throw Objection("others have made what draft \(said.revision) is made of") }
    }

    /// Who made something and what it is made of, up to what counts as approved of.
    private func contributors(
        to base: Lineage.Member,
        of key: DocumentKey,
        _ approved: LineageWalk.Approved
    ) throws(Objection) -> [Contributor] {
        let records = records
        var walk = LineageWalk(from: base, to: key, in: lineage, approved: approved) { member in
            records[RecordKey(.draft, of: member.key, String(member.number))]
                .flatMap(DraftRecord.init)
        }
        while let member = walk.next, let revision = revision(member) {
            guard !walk.isTooLong else {
                throw Objection("it is made of more than can be followed")
            }
            walk.take(revision.digest, by: revision.maker)
        }
        return walk.contributors
    }

    private func revision(_ member: Lineage.Member) -> Revision? {
        documents[member.key]?.revisions[member.number]
    }
}

extension Contributor {
    /// Whether it is the same, byte by byte.
    fileprivate func isIdentical(to other: Contributor) -> Bool {
        KeptText.isSame(id, other.id) && KeptText.isSame(name, other.name)
    }
}
