extension BehaviorDocuments {
    /// The most audit rows that are read for a page of the history.
    private static let maximumRows = 5_000
    private static let rowPage = 200

    /// Returns the events of a page of revisions, the newest first; `next` is the revision below it.
    ///
    /// Beyond ``maximumRows`` rows the events of old revisions are missing.
    func events(
        of revisions: [RevisionInfo],
        above next: RevisionInfo?,
        _ key: DocumentKey
    ) async throws -> [Int: RevisionEvents] {
        guard !revisions.isEmpty else { return [:] }
        var reader = EventReader()
        var before: Int?
        var count = 0
        while count < Self.maximumRows {
            let rows = try await backend.audit(of: key, before: before, limit: Self.rowPage)
            for row in rows {
                // No row of a later revision is older than the one that made this revision.
                if let next, row.isCreation(of: next) { return reader.events }
                reader.take(row)
            }
            guard let last = rows.last else { break }
            before = last.sequence
            count += rows.count
        }
        return reader.events
    }

    /// Returns a revision with its events; without a number the live one.
    ///
    /// - Throws: ``BehaviorStoreError`` if there is none.
    package func entry(_ number: Int?, of key: DocumentKey) async throws -> RevisionEntry {
        guard let state = try await backend.document(key) else { throw try await missing(key) }
        guard let number = number ?? state.live else { throw BehaviorStoreError.nothingLive(key) }
        guard number < StoredTextLimits.maximumNumber,
            let entry = try await history(of: key, before: number + 1, limit: 1).first,
            entry.info.number == number
        else { throw BehaviorStoreError.noRevision(number, key) }
        return entry
    }
}

/// A revision in the history of its document.
package struct RevisionEntry: Sendable, Equatable {
    /// The revision's metadata.
    package var info: RevisionInfo
    /// The revision's stage.
    package var stage: RevisionStage
    /// The origin of a promoted revision; nil for another one.
    package var origin: RevisionOrigin?
    /// Its approvals and schedules, and when it went live.
    package var events: RevisionEvents
}

extension AuditRow {
    /// Whether the row made a revision; a draft's publication in the same second counts, too.
    fileprivate func isCreation(of info: RevisionInfo) -> Bool {
        switch kind {
        case .draft, .publish, .rollback, .promote:
            let said: AuditedRevision? = Self.read(after)
            return said?.revision == info.number && at == info.created
        default: return false
        }
    }
}
