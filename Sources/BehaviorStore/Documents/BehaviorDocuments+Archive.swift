import Logging

extension BehaviorDocuments {
    /// Exports the store's current state in pieces that are made on demand.
    package func export() async throws -> ArchivePieces {
        ArchivePieces(try await StoreSnapshot(backend), backend)
    }

    /// Imports an archive whole or not at all; the store has to be empty.
    ///
    /// The audit is the exported one, and no row is added: its last hash proves that it is
    /// complete.
    /// - Throws: ``BehaviorArchive/Invalid``, or ``BehaviorStoreError``, which is a conflict if the
    ///   store isn't empty.
    package func load(_ archive: BehaviorArchive, by author: Author) async throws {
        try await Task.detached { try await archive.check() }.value
        try await change(by: author, isLimited: false) { [self] pending in
            let count = try await backend.documents().count
            guard pending.base == .none, count == 0 else {
                throw BehaviorStoreError.conflict(
                    "the store isn't empty: it has \(count) documents and \(pending.base.sequence) rows "
                        + "of the audit; import into an empty store"
                )
            }
            pending.load(archive.contents)
        }
        logger.notice(
            """
            behaviors: \(archive.documents.count) documents and \(archive.rows.count) rows of the \
            audit were imported by \(author.id)
            """
        )
    }
}
