import Digests

/// Where behavior documents are kept: what SQLite, PostgreSQL and a directory of files do each their
/// own way.
///
/// It has no rules; those are ``BehaviorDocuments``', once for all. It reads rows, and it commits a
/// change whole or not at all. Each change bears audit rows, and they have to follow upon the last row
/// there is. So a change that commits was made of what was still true: whoever reads the ``head()``
/// first, then what the change depends on, then commits upon that head, needs no lock and no
/// transaction around it, and of two at once (in one process or in two) one commits and the other
/// starts anew.
package protocol BehaviorKeeping: Sendable {
    // MARK: Reading; nothing is made where nothing was ever kept

    /// The last audit row.
    func head() async throws -> AuditHead

    /// All documents, by environment and name.
    func documents() async throws -> [DocumentState]

    /// How far a document has come; nil where there is none.
    func document(_ key: DocumentKey) async throws -> DocumentState?

    /// A revision with its bytes; nil where there is none.
    func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision?

    /// What is known of a document's revisions, the newest first: of those below `before`, at most
    /// `limit`.
    func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo]

    /// The records of a kind in the order of their keys: of one environment or of all, of one name or of
    /// all.
    func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord]

    /// How many records of a kind there are, which are large perhaps.
    func recordCount(_ kind: RecordKind) async throws -> Int

    /// The audit rows in their order: of those beyond `after`, at most `limit`, and fewer where they
    /// are large; never none where there are some.
    ///
    /// They come as they are kept, however that may be: verifying is another's business.
    func audit(after: Int, limit: Int) async throws -> [AuditRow]

    /// The audit rows, the newest first: of those below `before`, at most `limit`, and fewer where they
    /// are large; never none where there are some.
    func audit(before: Int?, limit: Int) async throws -> [AuditRow]

    /// What its own parts say against one another, a sentence each, beyond what its rows, documents,
    /// revisions and records tell: what was cut off, and what nothing reads.
    func contradictions() async throws -> [String]

    /// The documents of which something is live in an environment, each with that revision, or nil where it
    /// can't be read; read at once: called at a server's start, on a thread that may be held up.
    func liveNow(
        in environment: String
    ) throws -> [(state: DocumentState, revision: StoredRevision?)]

    // MARK: Changing

    /// Keeps all of a change, durably, or nothing.
    ///
    /// - Returns: whether it is kept; it isn't where its first audit row doesn't follow upon the last
    ///   one there is.
    func commit(_ change: BehaviorChange) async throws -> Bool

    /// Calls `changed` soon after another process has changed something (well within a second), until
    /// the task is cancelled.
    ///
    /// It may be called in vain, and needn't tell what this process has changed. Where nothing can be
    /// told for a while (a connection is lost), it is called when that is over.
    func watch(_ changed: @escaping @Sendable () async -> Void) async

    /// Why it can't be reached now, as far as ``watch(_:)`` knows; nil where it can be.
    var loss: String? { get }
}

extension BehaviorKeeping {
    /// Files of this machine are there.
    package var loss: String? { nil }

    /// What no other program writes into says nothing against itself.
    package func contradictions() async throws -> [String] { [] }

    /// A revision that has to be there, as it was put.
    ///
    /// - Throws: also where its bytes aren't those of its digest.
    func wholeRevision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision {
        guard let revision = try await revision(number, of: key) else {
            throw BehaviorStoreError.noRevision(number, key)
        }
        guard Hexadecimal.sha256(revision.bytes) == revision.info.digest else {
            throw BehaviorStoreError.unavailable("revision \(number) of \(key) isn't what was put")
        }
        return revision
    }
}

/// A change, to be kept whole or not at all.
package struct BehaviorChange: Sendable {
    /// The audit rows, never none: the first follows upon the last one that is kept.
    package var audit: [AuditRow]
    /// New revisions.
    package var revisions: [StoredRevision] = []
    /// Documents, new ones or in place of what was.
    package var documents: [DocumentState] = []
    /// Records, new ones or in place of what was; removed where the value is nil.
    package var records: [(key: RecordKey, value: String?)] = []

    package init(audit: [AuditRow]) { self.audit = audit }
}
