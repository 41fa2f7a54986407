// The state that changes depend on.

extension BehaviorDocuments {
    /// Returns a document's state if it meets the expectation; nil if there is no such document.
    func state(
        of key: DocumentKey,
        expecting expected: ExpectedRevision
    ) async throws -> DocumentState? {
        let state = try await backend.document(key)
        guard expected.isMet(by: state?.live) else {
            throw BehaviorStoreError.changedSince(live: state?.live)
        }
        return state
    }

    /// Returns the state of a document that must exist.
    func knownState(
        of key: DocumentKey,
        expecting expected: ExpectedRevision
    ) async throws -> DocumentState {
        guard let known = try await state(of: key, expecting: expected) else {
            throw try await missing(key)
        }
        return known
    }

    /// Returns a revision that must exist, and verifies its digest.
    func knownRevision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision {
        try await backend.wholeRevision(number, of: key)
    }

    /// Returns a draft's record; nil if the revision is no draft.
    func draft(_ number: Int, of key: DocumentKey) async throws -> DraftRecord? {
        let item = String(number)
        return try await backend.records(.draft, environment: key.environment, name: key.name)
            .first { $0.key.item == item }.map { try $0.read(DraftRecord.init) }
    }

    func liveInfo(_ state: DocumentState?) async throws -> RevisionInfo? {
        guard let state, let live = state.live else { return nil }
        return try await info(live, of: state.key)
    }

    /// Returns a revision without its bytes; nil if it doesn't exist.
    func info(_ number: Int, of key: DocumentKey) async throws -> RevisionInfo? {
        guard number <= StoredTextLimits.maximumNumber else { return nil }
        let revisions = try await backend.revisions(of: key, before: number + 1, limit: 1)
        return revisions.first.flatMap { $0.number == number ? $0 : nil }
    }
}
