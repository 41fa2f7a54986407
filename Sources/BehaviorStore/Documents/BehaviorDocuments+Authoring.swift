extension BehaviorDocuments {
    /// Stores a text as a document's next revision: live, or as a draft that isn't served until it
    /// is published.
    ///
    /// The bytes are stored unchanged; the message explains the change in the history. Without
    /// `mayCreate` the environment must exist.
    /// - Throws: ``BehaviorStoreError``; then nothing is stored.
    package func put(
        _ bytes: [UInt8],
        as key: DocumentKey,
        isDraft: Bool = false,
        message: String = "",
        expecting expected: ExpectedRevision = .any,
        mayCreate: Bool = true,
        by author: Author
    ) async throws -> Publication {
        try DocumentCheck.check(message: message)
        // Detached: a large document takes long to compile, and this may be an event loop's thread.
        let new = try await Task.detached {
            NewRevision(key, bytes, try DocumentCheck.check(bytes), message: message)
        }.value
        return try await change(by: author) { [self] pending in
            if !isDraft { try await checkIsOpen(key.environment) }
            return try await put(
                new,
                isDraft: isDraft,
                expecting: expected,
                mayCreate: mayCreate,
                as: isDraft ? .draft : .publish,
                in: &pending
            )
        }
    }

    func put(
        _ new: NewRevision,
        isDraft: Bool,
        expecting expected: ExpectedRevision,
        mayCreate: Bool,
        as what: AuditChange,
        in pending: inout PendingChange
    ) async throws -> Publication {
        var state = try await state(of: new.key, expecting: expected)
        if state == nil {
            if !mayCreate { try await checkExists(new.key.environment, canCreate: true) }
            try await checkRoom(in: new.key.environment)
        }
        if isDraft { try await checkDrafts(in: new.key.environment) }
        var live = try await liveInfo(state)
        if state == nil, let first = try addFile(of: new.key, in: &pending) {
            state = DocumentState(key: new.key, latest: 1, live: 1, since: pending.now)
            live = first
        }
        let info = try pending.add(
            new,
            to: state,
            live: live,
            isLive: !isDraft,
            as: what
        )
        return Publication(
            info: info,
            live: isDraft ? state?.live : info.number,
            wentLive: isDraft ? nil : pending.now,
            origin: new.promotion?.origin
        )
    }

    /// Makes a draft live under its number; a revision that is live already stays live.
    ///
    /// - Throws: ``BehaviorStoreError``, a conflict if another revision went live after the draft
    ///   was made.
    package func publish(
        _ number: Int,
        of key: DocumentKey,
        expecting expected: ExpectedRevision = .any,
        by author: Author
    ) async throws -> Publication {
        try await change(by: author) { [self] pending in
            try await publish(number, of: key, expecting: expected, in: &pending)
        }
    }

    func publish(
        _ number: Int,
        of key: DocumentKey,
        expecting expected: ExpectedRevision,
        in pending: inout PendingChange
    ) async throws -> Publication {
        let state = try await knownState(of: key, expecting: expected)
        let revision = try await knownRevision(number, of: key)
        let origin = try await origins(of: key)[number]
        if state.live == number {
            return Publication(
                info: revision.info,
                live: number,
                wentLive: state.since,
                origin: origin
            )
        }
        guard let draft = try await draft(number, of: key) else {
            throw BehaviorStoreError.conflict(
                "revision \(number) is not a draft, but was live before: roll back to it"
            )
        }
        try await checkCanGoLive(draft, revision.info, state)
        try await check(draft, number, of: key)
        try pending.publish(revision, state, live: try await liveInfo(state))
        try await endSchedules(of: number, key, because: "went live before", &pending)
        return Publication(
            info: revision.info,
            live: number,
            wentLive: pending.now,
            origin: origin
        )
    }

    /// Checks that a draft can still go live, whatever its approvals are.
    func checkCanGoLive(
        _ draft: DraftRecord,
        _ info: RevisionInfo,
        _ state: DocumentState
    ) async throws {
        try draft.rejectIfDiscarded(info.number)
        if let live = state.live, live > info.number {
            throw BehaviorStoreError.conflict(
                "revision \(live) went live after draft \(info.number) was made: put it again, or "
                    + "roll back to it to replace that revision"
            )
        }
        try await checkBasis(of: info, state)
    }

    /// Checks that a patched draft is based on the live revision: otherwise it would undo later
    /// changes.
    private func checkBasis(of draft: RevisionInfo, _ state: DocumentState) async throws {
        guard let live = state.live, let since = state.since, since >= draft.created else { return }
        let records = try await backend.records(
            .basis,
            environment: draft.key.environment,
            name: draft.key.name
        )
        func base(of number: Int) throws -> Int? {
            let item = String(number)
            return try records.first { $0.key.item == item }?.read(RevisionBasis.init).revision
        }
        guard let direct = try base(of: draft.number) else { return }
        // A draft may be a patch of a draft, and so on, back to the live revision.
        var origin: Int? = direct
        while let number = origin, number != live {
            // Each number is lower than the one before, unless the stored records were edited.
            origin = try base(of: number).flatMap { $0 < number ? $0 : nil }
        }
        guard origin == nil else { return }
        throw BehaviorStoreError.conflict(
            "revision \(live) went live after draft \(draft.number) was made of revision \(direct)"
                + ": make it again, or roll back to it to replace that revision"
        )
    }

    /// Publishes a revision's bytes again as a new revision: history only grows.
    ///
    /// Without a number it goes back to the revision that was live before the live one. Rolling back
    /// to the live revision changes nothing.
    /// - Throws: ``BehaviorStoreError``.
    package func rollback(
        to number: Int?,
        of key: DocumentKey,
        message: String? = nil,
        expecting expected: ExpectedRevision = .any,
        by author: Author
    ) async throws -> Publication {
        try DocumentCheck.check(message: message ?? "")
        return try await change(by: author) { [self] pending in
            let number =
                if let number { number } else {
                    try await previousLive(of: try await knownState(of: key, expecting: expected))
                }
            return try await rollback(
                to: number,
                of: key,
                message: message ?? Schedule.message(backTo: number),
                expecting: expected,
                in: &pending
            )
        }
    }

    func rollback(
        to number: Int,
        of key: DocumentKey,
        message: String,
        expecting expected: ExpectedRevision,
        in pending: inout PendingChange
    ) async throws -> Publication {
        let state = try await knownState(of: key, expecting: expected)
        let revision = try await knownRevision(number, of: key)
        if state.live == number {
            let origin = try await origins(of: key)[number]
            return Publication(
                info: revision.info,
                live: number,
                wentLive: state.since,
                origin: origin
            )
        }
        // A previously live revision needs no new approvals.
        if let draft = try await draft(number, of: key) {
            try draft.rejectIfDiscarded(number)
            try await check(draft, number, of: key)
        }
        let info = try pending.add(
            NewRevision(key, revision.bytes, nil, message: message, madeOf: revision.info),
            to: state,
            live: try await liveInfo(state),
            isLive: true,
            as: .rollback
        )
        return Publication(info: info, live: info.number, wentLive: pending.now)
    }
}
