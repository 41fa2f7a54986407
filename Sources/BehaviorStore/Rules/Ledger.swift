import JSONCodec

/// A change in the making: its rows are chained as they are noted.
struct Ledger {
    /// The change so far.
    private(set) var change = BehaviorChange(audit: [])
    /// What goes live by it.
    private(set) var live: [LiveRevision] = []
    /// Upon which row it is made.
    let base: AuditHead
    /// When it is made.
    let now: Int
    /// Who makes it.
    let author: Author
    /// By which schedule it is made; nil where somebody asks for it now.
    var schedule: Int?

    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` where no row can follow: somebody has edited the
    ///   last one.
    init(upon base: AuditHead, at now: Int, by author: Author) throws(BehaviorStoreError) {
        guard base.sequence < KeptText.greatestNumber else {
            throw .unavailable("no row of the audit can follow upon row \(base.sequence)")
        }
        self.base = base
        self.now = now
        self.author = author
    }

    /// The last row so far.
    var head: AuditHead { change.audit.last.map(AuditHead.init) ?? base }

    /// Adds a row, and its effect on what is stored.
    ///
    /// `state` is the document's before the row, nil where there is none; `draft` is what the row approves of.
    ///
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` where the row couldn't be read again.
    @discardableResult
    mutating func note(
        _ what: AuditChange,
        environment: String,
        name: String,
        from before: JSON?,
        to after: JSON?,
        on state: DocumentState? = nil,
        draft: DraftRecord? = nil
    ) throws(BehaviorStoreError) -> RowEffect {
        let row = AuditRow(
            after: head,
            at: now,
            author: author,
            change: what.rawValue,
            environment: environment,
            name: name,
            from: before.map(\.line),
            to: after.map(\.line)
        )
        guard let effect = row.effect(on: state, { _ in draft?.text }) else {
            throw .unavailable("row \(row.sequence) of the audit couldn't be read again")
        }
        change.audit.append(row)
        change.records += effect.records
        if let document = effect.document { change.documents.append(document) }
        return effect
    }

    /// Adds a revision, a draft or one that is live at once, and writes it down.
    ///
    /// `state` is the document's before; nil for a new one. `known` is what is live of it.
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` where no revision can follow upon the newest one.
    mutating func add(
        _ new: NewRevision,
        to state: DocumentState?,
        live known: RevisionInfo?,
        isLive: Bool,
        as what: AuditChange
    ) throws(BehaviorStoreError) -> RevisionInfo {
        guard (state?.latest ?? 0) < KeptText.greatestNumber else {
            throw .unavailable(
                "no revision of \(new.key) can follow upon revision \(state?.latest ?? 0)"
            )
        }
        let number = (state?.latest ?? 0) + 1
        let info = RevisionInfo(
            key: new.key,
            number: number,
            author: author.id,
            authorName: author.name,
            message: new.message,
            digest: new.digest,
            size: new.bytes.count,
            created: now
        )
        let revision = StoredRevision(info: info, bytes: new.bytes)
        change.revisions.append(revision)
        try place(revision, state, live: known, isLive: isLive, as: what, from: new)
        return info
    }

    /// Makes a draft live, and writes it down.
    ///
    /// - Throws: ``BehaviorStoreError``.
    mutating func publish(
        _ revision: StoredRevision,
        _ state: DocumentState,
        live: RevisionInfo?
    ) throws(BehaviorStoreError) {
        try place(revision, state, live: live, isLive: true, as: .publish)
    }

    /// Takes over all that another store had.
    mutating func load(_ archive: BehaviorArchive) {
        change.audit = archive.rows
        change.revisions = archive.revisions
        change.documents = archive.documents
        change.records = archive.records.map { ($0.key, $0.value) }
        let states = Dictionary(
            archive.documents.map { ($0.key, $0) },
            uniquingKeysWith: { one, _ in one }
        )
        for revision in archive.revisions {
            guard let state = states[revision.info.key], state.live == revision.info.number
            else { continue }
            live.append(
                LiveRevision(
                    revision,
                    since: state.since ?? revision.info.created,
                    isVerified: true
                )
            )
        }
    }

    private mutating func place(
        _ revision: StoredRevision,
        _ state: DocumentState?,
        live known: RevisionInfo?,
        isLive: Bool,
        as what: AuditChange,
        from new: NewRevision? = nil
    ) throws(BehaviorStoreError) {
        var after = AuditedRevision(revision.info, isLive: isLive)
        after.schedule = schedule
        after.makers = isLive ? nil : new?.contributors
        after.basis = new?.basis
        let effect = try note(
            what,
            environment: revision.info.key.environment,
            name: revision.info.key.name,
            from: known.map { AuditedRevision($0, isLive: true).json },
            to: after.json(from: new?.promotion),
            on: state
        )
        guard isLive else { return }
        live.append(
            LiveRevision(
                revision,
                since: effect.document?.since ?? now,
                behavior: new?.behavior,
                isVerified: true
            )
        )
    }
}

extension JSON {
    /// Its text, on one line.
    var line: String { String(decoding: encoded(), as: UTF8.self) }
}
