import Locking
import Logging
package import AdministrationStore

extension BehaviorDocuments {
    /// Exports the store's current state in pieces that are made on demand.
    package func export() async throws -> ArchivePieces {
        ArchivePieces(try await StoreSnapshot(backend), backend)
    }

    /// Imports an archive whole or not at all; the store has to be empty.
    ///
    /// The audit is the exported one, and no row is added: its last hash proves that it is
    /// complete.
    ///
    /// `entry` is the import's row in the administration's audit. A store in that database adds it
    /// in the import's transaction. Else it is added once the import is accepted, before the
    /// import: a change without a row would be worse than the reverse.
    /// - Throws: ``BehaviorArchive/Invalid``, or ``BehaviorStoreError``, which is a conflict if the
    ///   store isn't empty.
    package func load(
        _ archive: BehaviorArchive,
        by author: Author,
        recording entry: AdministrationEntry? = nil,
        in administration: (any AdministrationBackend)? = nil
    ) async throws {
        let isShared = administration.map(backend.shares) ?? false
        // A concurrent change repeats the attempt.
        let isRecorded = Locked(false)
        try await Task.detached { try await archive.check() }.value
        try await change(by: author, isLimited: false) { [self] pending in
            let count = try await backend.documents().count
            guard pending.base == .none, count == 0 else {
                throw BehaviorStoreError.conflict(
                    "the store isn't empty: it has \(count) documents and \(pending.base.sequence) rows "
                        + "of the audit; import into an empty store"
                )
            }
            if !isShared, let entry, let administration, !isRecorded.withLock(\.self) {
                try await administration.record(entry)
                isRecorded.withLock { $0 = true }
            }
            pending.load(archive.contents, isShared ? entry : nil)
        }
        logger.notice(
            """
            behaviors: \(archive.documents.count) documents and \(archive.rows.count) rows of the \
            audit were imported by \(author.shown)
            """
        )
    }
}
