/// The most documents and open drafts of each environment, and the most bytes of an author.
///
/// An author with a token could otherwise fill the store.
package struct DocumentQuotas: Sendable {
    /// The most documents.
    package var documents = 1_000
    /// The most drafts that can still go live: those made after the live revision.
    package var drafts = 1_000
    /// The most bytes of revisions, audit rows and records that an author stores within a day.
    ///
    /// The first change of a day may be larger.
    package var bytes = 1 << 30

    package init() {}
}

extension BehaviorDocuments {
    /// Checks that an environment may have another document.
    func checkRoom(in environment: String) async throws {
        let documents = try await backend.documents()
        guard documents.count < StoreLimits.maximumDocumentCount else {
            throw StoreLimits.tooManyDocuments
        }
        guard documents.count(where: { $0.key.environment == environment }) < quotas.documents
        else {
            throw BehaviorStoreError.quota(
                "\(environment) has \(quotas.documents) documents, its limit: use one of them"
            )
        }
    }

    /// Checks that an environment may have another draft.
    func checkDrafts(in environment: String) async throws {
        let drafts = try await backend.records(.draft, environment: environment, name: nil)
        guard drafts.count >= quotas.drafts else { return }
        var live: [String: Int] = [:]
        for state in try await backend.documents() where state.key.environment == environment {
            live[state.key.name] = state.live ?? 0
        }
        let open = drafts.count { draft in
            (Int(draft.key.item) ?? 0) > live[draft.key.name] ?? 0
                && DraftRecord(draft.value)?.discarded == nil
        }
        guard open < quotas.drafts else {
            throw BehaviorStoreError.quota(
                "\(environment) has \(quotas.drafts) open drafts, its limit: discard some, or "
                    + "publish the newest ones, which closes the older ones"
            )
        }
    }
}
