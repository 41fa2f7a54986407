import Digests

/// The stored documents as the audit's check and an export read them: a store, or an archive.
///
/// Reading creates nothing in an empty store.
package protocol StoredBehaviors: Sendable {
    /// Returns the place and hash of the last audit row.
    func head() async throws -> AuditHead

    /// Returns all documents, sorted by environment and name.
    func documents() async throws -> [DocumentState]

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

    /// Returns at most `limit` audit rows after `after`, in their order.
    ///
    /// Returns fewer if they are large, but at least one if there is one. The rows are not
    /// verified.
    func audit(after: Int, limit: Int) async throws -> [AuditRow]

    /// Returns the store's internal contradictions, a sentence each, for example truncation or rows
    /// that no query reads.
    ///
    /// Checks only what the rows, documents, revisions and records don't show.
    func contradictions() async throws -> [String]

    /// Returns the parts and values of the database that aren't in its schema.
    func foreignParts() async throws -> [StrayRow]
}

extension StoredBehaviors {
    /// By default there are none: no other program writes into the store.
    package func contradictions() async throws -> [String] { [] }

    /// By default there are none.
    package func foreignParts() async throws -> [StrayRow] { [] }

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
