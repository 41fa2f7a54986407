/// The state that results from an audit's rows: the documents with their revisions, and the
/// records.
struct AuditedState {
    private(set) var documents: [DocumentKey: Document] = [:]
    private(set) var records: [RecordKey: String] = [:]
    private(set) var lineage = Lineage()

    /// A document's state according to the rows.
    struct Document {
        /// Nil before the document's first row.
        fileprivate(set) var state: DocumentState?
        fileprivate(set) var revisions: [Int: Revision] = [:]
        /// The sources of the live revisions, current and previous ones.
        fileprivate(set) var laid: Set<SourceDigests> = []

        /// The number of the newest revision; 0 if there is none.
        var latest: Int { state?.latest ?? 0 }
        var live: Int? { state?.live }
        var since: Int? { state?.since }

        fileprivate mutating func take(
            _ said: AuditedRevision,
            _ state: DocumentState,
            _ row: AuditRow
        ) {
            self.state = state
            // The first row of a revision is the one that made it.
            if revisions[said.revision] == nil { revisions[said.revision] = Revision(said, row) }
            guard said.live else { return }
            revisions[said.revision]?.wasLive = true
            if let made = revisions[said.revision]?.basis?.laid { laid.insert(made) }
        }
    }

    /// A revision's state according to the rows.
    struct Revision {
        let digest: String
        /// The author.
        let maker: Contributor
        /// The revision that it is made of; nil if it was put whole.
        let basis: RevisionBasis?
        /// Whether it is or was live.
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

        /// Whether a later row has the same message for it.
        func hasMessage(of said: AuditedRevision) -> Bool {
            StoredTextLimits.isSame(message, said.message ?? "")
        }

        /// Whether a stored revision's metadata matches its row.
        func matches(of info: RevisionInfo) -> Bool {
            StoredTextLimits.isSame(maker.id, info.author)
                && StoredTextLimits.isSame(maker.name, info.authorName)
                && created == info.created && digest == info.digest
                && StoredTextLimits.isSame(message, info.message)
        }
    }

    /// Applies a row.
    mutating func take(_ row: AuditRow) {
        let effect = row.effect(on: row.document.flatMap { documents[$0]?.state }) { records[$0] }
        guard let effect else { return }
        for (key, value) in effect.records { records[key] = value }
        guard let state = effect.document, let said = effect.revision else { return }
        // Changed in place: a copy for each row would be too slow.
        documents[state.key, default: Document()].take(said, state, row)
        lineage.add(
            Lineage.Member(said.revision, of: state.key),
            origin: said.origin?.origin,
            basis: said.basis
        )
    }

    /// The state of a row's document; nil if it has none.
    func document(_ row: AuditRow) -> Document? {
        row.document.flatMap { documents[$0] }
    }
}
