import JSONCodec

/// What the rows of an audit say, taken together: how far each document has come, with which
/// revisions, and what is kept beside them.
struct AuditedState {
    private(set) var documents: [DocumentKey: Document] = [:]
    private var records: [RecordKey: String] = [:]
    private var unnumbered = UnnumberedEnds()

    /// What the rows say of a document.
    struct Document {
        var latest = 0
        var live: Int?
        var since: Int?
        var revisions: [Int: Revision] = [:]
    }

    /// What the rows say of a revision.
    struct Revision: Equatable {
        var digest: String
        var author: String
        var authorName: String
        var message: String
        var created: Int

        fileprivate init(_ said: AuditedRevision, _ row: AuditRow) {
            digest = said.digest
            author = row.author.id
            authorName = row.author.name
            message = said.message ?? ""
            created = row.at
        }

        init(_ info: RevisionInfo) {
            digest = info.digest
            author = info.author
            authorName = info.authorName
            message = info.message
            created = info.created
        }
    }

    /// What the rows say is kept beside the documents; what is kept decides where they leave open which
    /// of several schedules is over.
    func records(besides kept: [StoredRecord]) -> [RecordKey: String] {
        var records = records
        unnumbered.settle(&records, besides: kept)
        return records
    }

    /// Goes on by a row.
    mutating func take(_ row: AuditRow) {
        switch row.change {
        case "override": records[RecordKey(.override, row.environment, row.name)] = row.after
        case "rules": records[RecordKey(.rules, row.environment, row.name)] = row.after
        case "schedule": records[schedule(row.sequence, row)] = row.after
        case "cancel", "schedule ended":
            if let ended: EndedSchedule = Self.read(row.before) {
                records[schedule(ended.schedule, row)] = nil
            } else {
                unnumbered.end(row)
            }
        case "approve":
            guard let approved: AuditedDraft = Self.read(row.after) else { return }
            let key = draft(approved.draft, row)
            guard var draft = records[key].flatMap(DraftRecord.init) else { return }
            draft.approvals.append(
                .init(by: row.author.id, name: row.author.name, at: row.at)
            )
            records[key] = draft.text
        default: takeRevision(row)
        }
    }

    private mutating func takeRevision(_ row: AuditRow) {
        guard let key = DocumentKey(row.name, in: row.environment),
            let said: AuditedRevision = Self.read(row.after)
        else { return }
        var known = documents[key] ?? Document()
        known.latest = max(known.latest, said.revision)
        // The row that tells of it first is the one by which it was made.
        if known.revisions[said.revision] == nil {
            known.revisions[said.revision] = Revision(said, row)
        }
        if said.live {
            known.live = said.revision
            known.since = max(row.at, known.since ?? 0)
        }
        documents[key] = known
        let record = DraftRecord(
            overriddenBy: said.origin?.overriddenBy,
            contributors: said.contributors
        )
        records[draft(said.revision, row)] = said.live ? nil : record.text
        if let origin = said.origin?.origin {
            let number = String(said.revision)
            records[RecordKey(.origin, row.environment, row.name, number)] = origin.json.line
        }
        if let id = said.schedule {
            records[schedule(id, row)] = nil
        } else {
            unnumbered.fire(row, said)
        }
    }

    private func schedule(_ id: Int, _ row: AuditRow) -> RecordKey {
        RecordKey(.schedule, row.environment, row.name, String(id))
    }

    private func draft(_ number: Int, _ row: AuditRow) -> RecordKey {
        RecordKey(.draft, row.environment, row.name, String(number))
    }

    private static func read<Value: Decodable>(_ text: String?) -> Value? {
        text.flatMap { try? JSON.decode(Value.self, from: $0.utf8) }
    }

    /// What the row of an approval says.
    private struct AuditedDraft: Decodable { var draft: Int }

    /// What the row says by which a schedule is over.
    private struct EndedSchedule: Decodable { var schedule: Int }
}

extension RecordKey: CustomStringConvertible {
    /// `draft 2 of default in production`, for people.
    package var description: String {
        let document = "\(name) in \(environment)"
        return switch kind {
        case .draft: "draft \(item) of \(document)"
        case .schedule: "schedule \(item) of \(document)"
        case .rules: "what \(environment) asks for"
        case .override: "what is overridden of \(document)"
        case .origin: "where revision \(item) of \(document) comes from"
        }
    }
}
