import JSONCodec

// Each row is held against those before it: what it changes has to be as they say, and whoever changed
// it allowed to. What somebody has written past the server, which then went by it, shows here, even
// where it is gone since.

extension AuditedState {
    /// Why no server can have written a row upon those before it; nil where one can.
    func objection(to row: AuditRow) -> String? {
        do throws(Objection) {
            switch row.kind {
            case .override: try checkBefore(row, row.key(.override))
            case .rules: try checkRules(row)
            case .schedule: try checkSchedule(row)
            case .cancel, .scheduleEnded: try checkEnd(row)
            case .approve: try checkApproval(row)
            case .draft, .publish, .rollback, .promote: try checkRevision(row)
            case nil: throw Objection("there is no such change")
            }
            return nil
        } catch {
            return error.reason
        }
    }

    /// What is wrong with a row.
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
            throw Objection("\(key) wasn't what it says it was")
        }
    }

    private func checkRules(_ row: AuditRow) throws(Objection) {
        let none = (try? JSON(encoding: EnvironmentRules()))?.line
        try checkBefore(row, row.key(.rules), orElse: none)
    }

    private func checkSchedule(_ row: AuditRow) throws(Objection) {
        guard let plan: Schedule.Plan = AuditRow.read(row.after),
            KeptText.isSame(plan.by, row.author.id), KeptText.isSame(plan.name, row.author.name)
        else { throw Objection("a schedule is of who makes it") }
        guard document(row)?.revisions[plan.revision] != nil else {
            throw Objection("there was no revision \(plan.revision)")
        }
    }

    /// Checks that the schedule that ends was planned as the row says.
    private func checkEnd(_ row: AuditRow) throws(Objection) {
        guard let ended: EndedSchedule = AuditRow.read(row.before) else {
            throw Objection("it doesn't say which schedule ends")
        }
        let plan = try plan(ended.schedule, row)
        guard let said: Schedule.Plan = AuditRow.read(row.before), said.isSame(as: plan) else {
            throw Objection("schedule \(ended.schedule) wasn't what it says it was")
        }
    }

    /// The plan of a schedule that hasn't ended.
    func plan(_ id: Int, _ row: AuditRow) throws(Objection) -> Schedule.Plan {
        guard let plan: Schedule.Plan = AuditRow.read(records[row.key(.schedule, id)]) else {
            throw Objection("there was no schedule \(id)")
        }
        return plan
    }

    private func checkApproval(_ row: AuditRow) throws(Objection) {
        guard let after: AuditedDraft = AuditRow.read(row.after) else {
            throw Objection("it doesn't say of which draft")
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
        else { throw Objection("others had approved of draft \(after.draft) than it says") }
        let maker = document(row)?.revisions[after.draft]
        for said in [before.digest, after.digest] {
            guard said == maker?.digest else {
                throw Objection("draft \(after.draft) had other bytes")
            }
        }
        guard maker?.maker.isSame(as: row.author) != true,
            !draft.others.contains(where: { $0.isSame(as: row.author) })
        else { throw Objection("who made draft \(after.draft), or a part of it, approves of it") }
        let isSecond = draft.approvals.contains {
            Contributor($0.by, name: $0.name).isSame(as: row.author)
        }
        guard !isSecond else {
            throw Objection("who approves of draft \(after.draft) had approved of it before")
        }
    }
}

extension Schedule.Plan {
    /// Whether it is the same, byte by byte.
    fileprivate func isSame(as other: Schedule.Plan) -> Bool {
        revision == other.revision && at == other.at && KeptText.isSame(by, other.by)
            && KeptText.isSame(name, other.name)
    }
}
