import JSONCodec

// Each row is checked against the rows before it: its previous values must match, and its author
// must have had permission. This also reveals a forged value that the server used and that was
// removed since.

extension AuditedState {
    /// Returns the reason why no server can have written the row; nil if one can.
    func objection(to row: AuditRow) -> String? {
        do throws(Objection) {
            switch row.kind {
            case .override: try checkBefore(row, row.key(.override))
            case .rules: try checkRules(row)
            case .schedule: try checkSchedule(row)
            case .cancel, .scheduleEnded: try checkEnd(row)
            case .approve: try checkApproval(row)
            case .draft, .publish, .rollback, .promote: try checkRevision(row)
            case nil: throw Objection("the kind of change is unknown")
            }
            return nil
        } catch {
            return error.reason
        }
    }

    /// The rule that a row breaks.
    struct Objection: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private func checkBefore(
        _ row: AuditRow,
        _ key: RecordKey,
        orElse usual: String? = nil
    ) throws(Objection) {
        guard KeptText.isSame(row.before, records[key] ?? usual) else {
            throw Objection("\(key): it names another previous value")
        }
    }

    private func checkRules(_ row: AuditRow) throws(Objection) {
        let none = (try? JSON(encoding: EnvironmentRules()))?.line
        try checkBefore(row, row.key(.rules), orElse: none)
    }

    private func checkSchedule(_ row: AuditRow) throws(Objection) {
        guard let plan: Schedule.Plan = AuditRow.read(row.after),
            KeptText.isSame(plan.by, row.author.id), KeptText.isSame(plan.name, row.author.name)
        else { throw Objection("the schedule names another author") }
        guard document(row)?.revisions[plan.revision] != nil else {
            throw Objection("there was no revision \(plan.revision)")
        }
    }

    /// Checks that the ended schedule was planned as the row says.
    private func checkEnd(_ row: AuditRow) throws(Objection) {
        guard let ended: EndedSchedule = AuditRow.read(row.before) else {
            throw Objection("it names no schedule")
        }
        let plan = try plan(ended.schedule, row)
        guard let said: Schedule.Plan = AuditRow.read(row.before), said.isSame(as: plan) else {
            throw Objection("it names another plan of schedule \(ended.schedule)")
        }
    }

    /// Returns the plan of an open schedule.
    func plan(_ id: Int, _ row: AuditRow) throws(Objection) -> Schedule.Plan {
        guard let plan: Schedule.Plan = AuditRow.read(records[row.key(.schedule, id)]) else {
            throw Objection("there was no schedule \(id)")
        }
        return plan
    }

    private func checkApproval(_ row: AuditRow) throws(Objection) {
        guard let after: AuditedDraft = AuditRow.read(row.after) else {
            throw Objection("it names no draft")
        }
        let key = row.key(.draft, after.draft)
        guard let draft = records[key].flatMap(DraftRecord.init) else {
            throw Objection("revision \(after.draft) was no draft")
        }
        let before: AuditedDraft? = AuditRow.read(row.before)
        let approvals = draft.approvals.map(\.by)
        guard let before, before.draft == after.draft,
            before.approvals.elementsEqual(approvals, by: KeptText.isSame),
            after.approvals.elementsEqual(approvals + [row.author.id], by: KeptText.isSame)
        else { throw Objection("it names other approvals of draft \(after.draft)") }
        let maker = document(row)?.revisions[after.draft]
        for said in [before.digest, after.digest] {
            guard said == maker?.digest else {
                throw Objection("draft \(after.draft) had other bytes")
            }
        }
        guard maker?.maker.isSame(as: row.author) != true,
            !draft.others.contains(where: { $0.isSame(as: row.author) })
        else { throw Objection("an author of draft \(after.draft) or a part of it approves it") }
        let isSecond = draft.approvals.contains {
            Contributor($0.by, name: $0.name).isSame(as: row.author)
        }
        guard !isSecond else {
            throw Objection("the same person had already approved draft \(after.draft)")
        }
    }
}

extension Schedule.Plan {
    /// Whether the two are the same, byte for byte.
    fileprivate func isSame(as other: Schedule.Plan) -> Bool {
        revision == other.revision && at == other.at && KeptText.isSame(by, other.by)
            && KeptText.isSame(name, other.name)
    }
}
