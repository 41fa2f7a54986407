import System
import JSONCodec

/// A change as a file of a folder's history.
///
/// The revisions' bytes are in files of their own.
struct DirectoryChange: Codable {
    /// The format of the file.
    var format = Self.format
    var audit: [AuditRow]
    var revisions: [RevisionInfo]
    var documents: [DocumentState]
    var records: [RecordForm]

    /// The first format, of changes that all versions know.
    private static let format = 1
    /// The format of changes that only versions with discarded drafts know.
    private static let discarding = 2

    init(_ change: BehaviorChange) {
        audit = change.audit
        revisions = change.revisions.map(\.info)
        documents = change.documents
        records = change.records.map { RecordForm($0.key, $0.value) }
        if audit.contains(where: { $0.kind == .discard }) { format = Self.discarding }
    }

    /// Reads a change file.
    ///
    /// - Throws: ``FileError`` if the file is invalid or has another format version.
    init(_ bytes: [UInt8], of path: String) throws(FileError) {
        struct Head: Decodable { var format: Int }
        do {
            let head = try JSON.decode(Head.self, from: bytes)
            guard (Self.format...Self.discarding).contains(head.format) else {
                throw FileError(
                    path,
                    because:
                        "has the format \(head.format), and this version knows \(Self.discarding); "
                        + "start the version that wrote it, or choose another folder"
                )
            }
            self = try JSON.decode(Self.self, from: bytes)
        } catch let failure as FileError {
            throw failure
        } catch {
            throw FileError(path, because: "\(error)")
        }
    }
}
