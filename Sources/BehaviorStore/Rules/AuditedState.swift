import JSONCodec

/// What the rows of an audit say, taken together: how far each document has come, with which
/// revisions, and what is kept beside them.
struct AuditedState {
    private(set) var documents: [DocumentKey: Document] = [:]
    private(set) var records: [RecordKey: String] = [:]
    private(set) var lineage = Lineage()

    /// What the rows say of a document.
    struct Document {
        var latest = 0
        var live: Int?
        var since: Int?
        var revisions: [Int: Revision] = [:]
        /// The bytes of which the live revisions were made, current and previous ones.
        private(set) var laid: Set<LaidBytes> = []

        /// Goes on by a row.
        fileprivate mutating func take(_ said: AuditedRevision, _ row: AuditRow) {
            latest = max(latest, said.revision)
            // The row that tells of it first is the one by which it was made.
            if revisions[said.revision] == nil { revisions[said.revision] = Revision(said, row) }
            guard said.live else { return }
            live = said.revision
            revisions[said.revision]?.wasLive = true
            if let made = revisions[said.revision]?.basis?.laid { laid.insert(made) }
            since = max(row.at, since ?? 0)
        }
    }

    /// What the rows say of a revision.
    struct Revision {
        let digest: String
        /// The author.
        let maker: Contributor
        /// Of what it is made; nil where it was put whole.
        let basis: RevisionBasis?
        /// Whether it is live, or was.
        fileprivate(set) var wasLive = false
        private let message: String
        private let created: Int

        fileprivate init(_ said: AuditedRevision, _ row: AuditRow) {
            digest = said.digest
            basis = said.basis
            maker = Contributor(row.author.id, name: row.author.name)
            message = said.message ?? ""
            created = row.at
        }

        /// Whether a later row says of it why it was put.
        func hasMessage(of said: AuditedRevision) -> Bool {
            KeptText.isSame(message, said.message ?? "")
        }

        /// Whether what is known of a revision is what the row says.
        func tells(of info: RevisionInfo) -> Bool {
            KeptText.isSame(maker.id, info.author) && KeptText.isSame(maker.name, info.authorName)
                && created == info.created && digest == info.digest
                && KeptText.isSame(message, info.message)
        }
    }

    /// Goes on by a row.
    mutating func take(_ row: AuditRow) {
        switch row.kind {
        case .override: records[RecordKey(.override, row.environment, row.name)] = row.after
        case .rules: records[RecordKey(.rules, row.environment, row.name)] = row.after
        case .schedule: records[schedule(row.sequence, row)] = row.after
        case .cancel, .scheduleEnded:
            guard let ended: EndedSchedule = Self.read(row.before) else { return }
            records[schedule(ended.schedule, row)] = nil
        case .approve:
            guard let approved: AuditedDraft = Self.read(row.after) else { return }
            let key = draft(approved.draft, row)
            guard var draft = records[key].flatMap(DraftRecord.init) else { return }
            draft.approvals.append(
                .init(by: row.author.id, name: row.author.name, at: row.at)
            )
            records[key] = draft.text
        case .draft, .publish, .rollback, .promote: takeRevision(row)
        case nil: return
        }
    }

    private mutating func takeRevision(_ row: AuditRow) {
        guard let key = DocumentKey(row.name, in: row.environment),
            let said: AuditedRevision = Self.read(row.after)
        else { return }
        // Where it is, for a copy of it would be one for each row.
        documents[key, default: Document()].take(said, row)
        let record = DraftRecord(
            overriddenBy: said.origin?.overriddenBy,
            contributors: said.makers?.isEmpty == false ? said.makers : nil
        )
        records[draft(said.revision, row)] = said.live ? nil : record.text
        lineage.add(
            Lineage.Member(said.revision, of: key),
            origin: said.origin?.origin,
            basis: said.basis
        )
        let number = String(said.revision)
        if let basis = said.basis {
            records[RecordKey(.basis, row.environment, row.name, number)] = basis.json.line
        }
        if let origin = said.origin?.origin {
            records[RecordKey(.origin, row.environment, row.name, number)] = origin.json.line
        }
        if let id = said.schedule { records[schedule(id, row)] = nil }
    }

    /// What the rows say of a row's document; nil where they say nothing.
    func document(_ row: AuditRow) -> Document? {
        DocumentKey(row.name, in: row.environment).flatMap { documents[$0] }
    }

    func schedule(_ id: Int, _ row: AuditRow) -> RecordKey {
        RecordKey(.schedule, row.environment, row.name, String(id))
    }

    func draft(_ number: Int, _ row: AuditRow) -> RecordKey {
        RecordKey(.draft, row.environment, row.name, String(number))
    }

    static func read<Value: Decodable>(_ text: String?) -> Value? {
        // Deeper than what a request may have: a row wraps it.
        text.flatMap { try? JSON.decode(Value.self, from: $0.utf8, depth: JSON.greatestDepth) }
    }

    /// What the row of an approval says.
    struct AuditedDraft: Decodable {
        var draft: Int
        /// The SHA-256 digest of its bytes.
        var digest: String
        /// Who has approved of it: their numbers.
        var approvals: [String]
    }

    /// What the row says by which a schedule is over.
    struct EndedSchedule: Decodable { var schedule: Int }
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
        case .basis: "what revision \(item) of \(document) is made of"
        case .origin: "where revision \(item) of \(document) comes from"
        }
    }
}
