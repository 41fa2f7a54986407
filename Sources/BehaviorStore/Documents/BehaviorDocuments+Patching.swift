extension BehaviorDocuments {
    /// Makes a document's next revision from one of its revisions and a patch: live, or a draft.
    ///
    /// The patch applies to the named revision, or to the one that is live when the change is made.
    /// Of two concurrent patches the second applies to the result of the first, or fails. A
    /// revision that is no longer live can only be patched for a draft.
    /// - Throws: ``BehaviorStoreError``; then nothing is stored.
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
        } _: { [self] derived, pending in
            if !isDraft { try await checkIsOpen(key.environment) }
            return try await put(
                try await named(derived, isDraft: isDraft, beside: author),
                isDraft: isDraft,
                expecting: expected,
                mayCreate: true,
                as: isDraft ? .draft : .publish,
                in: &pending
            )
        }
    }

    /// Returns the revision; a draft gets the authors of its base.
    func named(
        _ derived: Derived,
        isDraft: Bool,
        beside author: Author
    ) async throws -> NewRevision {
        var revision = derived.revision
        guard isDraft else { return revision }
        revision.contributors = try await contributors(to: revision, of: derived.base)
            .each(beside: author)
        return revision
    }

    /// Returns the number of the revision to patch.
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
                    + "make a draft of this one"
            )
        }
        return number
    }
}

/// A revision that is made from another one, which is immutable.
struct Derived: Sendable {
    let revision: NewRevision
    let base: RevisionInfo

    init(_ revision: NewRevision, of base: RevisionInfo) {
        self.revision = revision
        self.base = base
    }
}
