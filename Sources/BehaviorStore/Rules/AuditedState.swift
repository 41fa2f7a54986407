import JSONCodec

/// What the rows of an audit say, taken together: how far each document has come, with which
/// revisions, and what is kept beside them.
struct AuditedState {
    private(set) var documents: [DocumentKey: Document] = [:]
    private(set) var records: [RecordKey: String] = [:]
    private(set) var lineage = Lineage()
    private(set) var imports = UntoldImports()
    private var unnumbered = UnnumberedEnds()
    /// How many steps were gone through what drafts are made of.
    var steps = 0

    /// What the rows say of a document.
    struct Document {
        var latest = 0
        var live: Int?
        var since: Int?
        /// Whether the rows say only that it isn't live since an earlier time.
        var isSinceOpen = false
        var revisions: [Int: Revision] = [:]
        /// The digests of what is live, and was.
        private(set) var liveDigests: Set<String> = []
        /// Of what that was made.
        private(set) var laid: Set<LaidBytes> = []

        /// Goes on by a row.
        fileprivate mutating func take(_ said: AuditedRevision, _ row: AuditRow) {
            latest = max(latest, said.revision)
            // The row that tells of it first is the one by which it was made.
            if revisions[said.revision] == nil { revisions[said.revision] = Revision(said, row) }
            guard said.live else { return }
            live = said.revision
            revisions[said.revision]?.wasLive = true
            liveDigests.insert(said.digest)
            if let made = revisions[said.revision]?.basis?.laid { laid.insert(made) }
            let isOpen = UntoldImports.isOne(row)
            since = isOpen ? .min : max(row.at, since ?? 0)
            if isOpen { isSinceOpen = true }
        }

        /// Whether it may be live since then.
        func isSince(_ time: Int?) -> Bool {
            guard isSinceOpen, let time, let since else { return time == since }
            return time >= since
        }
    }

    /// What the rows say of a revision.
    struct Revision {
        let digest: String
        /// Who made it, unless the row leaves that open, and when.
        let maker: Contributor
        let isMakerOpen: Bool
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
            isMakerOpen = UntoldImports.isOne(row)
        }

        /// Whether a later row says of it why it was put.
        func hasMessage(of said: AuditedRevision) -> Bool {
            KeptText.isSame(message, said.message ?? "")
        }

        /// Whether what is known of a revision is what the row says.
        func tells(of info: RevisionInfo) -> Bool {
            let isItsMaker =
                KeptText.isSame(maker.id, info.author)
                && KeptText.isSame(maker.name, info.authorName) && created == info.created
            return digest == info.digest && KeptText.isSame(message, info.message)
                && (isItsMaker || isMakerOpen)
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
        switch row.kind {
        case .override: records[RecordKey(.override, row.environment, row.name)] = row.after
        case .rules:
            records[RecordKey(.rules, row.environment, row.name)] = row.after
            imports.rule(row.environment)
        case .schedule: records[schedule(row.sequence, row)] = row.after
        case .cancel, .scheduleEnded:
            if let ended: EndedSchedule = Self.read(row.before) {
                end(schedule(ended.schedule, row))
            } else {
                unnumbered.end(row)
            }
        case .approve:
            guard let approved: AuditedDraft = Self.read(row.after) else { return }
            let key = draft(approved.draft, row)
            guard var draft = records[key].flatMap(DraftRecord.init) else { return }
            draft.approvals.append(
                .init(by: row.author.id, name: row.author.name, at: row.at)
            )
            records[key] = draft.text
        case .draft, .publish, .rollback, .promote, nil: takeRevision(row)
        }
    }

    private mutating func takeRevision(_ row: AuditRow) {
        guard let key = DocumentKey(row.name, in: row.environment),
            let said: AuditedRevision = Self.read(row.after)
        else { return }
        // Where it is, for a copy of it would be one for each row.
        documents[key, default: Document()].take(said, row)
        let makers = said.makers ?? said.contributors
        let record = DraftRecord(
            overriddenBy: said.origin?.overriddenBy,
            contributors: makers?.isEmpty == false ? makers : nil
        )
        let isTold = !said.live && !UntoldImports.isOne(row)
        records[draft(said.revision, row)] = isTold ? record.text : nil
        imports.take(row, key, draft: draft(said.revision, row), isLive: said.live)
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
        /// Of which bytes; nil in rows of earlier versions.
        var digest: String?
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
