/// How far a revision has come.
package enum RevisionStage: String, Sendable {
    /// Never live yet.
    case draft
    /// What is served.
    case live
    /// Was live before.
    case earlier
}

extension BehaviorDocuments {
    /// The most of a list that is given at a time.
    package static let greatestPage = 100
    /// How much of it is given where nobody says how much.
    package static let usualPage = 20

    /// The documents of an environment, by name.
    package func documents(in environment: String) async throws -> [DocumentState] {
        try await keeping.documents().filter { $0.key.environment == environment }
    }

    /// A document's revisions, the newest first: those below `before`, at most `limit`.
    ///
    /// - Throws: ``BehaviorStoreError/noDocument(_:)``.
    package func history(
        of key: DocumentKey,
        before: Int? = nil,
        limit: Int = greatestPage
    ) async throws -> [(info: RevisionInfo, stage: RevisionStage, origin: RevisionOrigin?)] {
        guard let state = try await keeping.document(key) else {
            throw BehaviorStoreError.noDocument(key)
        }
        let revisions = try await keeping.revisions(
            of: key,
            before: before,
            limit: max(1, min(limit, Self.greatestPage))
        )
        let drafts = Set(
            try await keeping.records(.draft, environment: key.environment, name: key.name)
                .map(\.key.item)
        )
        let origins = try await origins(of: key)
        return revisions.map { info in
            let origin = origins[info.number]
            if info.number == state.live { return (info, .live, origin) }
            let isDraft = drafts.contains(String(info.number))
            return (info, isDraft ? .draft : .earlier, origin)
        }
    }

    /// A revision with its bytes: what is live where no number is given.
    ///
    /// - Throws: ``BehaviorStoreError``, where there is none.
    package func revision(_ number: Int?, of key: DocumentKey) async throws -> StoredRevision {
        guard let state = try await keeping.document(key) else {
            throw BehaviorStoreError.noDocument(key)
        }
        guard let number = number ?? state.live else { throw BehaviorStoreError.nothingLive(key) }
        return try await knownRevision(number, of: key)
    }

    /// A revision as it would be served; what is live in the store where no number is given.
    ///
    /// - Throws: ``BehaviorStoreError``, where there is none.
    package func compiled(_ number: Int?, of key: DocumentKey) async throws -> BehaviorRevision {
        let revision = try await revision(number, of: key)
        // Detached: a large one takes its time, and this may be an event loop's thread.
        return try await Task.detached {
            var made = try BehaviorRevision(
                authored: revision.bytes,
                lastModified: revision.info.created
            )
            made.number = revision.info.number
            return made
        }.value
    }
}
