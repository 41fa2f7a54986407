/// The events of a revision after it was made, as the audit has them.
package struct RevisionEvents: Sendable, Equatable {
    /// When it went live, in seconds since 1970; nil if it never did.
    package var wentLive: Int?
    /// The author that made it live; nil if it never went live.
    package var publisher: Contributor?
    /// Its approvals, the first one first.
    package var approvals: [DraftRecord.Approval] = []
    /// The author and the reason that discarded it; nil if it wasn't discarded.
    package var discarded: DraftRecord.Discard?
    /// Its schedules, the first one first.
    package var schedules: [PastSchedule] = []

    /// A schedule, also one that has ended.
    package struct PastSchedule: Sendable, Equatable {
        /// Its number.
        package var id: Int
        /// The revision, the time and the author.
        package var plan: Schedule.Plan
        /// The end; nil while it is pending.
        package var end: End?
    }

    /// The end of a schedule.
    package enum End: Sendable, Equatable {
        /// The revision went live.
        case wentLive
        /// A caller cancelled it.
        case cancelled
        /// It had no effect, for this reason.
        case failed(String)
    }
}

/// A reader of a document's audit rows, which come the newest first.
struct EventReader {
    /// The events by revision.
    private(set) var events: [Int: RevisionEvents] = [:]
    /// The ends of schedules whose own rows are older.
    private var ends: [Int: RevisionEvents.End] = [:]

    /// Takes the next older row.
    mutating func take(_ row: AuditRow) {
        switch row.kind {
        case .draft, .publish, .rollback, .promote: takeRevision(row)
        case .approve:
            guard let approved: AuditedDraft = AuditRow.read(row.after) else { return }
            let approval = DraftRecord.Approval(
                by: row.author,
                approved.certificate,
                at: row.at,
                message: approved.message
            )
            events[approved.draft, default: RevisionEvents()].approvals.insert(approval, at: 0)
        case .discard:
            guard let draft: AuditedDraft = AuditRow.read(row.after) else { return }
            events[draft.draft, default: RevisionEvents()].discarded =
                DraftRecord.Discard(by: row.author, at: row.at, message: draft.message)
        case .schedule:
            guard let plan: Schedule.Plan = AuditRow.read(row.after) else { return }
            let past = RevisionEvents.PastSchedule(
                id: row.sequence,
                plan: plan,
                end: ends[row.sequence]
            )
            events[plan.revision, default: RevisionEvents()].schedules.insert(past, at: 0)
        case .cancel:
            guard let ended: EndedSchedule = AuditRow.read(row.before) else { return }
            ends[ended.schedule] = .cancelled
        case .scheduleEnded:
            struct Reason: Decodable { var reason: String }
            guard let ended: EndedSchedule = AuditRow.read(row.before) else { return }
            let reason: Reason? = AuditRow.read(row.after)
            ends[ended.schedule] = .failed(reason?.reason ?? "")
        case .override, .rules, nil: return
        }
    }

    private mutating func takeRevision(_ row: AuditRow) {
        guard let said: AuditedRevision = AuditRow.read(row.after), said.live else { return }
        events[said.revision, default: RevisionEvents()].wentLive = row.at
        events[said.revision, default: RevisionEvents()].publisher =
            Contributor(row.author.id, name: row.author.name)
        if let id = said.schedule { ends[id] = .wentLive }
    }
}
