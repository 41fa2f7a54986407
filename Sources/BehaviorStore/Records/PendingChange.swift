import JSONCodec
import AdministrationStore

/// A change under construction; it chains its audit rows as they are added.
struct PendingChange {
    /// The change so far.
    private(set) var change = BehaviorChange(audit: [])
    /// The revisions that the change makes live.
    private(set) var live: [LiveRevision] = []
    /// The audit row before the change.
    let base: AuditHead
    /// The time of the change.
    let now: Int
    /// The author of the change.
    let author: Author
    /// The schedule that makes the change; nil for a caller's change.
    var schedule: Int?

    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` if the last row was edited so that no
    ///   number can follow it.
    init(upon base: AuditHead, at now: Int, by author: Author) throws(BehaviorStoreError) {
        guard base.sequence < StoredTextLimits.maximumNumber else {
            throw .unavailable("no row of the audit can follow row \(base.sequence)")
        }
        self.base = base
        self.now = now
        self.author = author
    }

    /// The last row so far.
    var head: AuditHead { change.audit.last.map(AuditHead.init) ?? base }

    /// Adds a row, and its effect on the stored documents and records.
    ///
    /// `state` is the document's state before the row, nil for a new document; `draft` is the draft
    /// that the row approves. `other` is the row's author if it isn't the change's.
    ///
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` if the row can't be read back.
    @discardableResult
    mutating func note(
        _ what: AuditChange,
        environment: String,
        name: String,
        from before: JSON?,
        to after: JSON?,
        on state: DocumentState? = nil,
        draft: DraftRecord? = nil,
        by other: Author? = nil
    ) throws(BehaviorStoreError) -> RowEffect {
        let row = AuditRow(
            after: head,
            at: now,
            author: other ?? author,
            change: what.rawValue,
            environment: environment,
            name: name,
            from: before.map(\.description),
            to: after.map(\.description)
        )
        guard let effect = row.effect(on: state, { _ in draft?.text }) else {
            throw .unavailable("row \(row.sequence) of the audit can't be read back")
        }
        change.audit.append(row)
        change.records += effect.records
        if let document = effect.document { change.documents.append(document) }
        return effect
    }

    /// Adds a revision, live or a draft, with its audit row.
    ///
    /// `state` is the document's state before, nil for a new document. `known` is its live
    /// revision. `other` is the revision's author if it isn't the change's.
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` if no number can follow the newest
    ///   revision's.
    mutating func add(
        _ new: NewRevision,
        to state: DocumentState?,
        live known: RevisionInfo?,
        isLive: Bool,
        as what: AuditChange,
        by other: Author? = nil
    ) throws(BehaviorStoreError) -> RevisionInfo {
        guard (state?.latest ?? 0) < StoredTextLimits.maximumNumber else {
            throw .unavailable(
                "no revision of \(new.key) can follow revision \(state?.latest ?? 0)"
            )
        }
        let number = (state?.latest ?? 0) + 1
        let author = other ?? author
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
        try place(revision, state, live: known, isLive: isLive, as: what, from: new, by: other)
        return info
    }

    /// Makes a draft live, with an audit row.
    ///
    /// - Throws: ``BehaviorStoreError``.
    mutating func publish(
        _ revision: StoredRevision,
        _ state: DocumentState,
        live: RevisionInfo?
    ) throws(BehaviorStoreError) {
        try place(revision, state, live: live, isLive: true, as: .publish)
    }

    /// Replaces the change by all contents of another store.
    mutating func load(_ contents: BehaviorChange, _ entry: AdministrationEntry? = nil) {
        change = contents
        change.entry = entry
        let states = Dictionary(
            contents.documents.map { ($0.key, $0) },
            uniquingKeysWith: { one, _ in one }
        )
        for revision in contents.revisions {
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
        from new: NewRevision? = nil,
        by other: Author? = nil
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
            on: state,
            by: other
        )
        guard isLive else { return }
        // Only a document's last revision is served.
        live.removeAll { $0.revision.info.key == revision.info.key }
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
