import BehaviorStore
import HTTPSyntax

// The reports of the store's values.

extension RevisionReport {
    private init(
        _ info: RevisionInfo,
        _ stage: RevisionStage,
        _ origin: RevisionOrigin?,
        wentLive: Int?
    ) {
        self.init(
            name: info.key.name,
            environment: info.key.environment,
            revision: info.number,
            state: stage.rawValue,
            author: info.author,
            authorName: info.authorName.given,
            message: info.message.given,
            created: HTTPDate.timestamp(info.created),
            wentLive: wentLive.map(HTTPDate.timestamp),
            digest: info.digest,
            size: info.size,
            origin: origin
        )
    }

    init(_ entry: RevisionEntry) {
        self.init(entry.info, entry.stage, entry.origin, wentLive: entry.events.wentLive)
        let events = entry.events
        approvals = events.approvals.isEmpty ? nil : events.approvals.map(ApprovalReport.init)
        discarded = events.discarded.map(ApprovalReport.init)
        schedules = events.schedules.isEmpty ? nil : events.schedules.map(RevisionSchedule.init)
    }

    init(_ publication: Publication) {
        self.init(
            publication.info,
            publication.isLive ? .live : .draft,
            publication.origin,
            wentLive: publication.wentLive
        )
    }

    init(_ info: RevisionInfo, _ draft: DraftRecord) {
        self.init(info, draft.discarded == nil ? .draft : .discarded, nil, wentLive: nil)
        approvals = draft.approvals.isEmpty ? nil : draft.approvals.map(ApprovalReport.init)
        discarded = draft.discarded.map(ApprovalReport.init)
    }
}

extension ApprovalReport {
    init(_ approval: DraftRecord.Approval) {
        self.init(
            by: approval.by,
            name: approval.name.given,
            at: HTTPDate.timestamp(approval.at),
            message: approval.message
        )
    }

    init(_ discard: DraftRecord.Discard) {
        self.init(
            by: discard.by,
            name: discard.name.given,
            at: HTTPDate.timestamp(discard.at),
            message: discard.message
        )
    }
}

extension RevisionSchedule {
    init(_ past: RevisionEvents.PastSchedule) {
        self.init(
            id: past.id,
            at: HTTPDate.timestamp(past.plan.at),
            by: past.plan.by,
            name: past.plan.name.given,
            state: "pending"
        )
        switch past.end {
        case nil: break
        case .wentLive: state = "done"
        case .cancelled: state = "cancelled"
        case .failed(let reason): (state, self.reason) = ("failed", reason)
        }
    }
}

extension String {
    /// The text; nil if it is empty.
    var given: String? { isEmpty ? nil : self }
}
