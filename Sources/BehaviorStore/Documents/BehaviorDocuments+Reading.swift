/// A revision's stage.
package enum RevisionStage: String, Sendable {
    /// Not live so far.
    case draft
    /// Live now.
    case live
    /// Was live, and was replaced.
    case earlier
    /// A draft that can't go live any more.
    case discarded
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
    ) async throws -> [RevisionEntry] {
        guard let state = try await backend.document(key) else {
            throw try await missing(key)
        }
        let limit = max(1, min(limit, Self.maximumPage))
        // One more, at which the audit's rows of the page begin.
        let found = try await backend.revisions(of: key, before: before, limit: limit + 1)
        let revisions = Array(found.prefix(limit))
        let events = try await events(
            of: revisions,
            above: found.count > limit ? found.last : nil,
            key
        )
        let drafts = try await drafts(of: key)
        let origins = try await origins(of: key)
        return revisions.map { info in
            let draft = drafts[info.number]
            let stage: RevisionStage =
                if info.number == state.live { .live } else if let draft {
                    draft.discarded == nil ? .draft : .discarded
                } else { .earlier }
            return RevisionEntry(
                info: info,
                stage: stage,
                origin: origins[info.number],
                events: events[info.number] ?? RevisionEvents()
            )
        }
    }

    /// Returns the records of a document's drafts by number.
    func drafts(of key: DocumentKey) async throws -> [Int: DraftRecord] {
        try await backend.records(.draft, environment: key.environment, name: key.name)
            .reduce(into: [:]) { drafts, record in
                guard let number = Int(record.key.item) else { return }
                drafts[number] = try record.read(DraftRecord.init)
            }
    }

    /// Returns a revision with its bytes; without a number the live one.
    ///
    /// - Throws: ``BehaviorStoreError`` if there is none.
    package func revision(_ number: Int?, of key: DocumentKey) async throws -> StoredRevision {
        guard let state = try await backend.document(key) else {
            throw try await missing(key)
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
