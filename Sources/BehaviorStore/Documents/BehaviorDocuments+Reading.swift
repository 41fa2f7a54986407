/// A revision's stage.
package enum RevisionStage: String, Sendable {
    /// Not live so far.
    case draft
    /// Live now.
    case live
    /// Was live, and was replaced.
    case earlier
}

extension BehaviorDocuments {
    /// The most items in a page.
    package static let maximumPage = 100
    /// The default number of items in a page.
    package static let usualPage = 20

    /// Returns the documents of an environment by name.
    package func documents(in environment: String) async throws -> [DocumentState] {
        try await backend.documents().filter { $0.key.environment == environment }
    }

    /// Returns at most `limit` revisions of a document below `before`, the newest first.
    ///
    /// - Throws: ``BehaviorStoreError/noDocument(_:)``.
    package func history(
        of key: DocumentKey,
        before: Int? = nil,
        limit: Int = maximumPage
    ) async throws -> [(info: RevisionInfo, stage: RevisionStage, origin: RevisionOrigin?)] {
        guard let state = try await backend.document(key) else {
            throw BehaviorStoreError.noDocument(key)
        }
        let revisions = try await backend.revisions(
            of: key,
            before: before,
            limit: max(1, min(limit, Self.maximumPage))
        )
        let drafts = Set(
            try await backend.records(.draft, environment: key.environment, name: key.name)
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

    /// Returns a revision with its bytes; without a number the live one.
    ///
    /// - Throws: ``BehaviorStoreError`` if there is none.
    package func revision(_ number: Int?, of key: DocumentKey) async throws -> StoredRevision {
        guard let state = try await backend.document(key) else {
            throw BehaviorStoreError.noDocument(key)
        }
        guard let number = number ?? state.live else { throw BehaviorStoreError.nothingLive(key) }
        return try await knownRevision(number, of: key)
    }

    /// Returns a revision as the server would serve it; without a number the store's live one.
    ///
    /// - Throws: ``BehaviorStoreError`` if there is none.
    package func compiled(_ number: Int?, of key: DocumentKey) async throws -> BehaviorRevision {
        let revision = try await revision(number, of: key)
        // Detached: a large document takes long to compile, and this may be an event loop's thread.
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
