import JSONCodec

// The rules for a revision's row: its sources, its authors, and whether it may be live.

extension AuditedState {
    func checkRevision(_ row: AuditRow) throws(RuleViolation) {
        guard let key = DocumentKey(row.name, in: row.environment),
            let said: AuditedRevision = AuditRow.read(row.after)
        else { throw RuleViolation("it names no revision") }
        let known = documents[key] ?? Document()
        try Self.checkLive(row, known)
        if let there = known.revisions[said.revision] {
            guard said.live, !there.wasLive else {
                throw RuleViolation("revision \(said.revision) existed before")
            }
            guard said.digest == there.digest else {
                throw RuleViolation("the digest of revision \(said.revision) differs")
            }
            guard there.hasMessage(of: said) else {
                throw RuleViolation("the message of revision \(said.revision) differs")
            }
        } else if said.revision != known.latest &+ 1 {
            throw RuleViolation("revision \(said.revision) doesn't follow revision \(known.latest)")
        }
        try rejectIfDiscarded(said, row)
        try checkParts(said, row, known)
        try checkPlan(said, row)
        if said.live {
            try checkApprovals(said, row, known)
        } else {
            try checkContributors(said, row, key)
        }
    }

    /// Checks that no discarded draft goes live.
    private func rejectIfDiscarded(
        _ said: AuditedRevision,
        _ row: AuditRow
    ) throws(RuleViolation) {
        let source = row.kind == .rollback ? said.basis?.revision : nil
        for number in [said.revision, source].compactMap(\.self) where said.live {
            let draft = records[row.key(.draft, number)].flatMap(DraftRecord.init)
            guard draft?.discarded == nil else {
                throw RuleViolation("draft \(number) went live, but was discarded before")
            }
        }
    }

    /// Checks that the row names the previous live revision.
    private static func checkLive(_ row: AuditRow, _ known: Document) throws(RuleViolation) {
        let before: AuditedRevision? = AuditRow.read(row.before)
        let live = known.live.flatMap { known.revisions[$0] }
        guard before?.revision == known.live, before?.digest == live?.digest,
            before.map({ live?.hasMessage(of: $0) == true }) ?? true
        else {
            throw RuleViolation("it names another previous live revision")
        }
    }

    /// Checks that the sources existed, and that the overrides were those of the environment.
    private func checkParts(
        _ said: AuditedRevision,
        _ row: AuditRow,
        _ known: Document
    ) throws(RuleViolation) {
        if let basis = said.basis, let number = basis.revision {
            guard number < said.revision, known.revisions[number]?.digest == basis.digest,
                row.kind != .rollback || basis.digest == said.digest
            else { throw RuleViolation("it can't be made of revision \(number)") }
        }
        guard let origin = said.origin else { return }
        let source = DocumentKey(row.name, in: origin.environment)
        let promoted = source.flatMap { documents[$0]?.revisions[origin.revision] }
        guard let promoted, origin.overridden || promoted.digest == said.digest,
            said.basis == nil || said.basis?.digest == promoted.digest
        else {
            throw RuleViolation("it isn't revision \(origin.revision) of \(origin.environment)")
        }
        let kept: BehaviorOverrides? = AuditRow.read(
            records[row.key(.override)]
        )
        let operations = kept?.patch.array ?? []
        let laid = origin.overrides ?? []
        guard laid.count >= operations.count,
            zip(laid, operations).allSatisfy({ $0.encoded() == $1.encoded() }),
            Self.isSame(operations.isEmpty ? nil : kept?.maker, origin.overriddenBy)
        else { throw RuleViolation("it names other overrides") }
        guard let basis = said.basis else { return }
        guard Self.isSame(basis.overriddenBy, origin.overriddenBy),
            basis.overrides == RevisionBasis.digest(of: laid)
        else { throw RuleViolation("it names two different sets of overrides") }
    }

    private static func isSame(_ one: Contributor?, _ other: Contributor?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isIdentical(to: other)
    }

    /// Checks a scheduled change against its schedule.
    private func checkPlan(_ said: AuditedRevision, _ row: AuditRow) throws(RuleViolation) {
        guard let id = said.schedule else { return }
        let plan = try plan(id, row)
        let number = row.kind == .rollback ? said.basis?.revision : said.revision
        // The clock may go back between the scheduler's check and the row.
        let isDue = plan.at <= row.at &+ StoreLimits.scheduleTolerance
        guard number == nil || number == plan.revision, isDue,
            StoredTextLimits.isSame(plan.by, row.author.id),
            StoredTextLimits.isSame(plan.name, row.author.name)
        else { throw RuleViolation("schedule \(id) was for another operation") }
    }

    /// Checks that the revision has the approvals its environment requires.
    ///
    /// A draft with enough approvals may go live, and so may a previously live revision. An edit in
    /// a folder needs no approval.
    private func checkApprovals(
        _ said: AuditedRevision,
        _ row: AuditRow,
        _ known: Document
    ) throws(RuleViolation) {
        let rules: EnvironmentRules? = AuditRow.read(
            records[RecordKey(.rules, row.environment, "")]
        )
        guard let needed = rules?.approvals, needed > 0, row.author != Author.editor
        else { return }
        func isFree(_ number: Int) -> Bool {
            let key = row.key(.draft, number)
            let approved = records[key].flatMap(DraftRecord.init)?.approverCount ?? 0
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
    ) -> RuleViolation {
        let approvals = EnvironmentRules.approvals(needed)
        return RuleViolation(
            "revision \(number) went live, but \(row.environment) required \(approvals)"
        )
    }

    /// Checks that a draft names all authors of the revision that it is made of.
    private func checkContributors(
        _ said: AuditedRevision,
        _ row: AuditRow,
        _ key: DocumentKey
    ) throws(RuleViolation) {
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
        let made = try base.map { base throws(RuleViolation) in
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
            (made ?? []).each(beside: row.author)
                .elementsEqual(said.makers ?? [], by: { $0.isIdentical(to: $1) })
        else { throw RuleViolation("it doesn't name all authors of draft \(said.revision)") }
    }

    /// Returns the authors of a revision and of its sources, back to the first approved one.
    private func contributors(
        to base: Lineage.Member,
        of key: DocumentKey,
        _ approved: LineageWalk.Approved
    ) throws(RuleViolation) -> [Contributor] {
        let records = records
        var walk = LineageWalk(from: base, to: key, in: lineage, approved: approved) { member in
            records[RecordKey(.draft, of: member.key, String(member.number))]
                .flatMap(DraftRecord.init)
        }
        while let member = walk.next, let revision = revision(member) {
            guard !walk.isTooLong else {
                throw RuleViolation("its history has too many revisions")
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
    /// Whether the two are the same, byte for byte.
    fileprivate func isIdentical(to other: Contributor) -> Bool {
        StoredTextLimits.isSame(id, other.id) && StoredTextLimits.isSame(name, other.name)
    }
}
