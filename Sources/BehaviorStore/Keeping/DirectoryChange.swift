/// A change as a file of a folder's history has it, but for the bytes of its revisions, which are
/// files of their own.
struct DirectoryChange: Codable {
    var audit: [AuditForm]
    var revisions: [RevisionForm]
    var documents: [DocumentForm]
    var records: [RecordForm]

    init(_ change: BehaviorChange) {
        audit = change.audit.map(AuditForm.init)
        revisions = change.revisions.map { RevisionForm($0.info) }
        documents = change.documents.map(DocumentForm.init)
        records = change.records.map { RecordForm($0.key, $0.value) }
    }
}
