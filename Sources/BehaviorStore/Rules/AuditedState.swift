/// What the rows of an audit say, taken together: how far each document has come, with which
/// revisions, and what is kept beside them.
struct AuditedState {
    private(set) var documents: [DocumentKey: Document] = [:]
    private(set) var records: [RecordKey: String] = [:]
    private(set) var lineage = Lineage()

    /// What the rows say of a document.
    struct Document {
        /// Nil before the first row of it.
        fileprivate(set) var state: DocumentState?
        fileprivate(set) var revisions: [Int: Revision] = [:]
        /// The bytes of which the live revisions were made, current and previous ones.
        fileprivate(set) var laid: Set<LaidBytes> = []

        /// The number of the newest revision; 0 where there is none.
        var latest: Int { state?.latest ?? 0 }
        var live: Int? { state?.live }
        var since: Int? { state?.since }

        fileprivate mutating func take(
            _ said: AuditedRevision,
            _ state: DocumentState,
            _ row: AuditRow
        ) {
            self.state = state
            // The row that tells of it first is the one by which it was made.
            if revisions[said.revision] == nil { revisions[said.revision] = Revision(said, row) }
            guard said.live else { return }
            revisions[said.revision]?.wasLive = true
            if let made = revisions[said.revision]?.basis?.laid { laid.insert(made) }
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
        let effect = row.effect(on: row.document.flatMap { documents[$0]?.state }) { records[$0] }
        guard let effect else { return }
        for (key, value) in effect.records { records[key] = value }
        guard let state = effect.document, let said = effect.revision else { return }
        // Where it is, for a copy of it would be one for each row.
        documents[state.key, default: Document()].take(said, state, row)
        lineage.add(
            Lineage.Member(said.revision, of: state.key),
            origin: said.origin?.origin,
            basis: said.basis
        )
    }

    /// What the rows say of a row's document; nil where they say nothing.
    func document(_ row: AuditRow) -> Document? {
        row.document.flatMap { documents[$0] }
    }
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
