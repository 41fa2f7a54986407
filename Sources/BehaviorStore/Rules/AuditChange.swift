/// What a row of the audit may say was done.
///
/// A row stores it as a text, since somebody may have edited it.
enum AuditChange: String {
    /// A revision was kept that isn't live.
    case draft
    /// A revision went live: a new one, or a draft.
    case publish
    /// An earlier revision's bytes went live as a new one.
    case rollback
    /// A revision of another environment's bytes was made.
    case promote
    /// Somebody approved of a draft.
    case approve
    /// Something is to go live later.
    case schedule
    /// A schedule was taken back.
    case cancel
    /// A schedule's time came.
    case scheduleEnded = "schedule ended"
    /// An environment has something otherwise than others.
    case override
    /// An environment asks for something else before something goes live; no document's.
    case rules
}

extension AuditRow {
    /// What was done; nil where there is no such change.
    var kind: AuditChange? { AuditChange(rawValue: change) }
}
