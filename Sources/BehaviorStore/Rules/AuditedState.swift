import JSONCodec

/// What the rows of an audit say, taken together: how far each document has come, with which
/// revisions, and what is kept beside them.
struct AuditedState {
    private(set) var documents: [DocumentKey: Document] = [:]
    private var records: [RecordKey: String] = [:]
    private var unnumbered = UnnumberedEnds()
    private var imports = UntoldImports()

    /// What the rows say of a document.
    struct Document {
        var latest = 0
        var live: Int?
        var since: Int?
        /// Whether the rows say only that it isn't live since an earlier time.
        var isSinceOpen = false
        var revisions: [Int: Revision] = [:]

        /// Whether it may be live since then.
        func isSince(_ time: Int?) -> Bool {
            guard isSinceOpen, let time, let since else { return time == since }
            return time >= since
        }
    }

    /// What the rows say of a revision.
    struct Revision {
        let digest: String
        private let author: String
        private let authorName: String
        private let message: String
        private let created: Int
        /// Whether the row leaves open who made it, and when.
        private let isMakerOpen: Bool

        fileprivate init(_ said: AuditedRevision, _ row: AuditRow) {
            digest = said.digest
            author = row.author.id
            authorName = row.author.name
            message = said.message ?? ""
            created = row.at
            isMakerOpen = UntoldImports.isOne(row)
        }

        /// Whether what is known of a revision is what the row says.
        func tells(of info: RevisionInfo) -> Bool {
            let isItsMaker =
                author == info.author && authorName == info.authorName && created == info.created
            return digest == info.digest && message == info.message && (isItsMaker || isMakerOpen)
        }
    }

    /// What the rows say is kept beside the documents; what is kept decides where they leave open which
    /// of several schedules is over.
    func records(besides kept: [StoredRecord]) -> [RecordKey: String] {
        var records = records
        unnumbered.settle(&records, besides: kept)
        imports.settle(&records, besides: kept)
        return records
    }

    /// Goes on by a row.
    mutating func take(_ row: AuditRow) {
        switch row.change {
        case "override": records[RecordKey(.override, row.environment, row.name)] = row.after
        case "rules":
            records[RecordKey(.rules, row.environment, row.name)] = row.after
            imports.rule(row.environment)
        case "schedule": records[schedule(row.sequence, row)] = row.after
        case "cancel", "schedule ended":
            if let ended: EndedSchedule = Self.read(row.before) {
                end(schedule(ended.schedule, row))
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
            let isOpen = UntoldImports.isOne(row)
            known.since = isOpen ? .min : max(row.at, known.since ?? 0)
            if isOpen { known.isSinceOpen = true }
        }
        documents[key] = known
        let record = DraftRecord(
            overriddenBy: said.origin?.overriddenBy,
            contributors: said.contributors
        )
        let isTold = !said.live && !UntoldImports.isOne(row)
        records[draft(said.revision, row)] = isTold ? record.text : nil
        imports.take(row, key, draft: draft(said.revision, row), isLive: said.live)
        if let origin = said.origin?.origin {
            let number = String(said.revision)
            records[RecordKey(.origin, row.environment, row.name, number)] = origin.json.line
        }
        if let id = said.schedule {
            end(schedule(id, row))
        } else {
            unnumbered.fire(row, said)
        }
    }

    private mutating func end(_ schedule: RecordKey) {
        records[schedule] = nil
        imports.end(schedule)
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
