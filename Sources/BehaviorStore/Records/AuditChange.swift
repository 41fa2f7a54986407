/// The kinds of changes in the audit.
///
/// A row stores its kind as text, since an edited row may have another one.
enum AuditChange: String {
    /// A revision was stored that isn't live.
    case draft
    /// A revision went live: a new one, or a draft.
    case publish
    /// An earlier revision's bytes went live as a new one.
    case rollback
    /// A revision was made from another environment's revision.
    case promote
    /// An approver approved a draft.
    case approve
    /// A draft was discarded: it can't go live.
    case discard
    /// A revision was scheduled to go live later.
    case schedule
    /// A schedule was cancelled.
    case cancel
    /// A schedule's time came.
    case scheduleEnded = "schedule ended"
    /// The overrides of an environment were changed.
    case override
    /// The rules of an environment were changed; such a row has no document.
    case rules
}

extension AuditRow {
    /// The kind of change; nil if it is unknown.
    var kind: AuditChange? { AuditChange(rawValue: change) }
}
