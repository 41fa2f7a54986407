/// What rows leave open by which the first version took documents over from another store.
///
/// Such a row says which revision came, of which digest and message, and whether it is live: not who made
/// it there and when, nor since when it is live. Of what was kept beside the documents it says nothing,
/// though drafts, schedules and rules came with them. No later version writes such a row.
struct UntoldImports {
    private var documents: Set<DocumentKey> = []
    /// The drafts that such rows tell of, and no later row: whether they are still some.
    private var drafts: Set<RecordKey> = []
    /// Schedules that a row says are over.
    private var over: Set<RecordKey> = []
    /// The environments whose rules a row tells of behind the last such row.
    private var ruled: Set<String> = []

    /// Whether a row is one by which the first version took something over.
    static func isOne(_ row: AuditRow) -> Bool {
        row.change == "import" && row.before == nil && row.author == Author(id: "import")
    }

    /// Notes a row that tells of a revision.
    mutating func take(_ row: AuditRow, _ key: DocumentKey, draft: RecordKey, isLive: Bool) {
        guard Self.isOne(row) else {
            drafts.remove(draft)
            return
        }
        documents.insert(key)
        if !isLive { drafts.insert(draft) }
        // What came may have taken the place of what there was.
        ruled = []
    }

    /// Notes that a row tells what an environment asks for.
    mutating func rule(_ environment: String) { ruled.insert(environment) }

    /// Notes that a row tells of a schedule's end.
    mutating func end(_ schedule: RecordKey) { over.insert(schedule) }

    /// Whether rows leave open what an environment asks for.
    func leavesOpen(rulesOf environment: String) -> Bool {
        !documents.isEmpty && !ruled.contains(environment)
    }

    /// Whether they leave open which schedules a document has.
    func leavesOpen(schedulesOf key: DocumentKey) -> Bool { documents.contains(key) }

    /// Whether they leave open what is kept of a draft.
    func leavesOpen(draft: RecordKey) -> Bool { drafts.contains(draft) }

    /// Adds to what the rows say what they leave open, as it is kept.
    func settle(_ records: inout [RecordKey: String], besides kept: [StoredRecord]) {
        guard !documents.isEmpty else { return }
        for record in kept where isOpen(record.key, records) { records[record.key] = record.value }
    }

    private func isOpen(_ key: RecordKey, _ records: [RecordKey: String]) -> Bool {
        switch key.kind {
        case .draft: drafts.contains(key)
        case .rules: !ruled.contains(key.environment)
        case .schedule:
            records[key] == nil && !over.contains(key)
                && DocumentKey(key.name, in: key.environment).map(documents.contains) ?? false
        default: false
        }
    }
}
