extension BehaviorDocuments {
    /// Makes a document's next revision of another of its revisions and a patch: live, or a draft.
    ///
    /// What is patched is what is live when the revision is made, or the one that is named: of two
    /// patches at once the later stands upon the earlier, or fails. What isn't live any more can be
    /// patched for a draft alone.
    /// - Throws: ``BehaviorStoreError``; then nothing is kept.
    package func patch(
        _ key: DocumentKey,
        with bytes: [UInt8],
        as form: PatchForm,
        revision number: Int? = nil,
        isDraft: Bool = false,
        message: String = "",
        expecting expected: ExpectedRevision = .any,
        by author: Author
    ) async throws -> Publication {
        try DocumentCheck.check(message: message)
        let patch = try await Task.detached { try DocumentPatch(bytes, form) }.value
        return try await change(by: author) { [self] in
            try await base(number, of: key, isDraft: isDraft, expecting: expected)
        } making: { [self] number in
            let base = try await knownRevision(number, of: key)
            let text = try patch.apply(to: base.bytes)
            return Derived(
                NewRevision(key, text.bytes, text.behavior, message: message, madeOf: base.info),
                of: base.info
            )
        } _: { [self] derived, ledger in
            if !isDraft { try await checkIsOpen(key.environment) }
            return try await put(
                try await named(derived, isDraft: isDraft, beside: author),
                isDraft: isDraft,
                expecting: expected,
                as: isDraft ? .draft : .publish,
                in: &ledger
            )
        }
    }

    /// What is made of another revision; a draft names who made that.
    func named(
        _ derived: Derived,
        isDraft: Bool,
        beside author: Author
    ) async throws -> NewRevision {
        var revision = derived.revision
        guard isDraft else { return revision }
        revision.contributors = try await contributors(to: revision, of: derived.base)
            .each(beside: author.id)
        return revision
    }

    /// The number of the revision that is to be patched.
    private func base(
        _ number: Int?,
        of key: DocumentKey,
        isDraft: Bool,
        expecting expected: ExpectedRevision
    ) async throws -> Int {
        let state = try await knownState(of: key, expecting: expected)
        guard let number = number ?? state.live else { throw BehaviorStoreError.nothingLive(key) }
        if !isDraft, let live = state.live, live > number {
            throw BehaviorStoreError.conflict(
                "revision \(live) went live after revision \(number) was made: patch that one, or "
                    + "have a draft made of this one"
            )
        }
        return number
    }
}

/// A revision that is made of another one, which never changes.
struct Derived: Sendable {
    let revision: NewRevision
    let base: RevisionInfo

    init(_ revision: NewRevision, of base: RevisionInfo) {
        self.revision = revision
        self.base = base
    }
}
