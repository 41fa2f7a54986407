import JSONCodec

// Each row is checked against the rows before it: its previous values must match, and its author
// must have had permission. This also reveals a forged value that the server used and that was
// removed since.

extension AuditedState {
    /// Returns the reason why no server can have written the row; nil if one can.
    func objection(to row: AuditRow) -> String? {
        do throws(RuleViolation) {
            switch row.kind {
            case .override: try checkBefore(row, row.key(.override))
            case .rules: try checkRules(row)
            case .schedule: try checkSchedule(row)
            case .cancel, .scheduleEnded: try checkEnd(row)
            case .approve: try checkApproval(row)
            case .discard: try checkDiscard(row)
            case .draft, .publish, .rollback, .promote: try checkRevision(row)
            case nil: throw RuleViolation("the kind of change is unknown")
            }
            return nil
        } catch {
            return error.reason
        }
    }

    /// The rule that a row breaks.
    struct RuleViolation: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private func checkBefore(
        _ row: AuditRow,
        _ key: RecordKey,
        orElse usual: String? = nil
    ) throws(RuleViolation) {
        guard StoredTextLimits.isSame(row.before, records[key] ?? usual) else {
            throw RuleViolation("\(key): it names another previous value")
        }
    }

    private func checkRules(_ row: AuditRow) throws(RuleViolation) {
        let none = (try? JSON(encoding: EnvironmentRules()))?.description
        try checkBefore(row, row.key(.rules), orElse: none)
    }

    private func checkSchedule(_ row: AuditRow) throws(RuleViolation) {
        guard let plan: Schedule.Plan = AuditRow.read(row.after),
            StoredTextLimits.isSame(plan.by, row.author.id),
            StoredTextLimits.isSame(plan.name, row.author.name)
        else { throw RuleViolation("the schedule names another author") }
        guard document(row)?.revisions[plan.revision] != nil else {
            throw RuleViolation("there was no revision \(plan.revision)")
        }
    }

    /// Checks that the ended schedule was planned as the row says.
    private func checkEnd(_ row: AuditRow) throws(RuleViolation) {
        guard let ended: EndedSchedule = AuditRow.read(row.before) else {
            throw RuleViolation("it names no schedule")
        }
        let plan = try plan(ended.schedule, row)
        guard let said: Schedule.Plan = AuditRow.read(row.before), said.isSame(as: plan) else {
            throw RuleViolation("it names another plan of schedule \(ended.schedule)")
        }
    }

    /// Returns the plan of an open schedule.
    func plan(_ id: Int, _ row: AuditRow) throws(RuleViolation) -> Schedule.Plan {
        guard let plan: Schedule.Plan = AuditRow.read(records[row.key(.schedule, id)]) else {
            throw RuleViolation("there was no schedule \(id)")
        }
        return plan
    }

    private func checkApproval(_ row: AuditRow) throws(RuleViolation) {
        guard let after: AuditedDraft = AuditRow.read(row.after) else {
            throw RuleViolation("it names no draft")
        }
        let key = row.key(.draft, after.draft)
        guard let draft = records[key].flatMap(DraftRecord.init) else {
            throw RuleViolation("revision \(after.draft) was no draft")
        }
        let maker = try checkDraft(draft, row, after, adding: [row.author.id])
        guard maker?.maker.isSame(as: row.author) != true,
            !draft.others.contains(where: { $0.isSame(as: row.author) })
        else {
            throw RuleViolation("draft \(after.draft) is approved by one of its authors")
        }
        let makers = (maker.map { [$0.maker] } ?? []) + draft.others
        guard makers.allSatisfy(\.isIdentifiable) else {
            throw RuleViolation(
                "draft \(after.draft) can't be approved: one of its authors has no name"
            )
        }
        guard !PersonName(row.author.name).isEmpty else {
            throw RuleViolation("the approver of draft \(after.draft) has no name")
        }
        try Self.check(message: after.message)
        // A person may approve again with another token or certificate after the first one has
        // ended.
        let isSecond = draft.approvals.contains { $0.isMade(by: row.author.id, after.certificate) }
        guard !isSecond else {
            throw RuleViolation(
                "the same token or certificate had already approved draft \(after.draft)"
            )
        }
    }
}

extension AuditedState {
    fileprivate func checkDiscard(_ row: AuditRow) throws(RuleViolation) {
        guard let after: AuditedDraft = AuditRow.read(row.after) else {
            throw RuleViolation("it names no draft")
        }
        guard let draft = records[row.key(.draft, after.draft)].flatMap(DraftRecord.init) else {
            throw RuleViolation("revision \(after.draft) was no draft")
        }
        try checkDraft(draft, row, after, adding: [])
        try Self.check(message: after.message)
    }

    /// Checks that a row has the draft's approvals and digest, and that it wasn't discarded before.
    @discardableResult
    fileprivate func checkDraft(
        _ draft: DraftRecord,
        _ row: AuditRow,
        _ after: AuditedDraft,
        adding added: [String]
    ) throws(RuleViolation) -> Revision? {
        guard draft.discarded == nil else {
            throw RuleViolation("draft \(after.draft) was discarded before")
        }
        let before: AuditedDraft? = AuditRow.read(row.before)
        let approvals = draft.approvals.map(\.by)
        guard let before, before.draft == after.draft,
            before.approvals.elementsEqual(approvals, by: StoredTextLimits.isSame),
            after.approvals.elementsEqual(approvals + added, by: StoredTextLimits.isSame)
        else { throw RuleViolation("the row's earlier approvals of draft \(after.draft) differ") }
        let maker = document(row)?.revisions[after.draft]
        for said in [before.digest, after.digest] {
            guard said == maker?.digest else {
                throw RuleViolation("the digest of draft \(after.draft) differs")
            }
        }
        return maker
    }

    fileprivate static func check(message: String?) throws(RuleViolation) {
        do throws(BehaviorStoreError) {
            try DocumentCheck.check(message: message ?? "")
        } catch {
            throw RuleViolation("its message is invalid")
        }
    }
}

extension Schedule.Plan {
    /// Whether the two are the same, byte for byte.
    fileprivate func isSame(as other: Schedule.Plan) -> Bool {
        revision == other.revision && at == other.at && StoredTextLimits.isSame(by, other.by)
            && StoredTextLimits.isSame(name, other.name) && certificate == other.certificate
    }
}
