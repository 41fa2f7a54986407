/// An archive, as the audit's check reads it.
struct ArchivedBehaviors: StoredBehaviors {
    private let archive: BehaviorArchive
    /// A document's revisions, the oldest first.
    private let revisions: [DocumentKey: [StoredRevision]]

    init(_ archive: BehaviorArchive) {
        self.archive = archive
        revisions = Dictionary(grouping: archive.revisions) { $0.info.key }
    }

    func head() async throws -> AuditHead { archive.rows.last.map(AuditHead.init) ?? .none }

    func documents() async throws -> [DocumentState] { archive.documents }

    func revision(_ number: Int, of key: DocumentKey) async throws -> StoredRevision? {
        guard let revisions = revisions[key], revisions.indices.contains(number - 1) else {
            return nil
        }
        return revisions[number - 1]
    }

    func revisions(
        of key: DocumentKey,
        before: Int?,
        limit: Int
    ) async throws -> [RevisionInfo] {
        let known = revisions[key] ?? []
        let end = min(known.count, max(0, (before ?? .max) - 1))
        return known[..<end].suffix(limit).reversed().map(\.info)
    }

    func records(
        _ kind: RecordKind,
        environment: String?,
        name: String?
    ) async throws -> [StoredRecord] {
        archive.records.filter { record in
            record.key.kind == kind && environment.map { $0 == record.key.environment } ?? true
                && name.map { $0 == record.key.name } ?? true
        }
    }

    func audit(after: Int, limit: Int) async throws -> [AuditRow] {
        // The parser has checked that the numbers are consecutive.
        AuditPage(archive.rows.dropFirst(max(0, after)), limit).rows
    }
}
