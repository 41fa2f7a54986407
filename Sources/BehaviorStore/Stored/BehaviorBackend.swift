package import AdministrationStore
import Glibc

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
package protocol BehaviorBackend: StoredBehaviors {
    /// Returns a document's state; nil if the document doesn't exist.
    func document(_ key: DocumentKey) async throws -> DocumentState?

    /// Counts the records of a kind without loading them: they may be large.
    func recordCount(_ kind: RecordKind) async throws -> Int

    /// Returns at most `limit` audit rows before `before`, the newest first.
    ///
    /// Returns fewer if they are large, but at least one if there is one.
    func audit(before: Int?, limit: Int) async throws -> [AuditRow]

    /// Returns at most `limit` audit rows of a document before `before`, the newest first.
    ///
    /// Returns fewer if they are large, but at least one if there is one.
    func audit(of key: DocumentKey, before: Int?, limit: Int) async throws -> [AuditRow]

    /// Returns the documents with a live revision in an environment; the revision is nil if it
    /// can't be read.
    ///
    /// Blocks the calling thread; called when a server starts.
    func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)]

    /// Checks that this version can use the store.
    ///
    /// ``liveNow(in:)`` includes it.
    func check() async throws

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

    /// Whether one transaction can change the store and the administration's audit.
    func shares(_ administration: any AdministrationBackend) -> Bool

    /// The reason why the store is unavailable, as known to ``watch(_:)``; nil if it is available.
    ///
    /// The store logs it.
    var loss: String? { get }

    /// The store's clock in seconds since 1970, which decides when schedules are due.
    ///
    /// Servers that share a database use its clock. It is nil until the database has been reached.
    var currentTime: Int? { get }

    /// Whether the store is in another process, so that a server that starts waits for it.
    var isRemote: Bool { get }
}

extension BehaviorBackend {
    /// Local files are always available.
    package var loss: String? { nil }

    package var isRemote: Bool { false }

    /// Local files use this machine's clock.
    package var currentTime: Int? { time(nil) }

    /// Local files are checked when they are opened.
    package func check() async throws {}

    /// By default the store isn't in the same database.
    package func shares(_ administration: any AdministrationBackend) -> Bool { false }
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
    /// The row of the administration's audit, for a store in its database.
    package var entry: AdministrationEntry?

    package init(audit: [AuditRow]) { self.audit = audit }

    /// Whether the first audit row is the one after that head.
    func follows(_ head: AuditHead) -> Bool {
        audit.first.map {
            $0.sequence == head.sequence &+ 1 && $0.previous == head.hash
        } ?? false
    }
}
