import Locking

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
        let known = Locked<Patched?>(nil)
        let patched: @Sendable (DocumentPatch) async throws -> NewRevision = { [self] patch in
            let base = try await base(number, of: key, isDraft: isDraft, expecting: expected)
            if let known = known.withLock({ $0 }), known.base == base { return known.revision }
            let text = try patch.apply(to: try await knownRevision(base, of: key).bytes)
            let revision = NewRevision(key, text, message: message)
            known.withLock { $0 = Patched(base: base, revision: revision) }
            return revision
        }
        // Detached, and before it has its turn: a large one takes its time, for which nobody has to wait.
        let patch = try await Task.detached {
            let patch = try DocumentPatch(bytes, form)
            _ = try await patched(patch)
            return patch
        }.value
        return try await change(by: author) { [self] ledger in
            if !isDraft { try await checkIsOpen(key.environment) }
            return try await put(
                try await patched(patch),
                isDraft: isDraft,
                expecting: expected,
                as: isDraft ? "draft" : "publish",
                in: &ledger
            )
        }
    }

    /// What a patch has made of a revision, which never changes.
    private struct Patched {
        let base: Int
        let revision: NewRevision
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
