import Digests

/// A store of behavior documents: the operations that SQLite, PostgreSQL and a folder each
/// implement.
///
/// A store has no rules; ``BehaviorDocuments`` implements them once for all stores. A store reads
/// rows and commits a change whole or not at all.
///
/// Each change has audit rows, and the first must follow the last stored row. A caller reads
/// ``head()``, then what the change depends on, then commits after that head. It needs neither a
/// lock nor a transaction: of two concurrent commits, in one process or in two, one succeeds and
/// the other starts again.
package protocol BehaviorBackend: Sendable {
    // MARK: Reading; creates nothing in an empty store

    /// Returns the place and hash of the last audit row.
    func head() async throws -> AuditHead

    /// Returns all documents, sorted by environment and name.
    func documents() async throws -> [DocumentState]

    /// Returns a document's state; nil if the document doesn't exist.
    func document(_ key: DocumentKey) async throws -> DocumentState?

    /// Returns a revision with its bytes; nil if it doesn't exist.
    func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision?

    /// Returns at most `limit` of a document's revisions below `before`, without bytes, the newest
    /// first.
    func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo]

    /// Returns the records of a kind, sorted by key; nil for an environment or name means all.
    func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord]

    /// Counts the records of a kind without loading them: they may be large.
    func recordCount(_ kind: RecordKind) async throws -> Int

    /// Returns at most `limit` audit rows after `after`, in their order.
    ///
    /// Returns fewer if they are large, but at least one if there is one. The rows are not
    /// verified.
    func audit(after: Int, limit: Int) async throws -> [AuditRow]

    /// Returns at most `limit` audit rows before `before`, the newest first.
    ///
    /// Returns fewer if they are large, but at least one if there is one.
    func audit(before: Int?, limit: Int) async throws -> [AuditRow]

    /// Returns the store's internal contradictions, a sentence each, for example truncation or rows
    /// that no query reads.
    ///
    /// Checks only what the rows, documents, revisions and records don't show.
    func contradictions() async throws -> [String]

    /// Returns the documents with a live revision in an environment; the revision is nil if it
    /// can't be read.
    ///
    /// Blocks the calling thread; called when a server starts.
    func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)]

    // MARK: Changing

    /// Stores all of a change durably, or nothing.
    ///
    /// - Returns: false if the change's first audit row doesn't follow the last stored row.
    func commit(_ change: BehaviorChange) async throws -> Bool

    /// Calls `changed` within a second of another process's change, until the task is cancelled.
    ///
    /// It may call without a change, and may skip changes of this process. After a lost connection
    /// it calls `changed` once it is connected again.
    func watch(_ changed: @escaping @Sendable () async -> Void) async

    /// The reason why the store is unavailable, as known to ``watch(_:)``; nil if it is available.
    var loss: String? { get }
}

extension BehaviorBackend {
    /// Local files are always available.
    package var loss: String? { nil }

    /// By default there are none: no other program writes into the store.
    package func contradictions() async throws -> [String] { [] }

    /// Returns a revision that must exist, and verifies its digest.
    ///
    /// - Throws: ``BehaviorStoreError`` if the revision is missing or its bytes don't match its
    ///   digest.
    func wholeRevision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision {
        guard let revision = try await revision(number, of: key) else {
            throw BehaviorStoreError.noRevision(number, key)
        }
        guard Hexadecimal.sha256(revision.bytes) == revision.info.digest else {
            throw BehaviorStoreError.unavailable(
                "revision \(number) of \(key) doesn't match its digest"
            )
        }
        return revision
    }
}

/// A change that is stored whole or not at all.
package struct BehaviorChange: Sendable {
    /// The audit rows, at least one; the first follows the last stored row.
    package var audit: [AuditRow]
    /// The new revisions.
    package var revisions: [StoredRevision] = []
    /// The new and replaced documents.
    package var documents: [DocumentState] = []
    /// The new and replaced records; a nil value removes the record.
    package var records: [(key: RecordKey, value: String?)] = []

    package init(audit: [AuditRow]) { self.audit = audit }

    /// Whether the first audit row is the one after that head.
    func follows(_ head: AuditHead) -> Bool {
        audit.first.map {
            $0.sequence == head.sequence &+ 1 && $0.previous == head.hash
        } ?? false
    }
}
