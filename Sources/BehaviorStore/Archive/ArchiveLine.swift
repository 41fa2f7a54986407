/// A line of an archive: the format, one item, or the end.
struct ArchiveLine: Codable {
    var format: String?
    var document: DocumentState?
    var record: RecordForm?
    var audit: AuditRow?
    var revision: RevisionInfo?
    /// A revision's bytes: they are JSON and thus a text.
    var text: String?
    var end: ArchiveEnd?
}

/// The last line: the numbers of the items above it.
struct ArchiveEnd: Codable, Equatable {
    var rows: Int
    var revisions: Int
    var documents: Int
    var records: Int
    var hash: String
}
